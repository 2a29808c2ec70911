#include "regions/marks/marks.h"

#include "regions/marks/overlap.h"
#include "runtime/clock/ticks.h"

/* What is owed is paused for when it comes to that many ticks: a look at the clock takes a tenth of it. */
enum { LEAST_PAUSE = 400 };

/* OVERLAP, where watches are short: what is aimed at; and so many ends of regions in a row may pass without a look at
 * what is owed. */
enum { USUAL_PAUSE = 4000, MOST_ENDS = 63 };

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

/* ---- OVERLAP: paying */

static double debt_of(const struct region_thread *thread, uint64_t overlap)
{
    return thread->experiment.share * (double)(overlap - thread->overlap_before) - (double)thread->paid;
}

static uint64_t pay(struct region_thread *thread, uint64_t now, double ticks)
{
    uint64_t end = pause_for(thread, now, ticks);
    thread->paid += end - now;
    return end;
}

/* What the thread owes, and what becomes due meanwhile. */
static uint64_t pay_all(struct region_thread *thread, uint64_t now)
{
    for (;;) {
        double debt = debt_of(thread, overlap_of(thread, now));
        if (debt < LEAST_PAUSE)
            return now;
        now = pay(thread, now, debt);
    }
}

/* Where watches are short much becomes due at once, which is paid little by little (overlap.h). The clock is only read
 * when a pause is due that is worth it, as far as that can be foretold. Returns when the pause ended; 0: there was none. */
static uint64_t pay_some(struct region_thread *thread)
{
    if (thread->passing > 0) {
        thread->passing--;
        return 0;
    }
    uint64_t now = ticks_read(), end = 0;
    double passed = (double)(now - thread->paid_at), debt = debt_of(thread, overlap_of(thread, 0));
    double due = overlap_due(debt, passed);
    if (due >= LEAST_PAUSE)
        end = pay(thread, now, due);
    double apart = passed / ++thread->ends, wanted = overlap_wait(debt, USUAL_PAUSE) / (apart + 1);
    if (end || debt < LEAST_PAUSE) {
        thread->paid_at = end ? end : now;
        thread->ends = 0;
    }
    double more = wanted - thread->ends;
    thread->passing = more > MOST_ENDS ? MOST_ENDS : more > 1 ? (uint32_t)more - 1 : 0;
    thread->ends += thread->passing;
    return end;
}

/* Before the thread leaves what is not the target. `now` is 0 while it logs nothing. Returns when it goes on. */
static uint64_t pay_before(struct region_thread *thread, uint64_t now)
{
    if (now && overlap_goes_on())
        return pay_all(thread, now);
    uint64_t end = pay_some(thread);
    return now && end ? end : now;
}

/* ---- OVERLAP: where the thread is */

static inline enum whereabouts whereabouts_of(const struct region_thread *thread)
{
    return thread->target_depth ? IN_TARGET : thread->top > thread->frames ? ELSEWHERE : NOWHERE;
}

static void is_there(struct region_thread *thread, enum whereabouts where, uint64_t since)
{
    thread->where = where;
    thread->since = since;
    __atomic_store_n(&thread->open, where == NOWHERE ? 0 : 2 * since + (where == IN_TARGET),
                     __ATOMIC_RELEASE);
}

static void go(struct region_thread *thread, enum whereabouts where, uint64_t now)
{
    uint64_t head = thread->head;
    bool has_room = head - __atomic_load_n(&thread->tail, __ATOMIC_ACQUIRE) < LOG_SIZE;
    if (thread->where != NOWHERE && (__builtin_expect(has_room, 1) || overlap_make_room(thread))) {
        thread->log[head % LOG_SIZE] = (struct logged){{thread->since, now}, thread->where};
        __atomic_store_n(&thread->head, head + 1, __ATOMIC_RELEASE);
    }
    is_there(thread, where, now);
}

static void take_part(struct region_thread *thread, uint32_t watch, uint64_t since)
{
    is_there(thread, whereabouts_of(thread), since);
    thread->watch = watch;
    __atomic_store_n(&thread->open_watch, watch, __ATOMIC_RELEASE);
}

