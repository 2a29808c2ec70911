#include "runtime/ledger/regions.h"

#include "shared/region_slots.h"

double regions_tick_ns = 1;
uint64_t regions_long_ticks = PREEMPTED_NS;
static uint64_t apart_ticks = THINNING_APART_NS;

void regions_prepare(void)
{
    regions_tick_ns = ticks_prepare();
    regions_long_ticks = (uint64_t)(PREEMPTED_NS / regions_tick_ns);
    apart_ticks = (uint64_t)(THINNING_APART_NS / regions_tick_ns);
}

static uint64_t work_at(const struct regions *regions, uint64_t now)
{
    return (regions->stopped ? regions->stopped : now) - regions->off;
}

/* What lies between two moments of work. The clock may have been put back by a little in between. */
static uint64_t work_since(uint64_t since, uint64_t now)
{
    return (int64_t)(now - since) > 0 ? now - since : 0;
}

/* ---- what the segment is told */

static void tell(struct region_tally *tally, int32_t permille)
{
    struct segment_region *region = tally->region;
    uint64_t ns = (uint64_t)((double)tally->ticks * regions_tick_ns), count = tally->count - tally->told;
    uint32_t number = atomic_load_explicit(&region->target, memory_order_relaxed);
    tally->ticks = 0;
    tally->told += count;
    if (!ns && !count)
        return;
    atomic_fetch_add_explicit(&region->count, count, memory_order_relaxed);
    atomic_fetch_add_explicit(&region->ns, ns, memory_order_relaxed);
    if (permille == 0)
        atomic_fetch_add_explicit(&region->baseline_ns, ns, memory_order_relaxed);
    if (!number || number >= SEGMENT_SITES)
        return;
    struct segment_site *site = &runtime_segment->sites[number];
    atomic_fetch_add_explicit(&site->count, count, memory_order_relaxed);
    atomic_fetch_add_explicit(&site->cpu_ns, ns, memory_order_relaxed);
    if (permille == 0)
        atomic_fetch_add_explicit(&site->baseline_ns, ns, memory_order_relaxed);
}

/* Regions that meet in one place send each other away. */
static inline struct region_tally *tally_of(struct regions *regions, struct segment_region *region)
{
    struct region_tally *tally = regions_tally_slot(regions, region);
    if (unlikely(tally->region != region)) {
        if (tally->region)
            tell(tally, segment_target_permille(regions->word));
        tally->region = region;
        thinning_end(&tally->thinning);
    }
    return tally;
}

/* The time of the frame since it was last told. */
static void count_time(struct regions *regions, struct region_frame *frame, uint64_t work)
{
    if (!frame->is_inner)
        tally_of(regions, frame->region)->ticks += frame->share * work_since(frame->began, work);
    frame->began = work;
}

void regions_tell(struct regions *regions)
{
    uint64_t work = regions->depth ? work_at(regions, ticks_read()) : 0;
    for (uint32_t i = 0; i < regions->depth; i++)
        count_time(regions, &regions->frames[i], work);
    for (size_t i = 0; i < REGION_TALLIES; i++)
        if (regions->tallies[i].region)
            tell(&regions->tallies[i], segment_target_permille(regions->word));
}

/* ---- the target */

static void enter_target(struct regions *regions, uint32_t share, uint64_t work)
{
    if (regions->target_depth++)
        return;
    regions->target_share = share;
    regions->since = regions->entered = work;
}

static void leave_target(struct regions *regions, uint64_t work)
{
    if (--regions->target_depth)
        return;
    regions->pending += regions->target_share * work_since(regions->since, work);
    regions->is_long = work_since(regions->entered, work) >= regions_long_ticks;
}

void regions_follow(struct regions *regions)
{
    segment_target word = runtime_target();
    if (regions->word == word)
        return;
    regions_tell(regions); /* of the time before */
    for (size_t i = 0; i < REGION_TALLIES; i++)
        thinning_end(&regions->tallies[i].thinning);
    uint32_t number = segment_target_is_region(word) ? segment_target_number(word) : 0;
    struct segment_region *target = region_slot_of_target(runtime_segment, number);
    regions->word = word;
    regions->is_long &= target == regions->target;
    regions->target = target;
    regions->target_depth = 0;
    regions->pending = 0;
    regions->has_ramp = false;
    for (uint32_t i = 0; i < regions->depth; i++)
        if (regions->frames[i].region == target)
            enter_target(regions, regions->frames[i].share, work_at(regions, ticks_read()));
}

