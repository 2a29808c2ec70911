/* Did it come true? Both builds of a program run natively in turn, to see what its progress gained; and sampled, to
 * see how much faster the line became; beside it stands what a profile had promised for that much. */
#pragma once

#include "base/error.h"
#include "profile/verified.h"
#include "verify/request.h"

struct verify {
    struct verified verified; /* its strings are the options' and this one's; without the commands' names */
    double time_ns[2];        /* for each visit, or the latency, before and after */
    double line_ns[2];        /* the target's CPU time for each visit; NAN: not known */
    bool line_is_guess;       /* the target was taken for after_location because that is nearest */
    bool is_other_build;      /* the profile is of another build than `before` */
    char note[400];           /* why nothing is known of the line; "" */

    struct promises *promises; /* what follows is internal */
    struct verify_runs *runs;
};

/* 0; -EINTR; -ENODATA: a build reached no progress point, or too seldom; -EPROTO: a program failed; and why. To be
 * released in any case. */
int verify_run(struct verify *verify, const struct verify_options *options, struct coz_error *err);
void verify_release(struct verify *verify);
