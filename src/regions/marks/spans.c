#include "regions/marks/spans.h"

#include <stdlib.h>

static struct span *lists[2]; /* room for all spans that can be in all logs */
static size_t room;           /* in threads */

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

void spans_look(struct region_thread *thread, uint32_t watch, uint64_t since)
{
    bool takes_part = __atomic_load_n(&thread->open_watch, __ATOMIC_ACQUIRE) == watch;
    uint64_t head, again = __atomic_load_n(&thread->head, __ATOMIC_ACQUIRE);
    do {
        head = again;
        uint64_t open = __atomic_load_n(&thread->open, __ATOMIC_ACQUIRE);
        thread->seen_open = open / 2;
        thread->seen_where = open % 2 ? IN_TARGET : ELSEWHERE;
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        again = __atomic_load_n(&thread->head, __ATOMIC_RELAXED);
    } while (again != head);
    if (!takes_part) {
        thread->seen_open = thread->began_where == NOWHERE ? 0 : since;
        thread->seen_where = thread->began_where;
    }
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

uint64_t spans_shared(const struct span *on, size_t count, const struct region_thread *thread,
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

void spans_drop(struct region_thread *thread, uint64_t until)
{
    uint64_t tail = thread->tail;
    while (tail < thread->seen_head && thread->log[tail % LOG_SIZE].span.end <= until)
        tail++;
    __atomic_store_n(&thread->tail, tail, __ATOMIC_RELEASE);
}

size_t spans_find_on(struct region_thread *first, const struct span *whole, const struct span **spans)
{
    size_t count = 0, threads = 0;
    for (struct region_thread *thread = first; thread; thread = thread->next)
        threads++;
    if (!have_room(threads))
        return 0;
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