uint64_t regions_take(struct regions *regions)
{
    uint64_t ticks = regions->pending;
    if (regions->word != runtime_target())
        return 0;
    if (regions->target_depth) {
        uint64_t work = work_at(regions, ticks_read());
        ticks += regions->target_share * work_since(regions->since, work);
        regions->since = work;
    }
    regions->pending = 0;
    return (uint64_t)((double)ticks * regions_tick_ns);
}

bool regions_climb(struct regions *regions)
{
    if (regions->target_depth && work_since(regions->entered, regions->since) >= regions_long_ticks)
        regions->is_long = true;
    return regions->has_ramp = regions->target_depth && regions->is_long;
}

/* ---- marks */

static void note(_Atomic uint64_t *count, uint64_t times)
{
    atomic_fetch_add_explicit(count, times, memory_order_relaxed);
}

static void leave_top(struct regions *regions, uint64_t now)
{
    struct region_frame *top = &regions->frames[regions->depth - 1];
    uint64_t work = work_at(regions, now);
    if (unlikely(work_since(top->began, work) >= regions_long_ticks))
        thinning_end(&tally_of(regions, top->region)->thinning);
    count_time(regions, top, work);
    if (top->region == regions->target)
        leave_target(regions, work);
    regions->depth--;
}

static void close_down_to(struct regions *regions, uint32_t depth, uint64_t now)
{
    while (regions->depth > depth) {
        const struct region_frame *top = &regions->frames[regions->depth - 1];
        note(&top->region->left_open, top->depth);
        leave_top(regions, now);
    }
}

/* It was left without a word. */
static void forget_passed(struct regions *regions)
{
    if (regions->passed.region)
        note(&regions->passed.region->left_open, regions->passed.depth);
    regions->passed.region = NULL;
}

void regions_close(struct regions *regions)
{
    close_down_to(regions, 0, ticks_read());
    forget_passed(regions);
    regions->too_deep = 0;
    regions->is_over = true;
    regions_tell(regions);
}

/* The region that is begun is the innermost one already. The mark that began it, in the same call of the same function,
 * is passed again: it was left in between, by a jump or a return. */
static bool was_left(const struct region_frame *top, uintptr_t at, uintptr_t stack)
{
    return top->at == at && top->stack == stack;
}

/* The same of one that was passed by: the call that passed the mark then has returned, or is at it again. */
static bool passed_was_left(const struct region_passed *passed, uintptr_t at, uintptr_t stack)
{
    return stack > passed->stack || (stack == passed->stack && at == passed->at);
}

bool regions_pass_again(struct regions *regions, struct segment_region *region, uintptr_t at, uintptr_t stack)
{
    if (passed_was_left(&regions->passed, at, stack)) {
        forget_passed(regions);
        return regions_pass(regions, region, at, stack);
    }
    struct region_tally *tally = regions_tally_slot(regions, region);
    if (likely(tally->region == region))
        tally->count++;
    else /* sent away by one within it */
        note(&region->count, 1);
    regions->passed.depth++;
    return true;
}

void regions_close_inner(struct regions *regions)
{
    close_down_to(regions, 0, ticks_read());
}

static bool is_within(const struct regions *regions, const struct segment_region *region)
{
    for (uint32_t i = 0; i < regions->depth; i++)
        if (regions->frames[i].region == region)
            return true;
    return false;
}

uint32_t regions_begin(struct regions *regions, struct segment_region *region, uint64_t now, uintptr_t at,
                       uintptr_t stack)
{
    struct region_frame *top = regions->depth ? &regions->frames[regions->depth - 1] : NULL;
    regions->looked = now;
    if (unlikely(!regions->is_used))
        regions->random = now;
    regions->is_used = true;
    struct region_tally *tally = tally_of(regions, region);
    tally->count++;
    if (unlikely(regions->too_deep)) {
        regions->too_deep++;
        return 1;
    }
    if (top && top->region == region && !was_left(top, at, stack)) {
        top->depth++;
        return 1;
    }
    if (unlikely(top && top->region == region))
        close_down_to(regions, regions->depth - 1, now);
    if (unlikely(regions->depth == REGION_FRAMES)) {
        regions->too_deep = 1;
        if (!is_within(regions, region))
            atomic_fetch_add_explicit(&runtime_segment->refusals.regions, 1, memory_order_relaxed);
        return 1;
    }
    uint64_t work = work_at(regions, now);
    bool is_outermost = !regions->depth && !regions->passed.region, is_inner = is_within(regions, region);
    uint32_t share = is_outermost ? thinning_take(&tally->thinning, now, apart_ticks, &regions->random) : 1;
    regions->frames[regions->depth++] = (struct region_frame){region, work, at, stack, 1, share, is_inner};
    if (region == regions->target)
        enter_target(regions, share, work);
    return share;
}

