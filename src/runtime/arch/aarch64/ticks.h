/* The counter of AArch64's generic timer: see x86_64/ticks.h. Mostly 24 to 100 million times a second, the same on all
 * cores. */
#pragma once

#include <stdint.h>

static inline uint64_t ticks_now(void)
{
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count));
    return count;
}
