/* Whether this machine lets us have breakpoints, and what one costs each time that it is met. */
#pragma once

#include "base/error.h"

#include <stdint.h>

/* 0, and the time that a visit takes longer for the breakpoint that it meets, on the CPU of this machine: it
 * is met some hundred times to measure it. Else a negative errno, and err says what would help. */
int trap_measure(uint64_t *cost_ns, struct coz_error *err);

/* Why the kernel refuses breakpoints, and the ways round it, for that errno. Returns -code. */
int trap_explain(int code, struct coz_error *err);
