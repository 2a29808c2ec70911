/* What changed from one profile to another: how fast the program went, and what making each target faster is
 * worth. Pure.
 *
 * Intervals are of single answers, at 95 %. Verdicts are of all together: of 100 comparisons of a build with
 * itself, at most 5 call anything at all changed. One half of that is for rates, the other for impacts, each by
 * Holm's method, so that few rates need not stand back behind thousands of targets. */
#pragma once

#include "stats/compare/comparison.h"
#include "stats/compare/side.h"

/* Both sides stay in use, and must not take records meanwhile. 0 or -ENOMEM. To be released in any case. */
int comparison_make(struct comparison *comparison, const struct compare_side *before,
                    const struct compare_side *after);
void comparison_release(struct comparison *comparison);

const char *
compare_verdict_name(enum compare_verdict verdict); /* "changed", "no change shown", "not enough" */
