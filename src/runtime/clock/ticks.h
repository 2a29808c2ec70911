/* A clock for marks that are passed a million times a second: the processor's counter where that goes on at one rate on
 * all cores, else CLOCK_MONOTONIC. Any thread. */
#pragma once

#include "base/clock.h"

#include <stdbool.h>
#include <stdint.h>

#ifdef __x86_64__
#include "runtime/arch/x86_64/spin.h"
#include "runtime/arch/x86_64/ticks.h"

extern bool ticks_are_counted; /* by the processor. Set by ticks_prepare(), before the first mark. */

static inline uint64_t ticks_read(void)
{
    return __builtin_expect(ticks_are_counted, 1) ? ticks_now() : clock_wall_ns();
}
#else
static inline uint64_t ticks_read(void)
{
    return clock_wall_ns();
}

#ifdef __aarch64__
#include "runtime/arch/aarch64/spin.h"
#else
static inline void spin_pause(void)
{
}
#endif
#endif

/* Whether the processor's counter goes on at one rate, whatever the core's clock does: then accounts may rest on it. Where
 * the host of a virtual machine answers, that takes microseconds: it is for a process's start. */
bool ticks_keep_pace(void);

/* Chooses the clock. Returns nanoseconds a tick, to about a thousandth. Takes a millisecond when called first. */
double ticks_prepare(void);

/* Spins until so many ticks have passed, and returns how many did. */
static inline uint64_t ticks_spin(uint64_t from, uint64_t ticks)
{
    uint64_t now = from;
    while (now - from < ticks) {
        spin_pause();
        now = ticks_read();
    }
    return now - from;
}
