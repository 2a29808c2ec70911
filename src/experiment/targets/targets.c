#include "experiment/targets/targets.h"

#include "base/random.h"
#include "experiment/targets/wait_turns.h"
#include "stats/estimate/curve_point.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Half of a block's weight is gone after three more blocks: soon enough to follow a program's phases. */
static const double decay = 0.8;
static const double least_share = 0.001, floor_share = 0.01, unfinished_part = 0.5, wobble = 0.5;
static const double called_part = 0.1, waiting_part = 0.5, regions_part = 1;
static const double notable_share = 0.05, notable_of_few = 0.005, answered_part = 0.1;
static const uint32_t first_targets = 3, draws_per_target = 5;

enum { FEW_SITES = 10 };

void targets_release(struct targets *targets)
{
    free(targets->recent_ns);
    free(targets->turns);
    free(targets->seen_ns);
    free(targets->blocks);
    free(targets->lost);
    free(targets->beside_ns);
    free(targets->beside);
}

/* The array with zeroes behind it; as it was, and *failed, when memory is out. */
static void *grow_array(void *items, uint32_t from, uint32_t to, size_t size, bool *failed)
{
    void *more = calloc(to, size);
    *failed |= !more;
    if (!more)
        return items;
    if (from)
        memcpy(more, items, from * size);
    free(items);
    return more;
}

static int reserve_sites(struct targets *targets, uint32_t count)
{
    uint32_t before = targets->capacity;
    bool failed = false;
    if (count <= before)
        return 0;
    targets->recent_ns = grow_array(targets->recent_ns, before, count, sizeof *targets->recent_ns, &failed);
    targets->turns = grow_array(targets->turns, before, count, sizeof *targets->turns, &failed);
    targets->seen_ns = grow_array(targets->seen_ns, before, count, sizeof *targets->seen_ns, &failed);
    targets->blocks = grow_array(targets->blocks, before, count, sizeof *targets->blocks, &failed);
    targets->lost = grow_array(targets->lost, before, count, sizeof *targets->lost, &failed);
    targets->beside_ns = grow_array(targets->beside_ns, before, count, sizeof *targets->beside_ns, &failed);
    targets->beside = grow_array(targets->beside, before, count, sizeof *targets->beside, &failed);
    if (failed)
        return -ENOMEM;
    targets->capacity = count;
    return 0;
}

double target_worth(const struct segment *segment, double cpu_ns, double self_ns)
{
    return segment->granularity == GRANULARITY_FUNCTION ? self_ns + called_part * (cpu_ns - self_ns) : cpu_ns;
}

static void update_site(struct targets *targets, const struct segment *segment, uint32_t site)
{
    const struct segment_site *from = &segment->sites[site];
    uint64_t all = atomic_load_explicit(&from->cpu_ns, memory_order_relaxed);
    uint64_t self = atomic_load_explicit(&from->self_ns, memory_order_relaxed);
    if (all == 0)
        return;
    bool is_beside = targets->beside[site] != BESIDE_NOTHING;
    if (is_beside)
        self = all;
    uint64_t total = (uint64_t)target_worth(segment, (double)all, (double)(self < all ? self : all));
    double *recent = is_beside ? &targets->beside_ns[site] : &targets->recent_ns[site];
    *recent = *recent * decay + (double)(total - targets->seen_ns[site]);
    targets->seen_ns[site] = total;
}

/* What waits, or regions, count beside what runs. */
static void weigh_beside(struct targets *targets, enum target_beside kind, double most)
{
    double ran = 0, beside = 0;
    for (uint32_t site = 1; site < targets->capacity; site++)
        if (targets->beside[site] == kind)
            beside += targets->beside_ns[site];
        else if (targets->beside[site] == BESIDE_NOTHING)
            ran += targets->recent_ns[site];
    double part = ran > 0 && beside > most * ran ? most * ran / beside : 1;
    for (uint32_t site = 1; site < targets->capacity; site++)
        if (targets->beside[site] == kind)
            targets->recent_ns[site] = part * targets->beside_ns[site];
}

int targets_add_beside(struct targets *targets, uint32_t site, enum target_beside kind, uint32_t site_count)
{
    int rc = reserve_sites(targets, site_count);
    if (rc == 0) {
        targets->beside[site] = (unsigned char)kind;
        targets->has_beside = true;
    }
    return rc;
}

