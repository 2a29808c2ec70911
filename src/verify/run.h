/* One run of a build: natively, with nothing but its visits counted, or sampled, to see what its lines cost.
 * Internal to src/verify/. */
#pragma once

#include "base/error.h"
#include "debuginfo/build.h"
#include "experiment/session/session.h"
#include "verify/costs.h"
#include "verify/meter.h"

#include <limits.h>

enum { RUN_POINTS = 64 };

struct run_request {
    char **argv;
    double seconds;                     /* it is ended after that long */
    enum granularity granularity;       /* of a sampled run's costs */
    struct scope scope;                 /* likewise */
    const struct target_spec *together; /* several at once, whose costs are told as one, too; NULL: none */
    const char *scratch; /* where a profile may be written, that is removed again; NULL: natively */
    volatile sig_atomic_t *interrupts; /* as of session_options */
};

struct run_point {
    char name[SEGMENT_POINT_NAME];
    bool is_latency;
    double time_ns;
    uint64_t visits;
};

struct run_result {
    struct run_point points[RUN_POINTS];
    size_t count;
    struct costs costs; /* of a sampled run; to be released */
    char build_id[BUILD_TEXT];
};

/* 0; -EINTR: interrupted; -EPROTO: it failed; or why it could not be run. The result is to be released in any
 * case. */
int run_build(struct run_result *result, const struct run_request *request, struct coz_error *err);
void run_release(struct run_result *result);

/* NULL: it was not visited. */
const struct run_point *run_find(const struct run_result *result, const char *name, bool is_latency);
