#include "stats/waits/waiting.h"

#include "base/array.h"
#include "stats/input/names.h"
#include "stats/waits/awaits.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct waiting {
    struct names keys; /* of waits: class, '\037', place */
    struct names places;
    struct waiting_wait *waits;
    size_t capacity;
    /* `waits` by time, and where each key's is in it: waits move when they are sorted. */
    size_t *order;
    size_t order_capacity;
    uint64_t lived_ns, cpu_ns, queued_ns;
    struct awaits awaits;
};

struct waiting *waiting_new(void)
{
    return calloc(1, sizeof(struct waiting));
}

void waiting_free(struct waiting *waiting)
{
    if (!waiting)
        return;
    for (size_t i = 0; i < waiting->keys.count; i++)
        free(waiting->waits[i].wakes);
    free(waiting->waits);
    free(waiting->order);
    names_release(&waiting->keys);
    names_release(&waiting->places);
    awaits_release(&waiting->awaits);
    free(waiting);
}

/* The index of the wait, made when it is new; -ENOMEM otherwise. Its place in `waits` is where `order` says. */
static long find_wait(struct waiting *waiting, const char *class, const char *place)
{
    char *key;
    size_t count = waiting->keys.count;
    struct waiting_wait *waits =
        array_zeroed(waiting->waits, &waiting->capacity, count + 1, sizeof *waiting->waits);
    if (!waits)
        return -ENOMEM;
    waiting->waits = waits;
    size_t *order = array_zeroed(waiting->order, &waiting->order_capacity, count + 1, sizeof *waiting->order);
    if (!order || asprintf(&key, "%s\037%s", class, place ? place : "") < 0)
        return -ENOMEM;
    waiting->order = order;
    long id = names_add(&waiting->keys, key);
    free(key);
    if (id < 0)
        return -ENOMEM;
    if ((size_t)id == count)
        waiting->order[id] = count;
    struct waiting_wait *wait = &waiting->waits[waiting->order[id]];
    if (!wait->class) {
        long name = names_add(&waiting->places, class);
        if (name < 0)
            return -ENOMEM;
        wait->class = waiting->places.text[name];
        wait->place = waiting->keys.text[id] + strlen(class) + 1;
    }
    return id;
}

static int add_wait(struct waiting *waiting, const struct profile_record *record)
{
    long id = find_wait(waiting, record->wait.class, record->wait.place);
    if (id < 0)
        return -ENOMEM;
    struct waiting_wait *wait = &waiting->waits[waiting->order[id]];
    wait->count += record->wait.count;
    wait->time_ns += record->wait.time_ns;
    return 0;
}

/* That one, made when it is new; NULL when memory is out. */
static struct waiting_wake *find_wake(struct waiting_wait *wait, const char *by, long after)
{
    for (size_t i = 0; i < wait->wake_count; i++)
        if (wait->wakes[i].by == by && wait->wakes[i].after == after)
            return &wait->wakes[i];
    struct waiting_wake *wakes =
        array_zeroed(wait->wakes, &wait->wake_capacity, wait->wake_count + 1, sizeof *wait->wakes);
    if (!wakes)
        return NULL;
    wait->wakes = wakes;
    wakes[wait->wake_count] = (struct waiting_wake){.by = by, .after = after};
    return &wakes[wait->wake_count++];
}

static int add_wake(struct waiting *waiting, const struct profile_record *record)
{
    long after = -1, by = names_add(&waiting->places, record->wake.by);
    if (record->wake.after_class)
        after = find_wait(waiting, record->wake.after_class, record->wake.after_place);
    long id = find_wait(waiting, record->wake.class, record->wake.place);
    if (id < 0 || by < 0 || after == -ENOMEM)
        return -ENOMEM;
    struct waiting_wake *wake =
        find_wake(&waiting->waits[waiting->order[id]], waiting->places.text[by], after);
    if (!wake)
        return -ENOMEM;
    wake->count += record->wake.count;
    wake->time_ns += record->wake.time_ns;
    return 0;
}