int targets_update(struct targets *targets, const struct segment_owner *owner, uint32_t site_count)
{
    int rc = reserve_sites(targets, site_count);
    if (rc)
        return rc;
    for (uint32_t from = 1, end; from < site_count && segment_next_counted(owner, &from, &end); from = end)
        for (uint32_t site = from; site < end && site < site_count; site++)
            update_site(targets, owner->segment, site);
    if (targets->has_beside) {
        if (!targets->waits_are_few)
            weigh_beside(targets, BESIDE_WAIT, waiting_part);
        weigh_beside(targets, BESIDE_REGION, regions_part);
    }
    return 0;
}

/* What a draw weighs sites by. */
struct scales {
    double all_ns, largest_ns;
    double notable_ns;        /* of that much nobody should miss the answer */
    double worth_ns;          /* that much is worth knowing */
    uint32_t new_site;        /* may be tried, too */
    uint32_t answer_blocks;   /* so many should be had by all that are notable, before any other */
    bool one_lacks_an_answer; /* a notable one that was tried, or may be */
};

/* It has a part worth knowing, and not yet had blocks enough. */
static bool is_unfinished(const struct targets *targets, uint32_t site, const struct scales *scales)
{
    return targets->blocks[site] < TARGETS_ENOUGH_BLOCKS && targets->recent_ns[site] >= scales->worth_ns;
}

static bool lacks_an_answer(const struct targets *targets, uint32_t site, const struct scales *scales)
{
    return targets->blocks[site] < scales->answer_blocks && targets->recent_ns[site] >= scales->notable_ns;
}

static bool one_lacks_an_answer(const struct targets *targets, const struct scales *scales)
{
    for (uint32_t site = 1; site < targets->capacity; site++)
        if ((targets->blocks[site] > 0 || site == scales->new_site) && lacks_an_answer(targets, site, scales))
            return true;
    return false;
}

static bool one_tried_is_unfinished(const struct targets *targets, const struct scales *scales)
{
    for (uint32_t site = 1; site < targets->capacity; site++)
        if (targets->blocks[site] > 0 && is_unfinished(targets, site, scales))
            return true;
    return false;
}

/* The site that would be tried next: the largest of those that never were. One with next to no part waits
 * for those that have one: where a block takes seconds, they would be left without an answer. 0: none, or not
 * yet. */
static uint32_t next_new(const struct targets *targets, const struct scales *scales)
{
    uint32_t largest = 0;
    for (uint32_t site = 1; site < targets->capacity; site++)
        if (targets->blocks[site] == 0 &&
            targets->recent_ns[site] > (largest ? targets->recent_ns[largest] : 0))
            largest = site;
    bool is_notable = largest && targets->recent_ns[largest] >= scales->notable_ns;
    if (targets->tried >= first_targets &&
        targets->tried * (is_notable ? CURVE_MIN_KNOWN_UNITS : draws_per_target) >= targets->draws)
        return 0;
    if (largest && targets->recent_ns[largest] < scales->worth_ns && one_tried_is_unfinished(targets, scales))
        return 0;
    return largest;
}

/* More than any but the FEW_SITES largest have. Where more have the same, none is among those. */
static double more_than_most(const struct targets *targets)
{
    enum { COUNT = FEW_SITES + 1 };
    double largest[COUNT] = {0}; /* in descending order */
    for (uint32_t site = 1; site < targets->capacity; site++) {
        double ns = targets->recent_ns[site];
        for (size_t i = 0; i < COUNT; i++)
            if (ns > largest[i]) {
                double smaller = largest[i];
                largest[i] = ns;
                ns = smaller;
            }
    }
    return 1.001 * largest[COUNT - 1];
}

static struct scales scales_of(const struct targets *targets, double all_ns)
{
    double notable_ns = fmin(notable_share * all_ns, fmax(notable_of_few * all_ns, more_than_most(targets)));
    struct scales scales = {
        .all_ns = all_ns, .notable_ns = notable_ns, .worth_ns = fmin(notable_ns, floor_share * all_ns)};
    for (uint32_t site = 1; site < targets->capacity; site++)
        scales.largest_ns = fmax(scales.largest_ns, targets->recent_ns[site]);
    scales.new_site = next_new(targets, &scales);
    scales.answer_blocks = CURVE_MIN_KNOWN_UNITS;
    scales.one_lacks_an_answer = one_lacks_an_answer(targets, &scales);
    if (!scales.one_lacks_an_answer) { /* for the control may not tell enough */
        scales.answer_blocks = CURVE_MIN_UNITS;
        scales.one_lacks_an_answer = one_lacks_an_answer(targets, &scales);
    }
    return scales;
}

