/* The processor's own counter: a third of what the clock costs. It goes on at a constant rate, whatever that
 * is; where it does not, or differs from core to core, it is off by little or makes no sense at all, so that
 * only a choice may rest on it, and no account. */
#pragma once

#include <stdint.h>

static inline uint64_t ticks_now(void)
{
    return __builtin_ia32_rdtsc();
}