static int add_await(struct waiting *waiting, const struct profile_record *record)
{
    long id = find_wait(waiting, record->await.class, record->await.place);
    return id < 0 ? -ENOMEM
                  : awaits_add(&waiting->awaits, record->await.kind, record->await.location, id,
                               record->await.time_ns);
}

int waiting_add(struct waiting *waiting, const struct profile_record *record)
{
    if (record->type == PROFILE_WAIT)
        return add_wait(waiting, record);
    if (record->type == PROFILE_WAKE)
        return add_wake(waiting, record);
    if (record->type == PROFILE_AWAIT)
        return add_await(waiting, record);
    if (record->type == PROFILE_SAMPLES)
        return awaits_add_samples(&waiting->awaits, record->samples.kind, record->samples.location,
                                  record->samples.cpu_ns);
    if (record->type == PROFILE_RUNTIME) {
        waiting->lived_ns += record->runtime.lived_ns;
        waiting->cpu_ns += record->runtime.cpu_ns;
        waiting->queued_ns += record->runtime.queued_ns;
    }
    return 0;
}

static int compare_times(uint64_t x, uint64_t y)
{
    return x < y ? 1 : x > y ? -1 : 0;
}

static int compare_wakes(const void *a, const void *b)
{
    const struct waiting_wake *x = a, *y = b;
    int order = compare_times(x->time_ns, y->time_ns);
    return order ? order : strcmp(x->by, y->by);
}

static int compare_waits(const void *a, const void *b)
{
    const struct waiting_wait *x = a, *y = b;
    int order = compare_times(x->time_ns, y->time_ns);
    return order ? order : strcmp(x->place, y->place);
}

/* A wait's text lies in its key, so that finding the key finds where it has gone. */
static void sort_waits(struct waiting *waiting)
{
    size_t count = waiting->keys.count;
    qsort(waiting->waits, count, sizeof *waiting->waits, compare_waits);
    for (size_t i = 0; i < count; i++) {
        const struct waiting_wait *wait = &waiting->waits[i];
        const char *key = wait->place - strlen(wait->class) - 1;
        waiting->order[names_find(&waiting->keys, key)] = i;
        if (wait->wake_count)
            qsort(wait->wakes, wait->wake_count, sizeof *wait->wakes, compare_wakes);
    }
}

size_t waiting_waits(struct waiting *waiting, const struct waiting_wait **waits)
{
    if (waiting->keys.count > 0)
        sort_waits(waiting);
    *waits = waiting->waits;
    return waiting->keys.count;
}

uint64_t waiting_lived_ns(const struct waiting *waiting)
{
    return waiting->lived_ns;
}

uint64_t waiting_cpu_ns(const struct waiting *waiting)
{
    return waiting->cpu_ns;
}

uint64_t waiting_queued_ns(const struct waiting *waiting)
{
    return waiting->queued_ns;
}

const struct awaits *waiting_awaits(const struct waiting *waiting)
{
    return &waiting->awaits;
}

const struct waiting_wait *waiting_numbered(const struct waiting *waiting, long number)
{
    return &waiting->waits[waiting->order[number]];
}

const struct waiting_wait *waiting_after(const struct waiting *waiting, const struct waiting_wake *wake)
{
    return wake->after < 0 ? NULL : waiting_numbered(waiting, wake->after);
}

static bool is_in_chain(const size_t *chain, size_t length, size_t wait)
{
    for (size_t i = 0; i < length; i++)
        if (chain[i] == wait)
            return true;
    return false;
}

size_t waiting_chain(const struct waiting *waiting, size_t from, size_t *chain, size_t most)
{
    size_t length = 0;
    while (length < most && !is_in_chain(chain, length, from)) {
        const struct waiting_wait *wait = &waiting->waits[from];
        chain[length++] = from;
        if (wait->wake_count == 0 || wait->wakes[0].after < 0)
            break;
        from = waiting->order[wait->wakes[0].after];
    }
    return length;
}