/* In a watch: the time, after which the thread logs where it is. 0: the watch is over. */
static __attribute__((noinline)) uint64_t time_in_watch(struct region_thread *thread, uint32_t watch)
{
    if (thread->watch != watch)
        take_part(thread, watch, __atomic_load_n(&overlap_since, __ATOMIC_RELAXED));
    uint64_t now = ticks_read();
    if (now <= __atomic_load_n(&overlap_until, __ATOMIC_RELAXED))
        return now;
    go(thread, NOWHERE, now);
    thread->left = watch;
    return 0;
}

/* 0: nobody watches. */
static inline uint64_t time_if_watched(struct region_thread *thread)
{
    uint32_t watch = __atomic_load_n(&overlap_watch, __ATOMIC_ACQUIRE);
    return thread->left == watch ? 0 : time_in_watch(thread, watch);
}

/* The mark has changed where the thread is, maybe. */
static inline void settle_where(struct region_thread *thread, uint64_t now)
{
    enum whereabouts where = whereabouts_of(thread);
    __atomic_store_n(&thread->stays, 4ull * thread->number + where, __ATOMIC_RELAXED);
    if (now && thread->where != where)
        go(thread, where, now);
}

/* ---- marks */

static void leave_top(struct region_thread *thread)
{
    struct frame *top = thread->top;
    struct tally *tally = top->tally;
    enum experiment_kind kind = thread->experiment.kind;
    uint64_t now = kind == EXPERIMENT_OVERLAP ? time_if_watched(thread)
                   : thread->share            ? ticks_read()
                                              : top->began;
    tally->inside--;
    if (tally->inside == 0 && thread->share && top->began && now)
        __atomic_store_n(&tally->ticks,
                         tally->ticks + thread->share * ((now - top->began) - (thread->paused - top->paused)),
                         __ATOMIC_RELAXED);
    if (kind == EXPERIMENT_SPIN && thread->share)
        spin(thread, now);
    else if (kind == EXPERIMENT_OVERLAP && !thread->target_depth)
        now = pay_before(thread, now);
    thread->target_depth -= top->region == thread->experiment.target;
    thread->top--;
    if (kind == EXPERIMENT_OVERLAP)
        settle_where(thread, now);
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
    thread->share = thread->experiment.kind == EXPERIMENT_COUNT || thread->experiment.kind == EXPERIMENT_SPIN;
    for (struct frame *frame = thread->frames + 1; frame <= thread->top; frame++) {
        frame->began = now;
        frame->paused = thread->paused;
        thread->target_depth += frame->region == thread->experiment.target;
    }
    thread->last = now;
    thread->owed = 0;
    thread->paid = 0;
    thread->paid_at = now;
    thread->passing = thread->ends = 0;
    thread->overlap_before = __atomic_load_n(&thread->overlap, __ATOMIC_RELAXED);
    if (thread->experiment.kind != EXPERIMENT_OVERLAP)
        return;
    overlap_attend();
    take_part(thread, __atomic_load_n(&overlap_watch, __ATOMIC_ACQUIRE), now);
    thread->left = thread->watch - 1;
    settle_where(thread, now);
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

/* An entry begins; 0: its clock is not read. One that is in no other region speaks for thread->share entries. */
static uint64_t time_of_entry(struct region_thread *thread, struct tally *tally)
{
    enum experiment_kind kind = thread->experiment.kind;
    bool is_within = thread->top > thread->frames;
    if (kind == EXPERIMENT_OVERLAP) {
        uint64_t now = time_if_watched(thread);
        thread->share = is_within ? thread->share : now != 0;
        return now;
    }
    if (kind == EXPERIMENT_IDLE || is_within)
        return thread->share ? ticks_read() : 0;
    if (thinning_passes(&tally->thinning)) {
        thinning_pass(&tally->thinning);
        thread->share = 0;
        return 0;
    }
    uint64_t now = ticks_read();
    thread->share = thinning_take(&tally->thinning, now, apart_ticks, &thread->random);
    return now;
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
    uint64_t now = time_of_entry(thread, tally);
    bool is_target = region == thread->experiment.target;
    if (kind == EXPERIMENT_SPIN && thread->share)
        now = spin(thread, now);
    else if (kind == EXPERIMENT_OVERLAP && is_target && whereabouts_of(thread) == ELSEWHERE)
        now = pay_before(thread, now);
    struct frame *top = ++thread->top;
    *top = (struct frame){region, tally, now, thread->paused, 1};
    tally->inside++;
    thread->target_depth += is_target;
    if (kind == EXPERIMENT_OVERLAP)
        settle_where(thread, now);
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
