/* Runs of both builds in turn, and what one round says beside the others. Internal to src/verify/. */
#pragma once

#include "profile/verified.h"
#include "verify/request.h"
#include "verify/run.h"

enum { BEFORE, AFTER, BUILDS };
enum { NATIVE, SAMPLED, KINDS };

/* All runs, by round, build and kind; and where sampled ones write. Begins zeroed. */
struct verify_runs {
    struct run_result (*results)[BUILDS][KINDS];
    size_t rounds;
    struct costs costs[BUILDS];       /* of all sampled runs together; */
    const struct cost *lines[BUILDS]; /* the target's among them */
    char folder[PATH_MAX / 2], scratch[PATH_MAX];
    char point[SEGMENT_POINT_NAME];
};

/* What sampled runs are to tell the costs of. */
struct costs_wanted {
    enum granularity granularity;
    struct target_spec together[BUILDS]; /* as of run_request; with no parts: none */
};

/* Runs everything; wanted: NULL: natively only; else sampled, too. Errors are those of run_build(). To be released in
 * any case. */
int rounds_run(struct verify_runs *runs, const struct verify_options *options,
               const struct costs_wanted *wanted, struct coz_error *err);
void rounds_release(struct verify_runs *runs);

/* What a run says, or NAN. */
typedef double (*measure_fn)(const void *context, size_t round, int build);

/* Compares the builds round by round: the share that is saved, and the geometric means. Returns how many rounds
 * have both. */
size_t rounds_compare(size_t rounds, measure_fn measure, const void *context, struct verified_effect *effect,
                      double means[BUILDS]);
