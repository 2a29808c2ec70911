/* What a profile promised. Internal to src/verify/. */
#pragma once

#include "base/error.h"
#include "profile/builds.h"
#include "profile/verified.h"
#include "stats/answers/analysis.h"

#include <stdbool.h>

/* A profile's answers; to be released. */
struct promises {
    struct analysis *analysis;
    struct builds builds;
    const struct analysis_result *result; /* the one that is asked about; NULL: there is none */
};

/* Reads the profile, and finds the answer for a target as find_target() does (NULL: the one that ranks first, if
 * it improves) and a point (NULL: any). 0, also where no target was named and none improves; or a negative errno. */
int promises_read(struct promises *promises, const char *profile, const char *target, const char *point,
                  struct coz_error *err);
/* Is the profile of other builds than this one? False when it does not tell. */
bool promises_are_of_another(const struct promises *promises, const char *build_id);
void promises_release(struct promises *promises);

/* What it says for a target that becomes so much faster, as far as that is known: the interval is that of the curve
 * over the whole interval of the speedup. Beyond the largest speedup that was tried it is what that one promised. */
struct verified_effect promise_at(const struct analysis_result *result,
                                  const struct verified_effect *speedup);