static double weigh_target(const struct targets *targets, uint32_t site, const struct scales *scales)
{
    double share = targets->recent_ns[site] / scales->all_ns, floor = floor_share;
    double largest = scales->largest_ns / scales->all_ns;
    if (share < least_share || (targets->blocks[site] == 0 && site != scales->new_site))
        return 0;
    if (scales->one_lacks_an_answer && !lacks_an_answer(targets, site, scales))
        return answered_part * fmax(share, floor);
    if (is_unfinished(targets, site, scales))
        floor = (targets->blocks[site] < CURVE_MIN_UNITS ? 1 : unfinished_part) * largest;
    return fmax(share, floor);
}

/* Each site gains its weight's share of a turn with every draw, and pays a whole one when it is drawn: in few
 * draws already, all have about what they should. The wobble keeps turns out of step with the program's own.
 */
static uint32_t draw_weighed(struct targets *targets, double all_ns, uint64_t *seed)
{
    struct scales scales = scales_of(targets, all_ns);
    uint32_t drawn = 0;
    double all = 0, most = 0;
    for (uint32_t site = 1; site < targets->capacity; site++)
        all += weigh_target(targets, site, &scales);
    for (uint32_t site = 1; site < targets->capacity; site++) {
        double own = weigh_target(targets, site, &scales);
        if (own <= 0)
            continue;
        targets->turns[site] += own / all;
        double turn = targets->turns[site] + wobble * random_unit(seed);
        if (!drawn || turn > most) {
            drawn = site;
            most = turn;
        }
    }
    if (drawn)
        targets->turns[drawn] -= 1;
    return drawn;
}

/* Whoever was tried keeps one. */
static void take_lost_off(struct targets *targets, uint32_t site)
{
    if (targets->lost[site] < 1 - 1e-9 || targets->blocks[site] < 2)
        return;
    targets->lost[site] -= 1;
    targets->blocks[site]--;
}

void targets_lose(struct targets *targets, uint32_t site, double part)
{
    if (site >= targets->capacity)
        return;
    targets->lost[site] += part;
    take_lost_off(targets, site);
}

static void note_draw(struct targets *targets, uint32_t site)
{
    targets->draws++;
    targets->tried += targets->blocks[site]++ == 0;
    take_lost_off(targets, site);
}

int targets_remember(struct targets *targets, uint32_t site, uint32_t site_count)
{
    int rc = reserve_sites(targets, site_count);
    if (rc == 0)
        note_draw(targets, site);
    return rc;
}

void targets_remember_wait(struct targets *targets)
{
    targets->wait_draws++;
}

int targets_put_first(struct targets *targets, uint32_t site, uint32_t site_count)
{
    uint32_t count = targets->fixed_count;
    for (uint32_t i = 0; i < count; i++)
        if (targets->fixed[i] == site) {
            targets->fixed_next += (i + count - targets->fixed_next % count) % count;
            return 0;
        }
    if (count || targets->only_fixed)
        return -EINVAL;
    int rc = reserve_sites(targets, site_count);
    if (rc == 0) {
        targets->first = site;
        targets->first_draws = CURVE_MIN_UNITS;
    }
    return rc;
}

void targets_fix(struct targets *targets, uint32_t target)
{
    for (uint32_t i = 0; i < targets->fixed_count; i++)
        if (targets->fixed[i] == target)
            return;
    if (targets->fixed_count < sizeof targets->fixed / sizeof *targets->fixed)
        targets->fixed[targets->fixed_count++] = target;
}

uint32_t targets_draw(struct targets *targets, uint64_t *seed)
{
    if (targets->fixed_count)
        return targets->fixed[targets->fixed_next++ % targets->fixed_count];
    if (targets->only_fixed)
        return 0;
    if (targets->first_draws) {
        targets->first_draws--;
        note_draw(targets, targets->first);
        return targets->first;
    }
    uint32_t wait = wait_turns_are_due(targets) ? wait_turns_draw(targets) : 0;
    if (wait)
        return wait;
    double all_ns = 0;
    for (uint32_t site = 1; site < targets->capacity; site++)
        all_ns += targets->recent_ns[site];
    uint32_t site = all_ns > 0 ? draw_weighed(targets, all_ns, seed) : 0;
    if (!site)
        return wait_turns_draw(targets);
    note_draw(targets, site);
    return site;
}

uint32_t targets_turn(const struct targets *targets, uint32_t site)
{
    if (targets->fixed_count)
        return (targets->fixed_next - 1) / targets->fixed_count;
    return targets->blocks[site] - 1;
}