/* The innermost region is another one. */
static void end_outer(struct regions *regions, struct segment_region *region, uint64_t now)
{
    uint32_t depth = regions->depth;
    while (depth && regions->frames[depth - 1].region != region)
        depth--;
    if (depth)
        close_down_to(regions, depth, now);
    else if (!regions->is_over)
        note(&region->never_begun, 1);
}

void regions_end(struct regions *regions, struct segment_region *region, uint64_t now)
{
    regions->looked = now;
    if (unlikely(regions->too_deep)) {
        regions->too_deep--;
        return;
    }
    if (unlikely(!regions->depth || regions->frames[regions->depth - 1].region != region))
        end_outer(regions, region, now);
    struct region_frame *top = regions->depth ? &regions->frames[regions->depth - 1] : NULL;
    if (top && top->region == region && --top->depth == 0)
        leave_top(regions, now);
}

/* ---- what is no work */

/* The moment in ticks; it may lie before now. */
static uint64_t ticks_of(struct instant moment)
{
    uint64_t now = ticks_read();
    return now - (uint64_t)((double)clock_passed_ns(moment.wall_ns, clock_wall_ns()) / regions_tick_ns);
}

/* What lies in the future now has begun now. */
static void put_back(struct regions *regions, uint64_t work)
{
    for (uint32_t i = 0; i < regions->depth; i++)
        if ((int64_t)(regions->frames[i].began - work) > 0)
            regions->frames[i].began = work;
    if ((int64_t)(regions->since - work) > 0)
        regions->since = work;
    if ((int64_t)(regions->entered - work) > 0)
        regions->entered = work;
}

bool regions_stop(struct regions *regions, struct instant now)
{
    enum { NOT_SURE_NS = 10000 };
    if (regions->stopped)
        return false;
    uint64_t ticks = ticks_of(now);
    uint64_t worked = ticks - regions->anchor_ticks - (regions->off - regions->anchor_off);
    double ran = (double)clock_passed_ns(regions->anchor.cpu_ns, now.cpu_ns) / regions_tick_ns;
    if (regions->anchor_ticks && (double)worked > ran + NOT_SURE_NS / regions_tick_ns) {
        regions->off += worked - (uint64_t)ran;
        put_back(regions, ticks - regions->off);
    }
    regions->stopped = ticks;
    regions->looked = 0;
    return true;
}

void regions_stop_to_wait(struct regions *regions)
{
    if (regions->stopped)
        return;
    regions->stopped = ticks_read();
    regions->looked = 0;
}

void regions_go_on(struct regions *regions, const struct instant *now)
{
    uint64_t ticks = now ? ticks_of(*now) : ticks_read();
    if (!regions->stopped)
        return;
    regions->off += work_since(regions->stopped, ticks);
    regions->stopped = 0;
    regions->looked = ticks;
    if (!now)
        return;
    regions->anchor = *now;
    regions->anchor_ticks = ticks;
    regions->anchor_off = regions->off;
}

void regions_forked(struct regions *regions, const struct regions *parent, struct instant now)
{
    *regions = *parent;
    for (size_t i = 0; i < REGION_TALLIES; i++)
        regions->tallies[i] = (struct region_tally){0};
    regions->stopped = regions->stopped ? regions->stopped : ticks_read();
    regions->pending = 0;
    regions->has_ramp = false;
    regions_go_on(regions, &now);
    uint64_t work = work_at(regions, ticks_read());
    for (uint32_t i = 0; i < regions->depth; i++)
        regions->frames[i].began = work;
    regions->since = regions->entered = work;
    regions->looked = 0;
}
