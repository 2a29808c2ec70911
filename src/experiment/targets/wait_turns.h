/* The turns of waits that are drawn in the place of lines, where they are to be few (targets.h). */
#pragma once

#include "experiment/targets/drawn.h"

/* Whether a wait is the next to be drawn: once in eight draws. */
bool wait_turns_are_due(const struct targets *targets);

/* The next wait: one that was tried until it has blocks enough, then the largest that was not. 0: waits are not to be
 * few, or there is none. */
uint32_t wait_turns_draw(struct targets *targets);
