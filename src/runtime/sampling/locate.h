/* From an interrupted context to the sites that its time belongs to. */
#pragma once

#include "shared/layout.h"

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

enum { LOCATED_MOST = 64 };

/* A line, a call site, a file or a thread's name: one at most. Functions: each that is on the stack, once; the
 * first is the one whose own time it is. Behind those, the groups that they are in. */
struct located {
    struct segment_module *module; /* that the interrupted instruction lies in; NULL: unknown */
    uint32_t count;
    uint32_t sites[LOCATED_MOST + SEGMENT_GROUPS];
};

/* Looks outward from the interrupted instruction, over so many frames as locate.c says. Async-signal-safe: it
 * reads the segment and the thread's own stack below stack_high. */
void locate(const ucontext_t *context, uintptr_t stack_high, struct located *located);

/* The site is known: that of a thread's name, or 0. */
void locate_known(uint32_t site, struct located *located);

/* The site that a hooked call came from, which was made from the return address `at`: that of its code, or else
 * of the first caller that is in scope; 0: none is. *is_its_own (optional): it is that of the code at `at`, so
 * that it is so whoever calls. For the thread that is in the hook; some microseconds where it is not. */
uint32_t locate_call(uintptr_t at, uintptr_t stack_high, bool *is_its_own);

static inline bool located_has(const struct located *located, uint32_t site)
{
    for (uint32_t i = 0; i < located->count; i++)
        if (located->sites[i] == site)
            return true;
    return false;
}
