/* Which target of one build is which of another. Internal to src/stats/.
 *
 * Line numbers alone say nothing: an edit above moves all that is below. So lines are looked for within their
 * function (and file, by its last name): in the order in which they stand there, by what they say, where both
 * profiles know that; else by how far the function as a whole has moved. What is left between two that were found
 * is the same line, edited, if as many are left on both sides, and if they still look alike. Only where a
 * profile does not tell functions, the place itself counts; and never against what the lines say. */
#pragma once

#include "stats/compare/match_target.h"

/* Fills `other` and `by` on both sides; targets of one side differ in kind or location. 0 or -ENOMEM. */
int match_targets(struct match_target *before, size_t before_count, struct match_target *after,
                  size_t after_count);
