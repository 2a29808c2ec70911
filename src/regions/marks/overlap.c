#include "regions/marks/overlap.h"

#include "regions/marks/spans.h"
#include "regions/marks/watchman.h"
#include "runtime/clock/ticks.h"

#include <math.h>
#include <sched.h>

enum {
    PATIENCE = 2000,          /* looks at the lock, before its owner is let onto the core */
    LONG_CALL_NS = 100000000, /* of which what the last watches find, and nobody pays any more, is little */
    SELDOM_WATCHES = 10,      /* so many in a row with hardly a mark: one long watch costs little again */
};

uint32_t overlap_watch;
uint64_t overlap_since, overlap_until;

/* Of the sum. Held for microseconds. */
static bool busy;
static double tick_ns;
static double lag; /* OVERLAP_LAG_NS in ticks */
static uint64_t delay_ticks;

/* Written under the lock. */
static bool by_watches;       /* atomic: watches are short */
static uint64_t counts_from;  /* in a short watch */
static uint64_t summed_until; /* atomic */
static uint64_t judged_at;
static uint64_t call_began, last_call; /* when, and how long the last one took */
static unsigned seldom;                /* short watches in a row with hardly a mark */
static uint64_t total;
static uint64_t followed_at; /* the sum of what has become due, until then */
static double followed;

static void lock(void)
{
    for (unsigned looks = 1; __atomic_exchange_n(&busy, true, __ATOMIC_ACQUIRE); looks++) {
        spin_pause();
        if (looks % PATIENCE == 0)
            sched_yield();
    }
}

static void unlock(void)
{
    __atomic_store_n(&busy, false, __ATOMIC_RELEASE);
}

static uint64_t ticks_of(uint64_t ns)
{
    return (uint64_t)((double)ns / tick_ns);
}

/* The sum follows what was found, as threads' payments do. Under the lock. */
static void follow(uint64_t now)
{
    double rest = by_watches ? exp(-(double)(now - followed_at) / lag) : 0;
    followed = (double)total - ((double)total - followed) * rest;
    followed_at = now;
}

/* Adds up what was found in `whole`, which speaks for `weight` times as much. Under the lock. Without memory the target
 * was not on. */
