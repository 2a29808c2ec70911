#include "regions/marks/marks.h"

#include "regions/marks/overlap.h"
#include "runtime/clock/ticks.h"

/* What is owed is paused for when it comes to that many ticks: a look at the clock takes a tenth of it. */
enum { LEAST_PAUSE = 400 };

static uint64_t apart_ticks; /* THINNING_APART_NS in ticks */

void marks_prepare(double tick_ns)
{
    apart_ticks = (uint64_t)(THINNING_APART_NS / tick_ns);
}

void *_coz_region(const char *name)
{
    return region_named(name);
}

/* Returns when it ended. */
static uint64_t pause_for(struct region_thread *thread, uint64_t now, double ticks)
{
    uint64_t passed = ticks_spin(now, (uint64_t)ticks);
    thread->paused += passed;
    return now + passed;
}

/* SPIN: the thread's time since the last mark is over. Returns when it goes on. */
static uint64_t spin(struct region_thread *thread, uint64_t now)
{
    const struct experiment *experiment = &thread->experiment;
    if (thread->top > thread->frames)
        thread->owed += thread->share * (double)(now - thread->last) *
                        (thread->target_depth ? experiment->in_target : experiment->elsewhere);
    if (thread->owed >= LEAST_PAUSE) {
        uint64_t end = pause_for(thread, now, thread->owed);
        thread->owed -= (double)(end - now);
        now = end;
    }
    thread->last = now;
    return now;
}

/* OVERLAP: pays what the thread owes, and what becomes due meanwhile. */
static uint64_t pay(struct region_thread *thread, uint64_t now)
{
    for (;;) {
        uint64_t overlap = overlap_of(thread, now) - thread->overlap_before;
        double debt = thread->experiment.share * (double)overlap - (double)thread->paid;
        if (debt < LEAST_PAUSE)
            return now;
        uint64_t end = pause_for(thread, now, debt);
        thread->paid += end - now;
        now = end;
    }
}

static void go(struct region_thread *thread, enum whereabouts where, uint64_t now)
{
    if (thread->where != NOWHERE) {
        uint64_t head = thread->head;
        if (__builtin_expect(head - __atomic_load_n(&thread->tail, __ATOMIC_ACQUIRE) >= LOG_SIZE, 0))
            overlap_make_room(thread);
        thread->log[head % LOG_SIZE] = (struct logged){{thread->since, now}, thread->where};
        __atomic_store_n(&thread->head, head + 1, __ATOMIC_RELEASE);
    }
    thread->where = where;
    thread->since = now;
    __atomic_store_n(&thread->open, where == NOWHERE ? 0 : 2 * now + (where == IN_TARGET), __ATOMIC_RELEASE);
}

static enum whereabouts whereabouts_of(const struct region_thread *thread)
{
    return thread->target_depth ? IN_TARGET : thread->top > thread->frames ? ELSEWHERE : NOWHERE;
}

static void leave_top(struct region_thread *thread)
{
    struct frame *top = thread->top;
    struct tally *tally = top->tally;
    enum experiment_kind kind = thread->experiment.kind;
    uint64_t now = thread->share ? ticks_read() : top->began;
    tally->inside--;
    if (tally->inside == 0 && thread->share)
        __atomic_store_n(&tally->ticks,
                         tally->ticks + thread->share * ((now - top->began) - (thread->paused - top->paused)),
                         __ATOMIC_RELAXED);
    if (kind == EXPERIMENT_SPIN && thread->share)
        spin(thread, now);
    else if (kind == EXPERIMENT_OVERLAP && thread->where == ELSEWHERE)
        now = pay(thread, now);
    thread->target_depth -= top->region == thread->experiment.target;
    thread->top--;
    if (kind == EXPERIMENT_OVERLAP && thread->where != whereabouts_of(thread))
        go(thread, whereabouts_of(thread), now);
}

void marks_close(struct region_thread *thread, size_t depth)
{
    while (thread_depth(thread) > depth) {
        __atomic_fetch_add(&thread->top->region->left_open, thread->top->depth, __ATOMIC_RELAXED);
        leave_top(thread);
    }
}

static void end_thread(void *mine)
{
    marks_close(mine, 0);
    thread_release(mine);
}

/* In the child of a fork marks do nothing. */
static void begin_child(void)
{
    static const struct experiment idle = {EXPERIMENT_IDLE, NULL, 0, 0, 0};
    overlap_forked();
    experiment_set(&idle);
}

