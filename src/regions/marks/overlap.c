#include "regions/marks/overlap.h"

#include "runtime/clock/ticks.h"

#include <sched.h>
#include <stdlib.h>

enum { PATIENCE = 2000 }; /* looks at the lock, before its owner is let onto the core */

/* Of the sum. Held for microseconds. */
static bool busy;
static uint64_t delay_ticks;

/* Written under the lock. */
static uint64_t summed_until; /* atomic */
static uint64_t total;        /* atomic */
static struct span *lists[2]; /* room for all spans that can be in all logs */
static size_t room;           /* in threads */

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

/* Under the lock. */
static bool have_room(size_t threads)
{
    size_t size = 2 * threads * (LOG_SIZE + 1) * sizeof **lists;
    for (int i = 0; i < 2 && threads > room; i++) {
        struct span *more = realloc(lists[i], size);
        if (!more)
            return false;
        lists[i] = more;
    }
    room = threads > room ? 2 * threads : room;
    return true;
}

/* What the thread has logged, and where it is, at one moment. */
static void look_at(struct region_thread *thread)
{
    uint64_t head, again = __atomic_load_n(&thread->head, __ATOMIC_ACQUIRE);
    do {
        head = again;
        uint64_t open = __atomic_load_n(&thread->open, __ATOMIC_ACQUIRE);
        thread->seen_open = open / 2;
        thread->seen_where = open % 2 ? IN_TARGET : ELSEWHERE;
        if (__atomic_load_n(&thread->open_number, __ATOMIC_RELAXED) !=
            __atomic_load_n(&experiment_number, __ATOMIC_RELAXED))
            thread->seen_open = 0;
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        again = __atomic_load_n(&thread->head, __ATOMIC_RELAXED);
    } while (again != head);
    /* Logged, but not yet taken for ended. */
    if (head > 0 && thread->log[(head - 1) % LOG_SIZE].span.begin == thread->seen_open)
        thread->seen_open = 0;
    thread->seen_head = head;
}

/* The next of the thread's spans there, cut to the part within `whole`. `at` begins at the tail. */
static bool next_span(const struct region_thread *thread, enum whereabouts where, const struct span *whole,
                      uint64_t *at, struct span *out)
{
    while (*at <= thread->seen_head) {
        struct logged logged;
        if (*at < thread->seen_head)
            logged = thread->log[*at % LOG_SIZE];
        else
            logged =
                (struct logged){{thread->seen_open, thread->seen_open ? whole->end : 0}, thread->seen_where};
        ++*at;
        out->begin = logged.span.begin > whole->begin ? logged.span.begin : whole->begin;
        out->end = logged.span.end < whole->end ? logged.span.end : whole->end;
        if (logged.where == where && out->begin < out->end)
            return true;
    }
    return false;
}

/* Appends to spans that are apart and in order. */
static size_t append_span(struct span *spans, size_t count, struct span span)
{
    if (count > 0 && span.begin <= spans[count - 1].end) {
        if (span.end > spans[count - 1].end)
            spans[count - 1].end = span.end;
        return count;
    }
    spans[count] = span;
    return count + 1;
}

/* `out` becomes when the target is on by `spans` or by this thread. */
static size_t unite(const struct span *spans, size_t count, const struct region_thread *thread,
                    const struct span *whole, struct span *out)
{
    uint64_t at = thread->tail;
    struct span own;
    size_t united = 0, i = 0;
    bool more = next_span(thread, IN_TARGET, whole, &at, &own);
    while (more || i < count) {
        if (more && (i == count || own.begin < spans[i].begin)) {
            united = append_span(out, united, own);
            more = next_span(thread, IN_TARGET, whole, &at, &own);
        } else {
            united = append_span(out, united, spans[i++]);
        }
    }
    return united;
}

static uint64_t shared_ticks(const struct span *on, size_t count, const struct region_thread *thread,
                             const struct span *whole)
{
    uint64_t at = thread->tail, shared = 0;
    struct span own;
    size_t i = 0;
    while (next_span(thread, ELSEWHERE, whole, &at, &own)) {
        while (i < count && on[i].end <= own.begin)
            i++;
        for (size_t k = i; k < count && on[k].begin < own.end; k++) {
            uint64_t begin = on[k].begin > own.begin ? on[k].begin : own.begin;
            uint64_t end = on[k].end < own.end ? on[k].end : own.end;
            shared += end - begin;
        }
    }
    return shared;
}

/* Spans that go on after `until` are needed again. */
static void drop_seen(struct region_thread *thread, uint64_t until)
{
    uint64_t tail = thread->tail;
    while (tail < thread->seen_head && thread->log[tail % LOG_SIZE].span.end <= until)
        tail++;
    __atomic_store_n(&thread->tail, tail, __ATOMIC_RELEASE);
}

/* When the target was on: the spans, apart and in order. */
static size_t find_on(struct region_thread *first, const struct span *whole, struct span **spans)
{
    size_t count = 0;
    struct span *on = lists[0], *other = lists[1];
    for (struct region_thread *thread = first; thread; thread = thread->next) {
        if (thread->seen_head == thread->tail && (thread->seen_open == 0 || thread->seen_where != IN_TARGET))
            continue;
        count = unite(on, count, thread, whole, other);
        struct span *swapped = on;
        on = other;
        other = swapped;
    }
    *spans = on;
    return count;
}

/* Under the lock. Without memory the target was not on. */
static void sum_up(void)
{
    struct span whole = {summed_until, ticks_read()}, *on;
    struct region_thread *first = thread_first();
    size_t threads = 0;
    for (struct region_thread *thread = first; thread; thread = thread->next, threads++)
        look_at(thread);
    if (whole.end <= whole.begin)
        return;
    size_t count = have_room(threads) ? find_on(first, &whole, &on) : 0;
    for (struct region_thread *thread = first; thread; thread = thread->next) {
        if (count > 0)
            __atomic_store_n(&thread->overlap, thread->overlap + shared_ticks(on, count, thread, &whole),
                             __ATOMIC_RELAXED);
        if (thread->seen_head != thread->tail)
            drop_seen(thread, whole.end);
    }
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += on[i].end - on[i].begin;
    __atomic_store_n(&total, total + sum, __ATOMIC_RELAXED);
    __atomic_store_n(&summed_until, whole.end, __ATOMIC_RELEASE);
}

void overlap_reset(double tick_ns)
{
    lock();
    delay_ticks = (uint64_t)(OVERLAP_DELAY_NS / tick_ns);
    for (struct region_thread *thread = thread_first(); thread; thread = thread->next)
        __atomic_store_n(&thread->tail, __atomic_load_n(&thread->head, __ATOMIC_ACQUIRE), __ATOMIC_RELEASE);
    __atomic_store_n(&total, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&summed_until, ticks_read(), __ATOMIC_RELEASE);
    unlock();
}

uint64_t overlap_total(void)
{
    lock();
    sum_up();
    unlock();
    return __atomic_load_n(&total, __ATOMIC_RELAXED);
}

uint64_t overlap_of(struct region_thread *thread, uint64_t now)
{
    uint64_t until = __atomic_load_n(&summed_until, __ATOMIC_RELAXED);
    if (now > until && now - until > delay_ticks) {
        lock();
        sum_up();
        unlock();
    }
    return __atomic_load_n(&thread->overlap, __ATOMIC_RELAXED);
}

void overlap_make_room(struct region_thread *thread)
{
    while (thread->head - __atomic_load_n(&thread->tail, __ATOMIC_ACQUIRE) >= LOG_SIZE) {
        lock();
        sum_up();
        unlock();
    }
}

void overlap_forked(void)
{
    unlock();
}
