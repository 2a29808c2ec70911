#include "stats/answers/stacks.h"

#include "base/array.h"
#include "stats/input/target_key.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void stacks_release(struct stacks *stacks)
{
    for (size_t i = 0; i < stacks->keys.count && i < stacks->capacity; i++) {
        for (size_t j = 0; j < stacks->locations[i].count; j++)
            free(stacks->locations[i].list[j].frames);
        free(stacks->locations[i].list);
    }
    free(stacks->locations);
    names_release(&stacks->keys);
}

static struct stacks_location *find_location(struct stacks *stacks, const char *kind, const char *location)
{
    long id = target_key_add(&stacks->keys, kind, location);
    struct stacks_location *locations =
        id < 0 ? NULL : array_zeroed(stacks->locations, &stacks->capacity, (size_t)id + 1, sizeof *locations);
    if (!locations)
        return NULL;
    stacks->locations = locations;
    return &locations[id];
}

/* The most frequent one stays first. */
static void raise(struct stacks_location *there, size_t at)
{
    for (; at > 0 && there->list[at - 1].count < there->list[at].count; at--) {
        struct analysis_stack other = there->list[at - 1];
        there->list[at - 1] = there->list[at];
        there->list[at] = other;
    }
}

int stacks_add(struct stacks *stacks, const char *kind, const char *location, const char *frames,
               uint64_t count)
{
    struct stacks_location *there = find_location(stacks, kind, location);
    size_t at = 0;
    if (!there)
        return -ENOMEM;
    while (at < there->count && strcmp(there->list[at].frames, frames) != 0)
        at++;
    if (at == there->count) {
        struct analysis_stack *list = array_zeroed(there->list, &there->capacity, at + 1, sizeof *list);
        if (!list)
            return -ENOMEM;
        there->list = list;
        list[at].frames = strdup(frames);
        if (!list[at].frames)
            return -ENOMEM;
        there->count++;
    }
    there->list[at].count += count;
    there->samples += count;
    raise(there, at);
    return 0;
}

const struct stacks_location *stacks_of(const struct stacks *stacks, const char *kind, const char *location)
{
    long id = target_key_find(&stacks->keys, kind, location);
    return id < 0 ? NULL : &stacks->locations[id];
}
