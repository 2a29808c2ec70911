/* What the code that samples met is called: the functions that sampled lines are in, for the report's sums by function,
 * and the frames of the stacks that were noted (shared/stack_slots.h). For the end of a run. */
#pragma once

#include "debuginfo/debuginfo.h"
#include "shared/layout.h"

/* Samples of a target that came by the same lines. */
struct code_stack {
    uint32_t target;
    uint64_t count;
    char *frames; /* as in debuginfo/stacks/place.h, one stack frame's after the other */
};

struct code_names {
    char **functions; /* of each site its function, or NULL */
    size_t site_count;
    struct code_stack *stacks; /* by target, and those of one by their count, the largest first */
    size_t stack_count;
};

/* Only functions of sites that `wanted` says are looked for. Reads the units of the modules that have them once more.
 * Without memory, both are NULL. Release it in every case. */
void code_names_find(struct code_names *names, const struct segment *segment, const struct scope *scope,
                     const struct site_set *sites, const bool *wanted);

/* The stacks of the target; NULL: there are none. */
const struct code_stack *code_names_stacks(const struct code_names *names, uint32_t target, size_t *count);
void code_names_release(struct code_names *names);