/* The regions that the thread is in begin anew, as far as this experiment is concerned. */
static void begin_again(struct region_thread *thread, uint64_t now)
{
    thread->target_depth = 0;
    thread->share = thread->experiment.kind != EXPERIMENT_IDLE;
    for (struct frame *frame = thread->frames + 1; frame <= thread->top; frame++) {
        frame->began = now;
        frame->paused = thread->paused;
        thread->target_depth += frame->region == thread->experiment.target;
    }
    thread->last = now;
    thread->owed = 0;
    thread->paid = 0;
    thread->overlap_before = __atomic_load_n(&thread->overlap, __ATOMIC_RELAXED);
    thread->where = NOWHERE;
    __atomic_store_n(&thread->open, 0, __ATOMIC_RELEASE);
    __atomic_store_n(&thread->open_number, thread->number, __ATOMIC_RELEASE);
    if (thread->experiment.kind == EXPERIMENT_OVERLAP)
        go(thread, whereabouts_of(thread), now);
}

struct region_thread *marks_follow(void)
{
    static const struct thread_events events = {end_thread, begin_child};
    struct region_thread *thread = thread_mine ? thread_mine : thread_begin(&events);
    if (!thread)
        return NULL;
    thread->number = experiment_get(&thread->experiment);
    begin_again(thread, ticks_read());
    return thread;
}

/* Nearly always the thread is up to date. */
static inline struct region_thread *follow(void)
{
    struct region_thread *thread = thread_mine;
    if (__builtin_expect(!thread || thread->number != __atomic_load_n(&experiment_number, __ATOMIC_RELAXED),
                         0))
        return marks_follow();
    return thread;
}

/* For how many entries the one speaks that begins now, in no other region, at *now; 0: its clock is not read. Whether
 * the target is on can only be told of all of them. */
static uint32_t share_of_entry(struct region_thread *thread, struct tally *tally, uint64_t *now)
{
    enum experiment_kind kind = thread->experiment.kind;
    if (kind == EXPERIMENT_IDLE)
        return 0;
    if (kind != EXPERIMENT_OVERLAP && thinning_passes(&tally->thinning)) {
        thinning_pass(&tally->thinning);
        return 0;
    }
    *now = ticks_read();
    return kind == EXPERIMENT_OVERLAP ? 1
                                      : thinning_take(&tally->thinning, *now, apart_ticks, &thread->random);
}

void _coz_region_begin(void *which)
{
    struct region *region = which;
    struct region_thread *thread = follow();
    struct tally *tally = thread ? thread_tally(thread, region) : NULL;
    if (__builtin_expect(!tally, 0))
        return;
    enum experiment_kind kind = thread->experiment.kind;
    if (kind != EXPERIMENT_IDLE)
        __atomic_store_n(&tally->count, tally->count + 1, __ATOMIC_RELAXED);
    if (thread->top->region == region) {
        thread->top->depth++;
        return;
    }
    if (__builtin_expect(thread->top == thread->limit, 0) && !thread_deepen(thread))
        return;
    uint64_t now = 0;
    if (thread->top == thread->frames)
        thread->share = share_of_entry(thread, tally, &now);
    else if (thread->share)
        now = ticks_read();
    bool is_target = region == thread->experiment.target;
    if (kind == EXPERIMENT_SPIN && thread->share)
        now = spin(thread, now);
    else if (kind == EXPERIMENT_OVERLAP && is_target && thread->where == ELSEWHERE)
        now = pay(thread, now);
    struct frame *top = ++thread->top;
    *top = (struct frame){region, tally, now, thread->paused, 1};
    tally->inside++;
    thread->target_depth += is_target;
    if (kind == EXPERIMENT_OVERLAP && thread->where != whereabouts_of(thread))
        go(thread, whereabouts_of(thread), now);
}

/* The region on top is another one. Regions within `region` were left without a word; or else it was never begun. */
static bool close_inner(struct region_thread *thread, struct region *region)
{
    struct frame *frame = thread->top;
    while (frame > thread->frames && frame->region != region)
        frame--;
    if (frame > thread->frames) {
        marks_close(thread, (size_t)(frame - thread->frames));
        return true;
    }
    if (thread->experiment.kind != EXPERIMENT_IDLE)
        __atomic_fetch_add(&region->never_begun, 1, __ATOMIC_RELAXED);
    return false;
}

void _coz_region_end(void *which)
{
    struct region *region = which;
    struct region_thread *thread = follow();
    if (__builtin_expect(!thread, 0))
        return;
    if (__builtin_expect(thread->top->region != region, 0) && !close_inner(thread, region))
        return;
    if (--thread->top->depth == 0)
        leave_top(thread);
}
