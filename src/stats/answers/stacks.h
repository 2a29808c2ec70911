/* How the samples of a location got there: sums over the runs of a profile. Internal to src/stats/, but for the list. */
#pragma once

#include "stats/answers/answer.h"
#include "stats/input/names.h"

struct stacks_location {
    struct analysis_stack *list; /* owned; the frames are */
    size_t count, capacity;
    uint64_t samples; /* of all of them */
};

/* Starts zeroed. */
struct stacks {
    struct names keys; /* target_key.h */
    struct stacks_location *locations;
    size_t capacity;
};

void stacks_release(struct stacks *stacks);

/* kind: NULL for lines. 0 or -ENOMEM. */
int stacks_add(struct stacks *stacks, const char *kind, const char *location, const char *frames,
               uint64_t count);

/* NULL: nothing is known of it. Valid until something is added. */
const struct stacks_location *stacks_of(const struct stacks *stacks, const char *kind, const char *location);
