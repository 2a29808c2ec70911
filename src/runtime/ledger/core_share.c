#include "runtime/ledger/core_share.h"

#include "base/clock.h"
#include "runtime/clock/queued.h"
#include "runtime/core/kernel.h"
#include "runtime/core/runtime.h"
#include "shared/edge.h"

#include <errno.h>
#include <sched.h>
#include <sys/syscall.h>

enum {
    LIVED_NS = 10000000, /* of CPU time: who lives for less is not asked about, which would open a file */
    LOOK_EVERY_NS = 1000000,
    MEMORY_NS = 400000000, /* many turns of all threads: half of it in the sums */
    LEAST_NS = 30000000,   /* of less, which is a few turns, nothing can be told */
    WORTH_NS = 3000000,    /* a surplus from here on, which is a turn, is given away */
    WANTED_NS = 5000,      /* who has the core back sooner has given it to nobody */
    RANK_EVERY_NS = 50000000,
    RANK_USUAL = 1024, /* of nice 0 */
    RANK_IDLE = 3,
};

static struct core_turns *turns_of(struct core_share *share, segment_target target)
{
    for (int i = 0; i < CORE_SHARE_TARGETS; i++)
        if (share->turns[i].target == target)
            return &share->turns[i];
    struct core_turns *turns = &share->turns[share->count++ % CORE_SHARE_TARGETS];
    *turns = (struct core_turns){.target = target};
    return turns;
}

/* What the kernel weighs the thread by, a fifth less for each step of nice; 0: it shares its core with nobody, but takes
 * it. */
static uint32_t ask_rank(void)
{
    struct {
        uint32_t size, policy;
        uint64_t flags;
        int32_t nice;
        uint32_t priority;
        uint64_t deadline_ns[3];
    } told = {.size = sizeof told};
    if (kernel_call(SYS_sched_getattr, 0, (long)&told, sizeof told, 0, 0, 0) != 0)
        return RANK_USUAL;
    if (told.policy == SCHED_IDLE)
        return RANK_IDLE;
    if (told.policy != SCHED_OTHER && told.policy != SCHED_BATCH)
        return 0;
    double rank = RANK_USUAL;
    for (int nice = told.nice; nice > 0; nice--)
        rank /= 1.25;
    for (int nice = told.nice; nice < 0; nice++)
        rank *= 1.25;
    return (uint32_t)rank;
}

static uint32_t rank_of(struct core_share *share, uint64_t now_ns)
{
    if (clock_passed_ns(share->ranked_at_ns, now_ns) >= RANK_EVERY_NS) {
        share->ranked_at_ns = now_ns;
        share->rank = ask_rank();
    }
    return share->rank;
}

static uint64_t add_to_core(_Atomic uint64_t *sum, uint64_t ns)
{
    return atomic_fetch_add_explicit(sum, ns, memory_order_relaxed) + ns;
}

static struct core_times times_since(struct core_times before, struct core_times now)
{
    return (struct core_times){
        .had_ns = clock_passed_ns(before.had_ns, now.had_ns),
        .paid_ns = clock_passed_ns(before.paid_ns, now.paid_ns),
        .queued_ns = clock_passed_ns(before.queued_ns, now.queued_ns),
        .ranked_ns = clock_passed_ns(before.ranked_ns, now.ranked_ns),
    };
}

static void sum_up(struct core_sums *sums, double old, struct core_times times)
{
    sums->had_ns = sums->had_ns * old + (double)times.had_ns;
    sums->paid_ns = sums->paid_ns * old + (double)times.paid_ns;
    sums->queued_ns = sums->queued_ns * old + (double)times.queued_ns;
    sums->ranked_ns = sums->ranked_ns * old + (double)times.ranked_ns;
}