static void sum_span(const struct span *whole, double weight)
{
    const struct span *on;
    struct region_thread *first = thread_first();
    for (struct region_thread *thread = first; thread; thread = thread->next)
        spans_look(thread, overlap_watch, overlap_since);
    if (whole->end <= whole->begin)
        return;
    size_t count = spans_find_on(first, whole, &on);
    for (struct region_thread *thread = first; thread; thread = thread->next) {
        if (count > 0)
            __atomic_store_n(&thread->overlap,
                             thread->overlap +
                                 (uint64_t)(weight * (double)spans_shared(on, count, thread, whole)),
                             __ATOMIC_RELAXED);
        spans_drop(thread, whole->end);
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += on[i].end - on[i].begin;
    follow(ticks_read());
    total += (uint64_t)(weight * (double)sum);
    __atomic_store_n(&summed_until, whole->end, __ATOMIC_RELEASE);
}

/* All until now, in a watch that goes on. */
static void sum_up(void)
{
    sum_span(&(struct span){summed_until, ticks_read()}, 1);
}

/* A short watch, which is over. */
static void sum_watch(void)
{
    struct span whole = {counts_from, overlap_until};
    double weight = 1;
    if (whole.end > whole.begin)
        weight = (double)(whole.end - summed_until) / (double)(whole.end - whole.begin);
    sum_span(&whole, weight);
}

/* ---- watches */

static void note_where(struct region_thread *thread)
{
    uint64_t stays = __atomic_load_n(&thread->stays, __ATOMIC_RELAXED);
    bool is_known = stays / 4 == __atomic_load_n(&experiment_number, __ATOMIC_RELAXED);
    thread->began_where = is_known ? (enum whereabouts)(stays % 4) : NOWHERE;
}

/* Under the lock. One of no length at all when `from` is `until`. */
static void watch(uint64_t now, uint64_t from, uint64_t until)
{
    counts_from = from;
    __atomic_store_n(&overlap_since, now, __ATOMIC_RELAXED);
    __atomic_store_n(&overlap_until, until, __ATOMIC_RELAXED);
    __atomic_store_n(&overlap_watch, overlap_watch + 1, __ATOMIC_RELEASE);
    for (struct region_thread *thread = thread_first(); thread; thread = thread->next)
        note_where(thread);
}

static void watch_shortly(uint64_t now)
{
    uint64_t from = now + ticks_of(OVERLAP_AHEAD_NS);
    watch(now, from, from + ticks_of(OVERLAP_WATCH_NS));
}

static void watch_on(uint64_t now)
{
    __atomic_store_n(&summed_until, now, __ATOMIC_RELAXED);
    watch(now, now, UINT64_MAX);
}

/* How many spans the busiest thread has logged since the last time, in OVERLAP_WATCH_NS. */
static double spans_lately(uint64_t passed)
{
    uint64_t most = 0;
    for (struct region_thread *thread = thread_first(); thread; thread = thread->next) {
        if (thread->seen_head - thread->judged_head > most)
            most = thread->seen_head - thread->judged_head;
        thread->judged_head = thread->seen_head;
    }
    return (double)most * (double)ticks_of(OVERLAP_WATCH_NS) / (double)(passed ? passed : 1);
}

/* The watchman has come. Pairs as often as THINNING_LEAST in that time are too many to time each. */
static void come_by(void)
{
    lock();
    uint64_t now = ticks_read();
    if (by_watches) {
        sum_watch();
        seldom = spans_lately(overlap_until - overlap_since) < THINNING_LEAST / 2.0 ? seldom + 1 : 0;
    } else {
        sum_up();
        bool is_long = last_call >= ticks_of(LONG_CALL_NS) || now - call_began >= ticks_of(LONG_CALL_NS);
        seldom = spans_lately(now - judged_at) >= THINNING_LEAST && is_long ? 0 : SELDOM_WATCHES;
    }
    __atomic_store_n(&by_watches, seldom < SELDOM_WATCHES, __ATOMIC_RELAXED);
    judged_at = now;
    if (by_watches)
        watch_shortly(ticks_read());
    else if (overlap_until != UINT64_MAX)
        watch_on(ticks_read());
    unlock();
}

static const struct watchman watchman = {come_by, OVERLAP_LEAST_NS, OVERLAP_MOST_NS};

/* ---- calls */

static bool has_watchman(void)
{
    const struct region_thread *first = thread_first();
    return first && first->next && watchman_start(&watchman);
}

void overlap_begin(double tick_length_ns)
{
    tick_ns = tick_length_ns;
    lag = (double)ticks_of(OVERLAP_LAG_NS);
    delay_ticks = ticks_of(OVERLAP_DELAY_NS);
    bool may_be_short = has_watchman() && last_call >= ticks_of(LONG_CALL_NS);
    lock();
    for (struct region_thread *thread = thread_first(); thread; thread = thread->next) {
        __atomic_store_n(&thread->tail, __atomic_load_n(&thread->head, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
        thread->judged_head = thread->tail;
    }
    __atomic_store_n(&by_watches, by_watches && may_be_short, __ATOMIC_RELAXED);
    total = 0;
    followed = 0;
    judged_at = followed_at = call_began = ticks_read();
    watch_on(judged_at);
    if (by_watches)
        __atomic_store_n(&overlap_until, judged_at, __ATOMIC_RELAXED);
    unlock();
}

void overlap_attend(void)
{
    has_watchman();
}

uint64_t overlap_end(void)
{
    watchman_stop();
    lock();
    last_call = ticks_read() - call_began;
    if (!by_watches)
        sum_up();
    follow(ticks_read());
    unlock();
    return (uint64_t)followed;
}

double overlap_due(double debt, double passed)
{
    return passed < lag ? debt * (1 - exp(-passed / lag)) : debt;
}

double overlap_wait(double debt, double due)
{
    return debt > 2 * due ? lag * due / debt : lag;
}

uint64_t overlap_of(struct region_thread *thread, uint64_t now)
{
    uint64_t until = __atomic_load_n(&summed_until, __ATOMIC_RELAXED);
    if (now > until && now - until > delay_ticks && !__atomic_load_n(&by_watches, __ATOMIC_RELAXED)) {
        lock();
        if (!by_watches)
            sum_up();
        unlock();
    }
    return __atomic_load_n(&thread->overlap, __ATOMIC_RELAXED);
}

bool overlap_make_room(struct region_thread *thread)
{
    lock();
    if (!by_watches)
        sum_up();
    else if (overlap_until > thread->since)
        __atomic_store_n(&overlap_until, thread->since, __ATOMIC_RELAXED);
    bool is_full = thread->head - thread->tail >= LOG_SIZE;
    unlock();
    return !is_full;
}

void overlap_forked(void)
{
    watchman_forked();
    unlock();
}
