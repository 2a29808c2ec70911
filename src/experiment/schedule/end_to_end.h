/* End-to-end runs: the whole run is one window, and the end of the program its only progress point. The
 * target comes from the samples of earlier runs in the same profile, or from --fixed-line and its like. */
#pragma once

#include "experiment/schedule/windows.h"
#include "experiment/targets/target_names.h"
#include "experiment/targets/targets.h"

struct end_to_end {
    uint32_t site; /* 0: no earlier samples; this run only collects them */
    int permille;
};

/* Chooses target and speedup; every other choice is a baseline. */
void end_to_end_choose(struct end_to_end *choice, const char *profile, const struct target_names *names,
                       struct targets *targets, const int *speedups, size_t speedup_count, uint64_t *seed);

int end_to_end_write(const struct end_to_end *choice, const struct segment *segment, uint64_t real_ns,
                     const struct target_names *names, window_sink sink, void *context);