/* What happened since the last look, if that was in the same window and on the same core. */
static void look(struct account *account, struct core_turns *turns, uint32_t rank, struct instant now)
{
    struct core_look before = account->core_share.last;
    struct core_look last = {
        .at_ns = now.wall_ns,
        .core = account->presence.core,
        .window = edge_window(atomic_load_explicit(&runtime_segment->edge_word, memory_order_relaxed)),
        .mine = {now.cpu_ns, account->paid_on_core_ns, queued_ask(&account->presence).queued_ns, 0},
    };
    uint64_t passed_ns = clock_passed_ns(before.at_ns, now.wall_ns);
    bool is_new = last.window != before.window || passed_ns > MEMORY_NS / 2;
    struct core_times mine = times_since(is_new ? last.mine : before.mine, last.mine);
    mine.ranked_ns = (mine.had_ns + mine.queued_ns) * rank / RANK_USUAL;
    struct segment_core *core = &runtime_segment->cores[last.core % SEGMENT_CORES];
    last.all = (struct core_times){
        .had_ns = add_to_core(&core->had_ns, mine.had_ns),
        .paid_ns = add_to_core(&core->paid_ns, mine.paid_ns),
        .queued_ns = add_to_core(&core->queued_ns, mine.queued_ns),
        .ranked_ns = add_to_core(&core->ranked_ns, mine.ranked_ns),
    };
    account->core_share.last = last;
    if (is_new || before.core != last.core)
        return;
    double old = 1 - (double)passed_ns / MEMORY_NS;
    sum_up(&turns->mine, old, mine);
    sum_up(&turns->others, old, times_since(mine, times_since(before.all, last.all)));
}

double core_share_surplus_ns(const struct core_turns *turns)
{
    const struct core_sums *mine = &turns->mine, *others = &turns->others;
    double mine_ns = mine->had_ns + mine->queued_ns, others_ns = others->had_ns + others->queued_ns;
    if (mine_ns < LEAST_NS || mine->had_ns <= 0 || mine->queued_ns <= 0 || others->had_ns <= 0)
        return 0;
    double here = 1 - mine->paid_ns / mine->had_ns, there = 1 - others->paid_ns / others->had_ns;
    if (here <= there || there <= 0)
        return 0;
    double neighbours = others_ns > mine_ns ? others_ns / mine_ns : 1;
    double had_ns = (others->queued_ns - (neighbours - 1) * mine->queued_ns) / neighbours;
    if (had_ns > mine->had_ns)
        had_ns = mine->had_ns;
    double rank = mine->ranked_ns / mine_ns, others_rank = others->ranked_ns / others_ns;
    double wanted_ns = had_ns + mine->queued_ns;
    return had_ns - wanted_ns * rank * there / (neighbours * others_rank * here + rank * there);
}

static uint64_t give_away(double ns)
{
    uint64_t began_ns = clock_wall_ns(), last_ns, now_ns = began_ns;
    do {
        last_ns = now_ns;
        kernel_call(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
        now_ns = clock_wall_ns();
    } while (now_ns - last_ns >= WANTED_NS && (double)(now_ns - began_ns) < ns);
    return now_ns - began_ns;
}

static uint64_t share_out(struct account *account, struct core_turns *turns, uint32_t rank,
                          struct instant now)
{
    look(account, turns, rank, now);
    double surplus_ns = core_share_surplus_ns(turns);
    return surplus_ns >= WORTH_NS ? give_away(surplus_ns) : 0;
}

uint64_t core_share_even(struct account *account, struct instant now)
{
    segment_target target = runtime_target();
    if (segment_target_permille(target) <= 0 || segment_target_is_wait(target) || now.cpu_ns < LIVED_NS ||
        clock_passed_ns(account->core_share.last.at_ns, now.wall_ns) < LOOK_EVERY_NS ||
        !runtime_is_steered(now.wall_ns))
        return 0;
    int saved = errno;
    uint64_t given_ns = 0;
    uint32_t rank = rank_of(&account->core_share, now.wall_ns);
    if (rank)
        given_ns = share_out(account, turns_of(&account->core_share, target), rank, now);
    errno = saved;
    return given_ns;
}
