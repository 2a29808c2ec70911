/* Does a thread spin: go round in a loop that only waits for somebody to change a word of memory? */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

enum { SPINNING_SEEN = 8 };

/* One thread's: what its last samples found in the registers. */
struct spinning {
    uint64_t seen[SPINNING_SEEN]; /* 0: none yet */
    unsigned next;
};

/* Notes a sample. True when the thread is where one of its last samples found it, with the same in all its
 * registers: whatever it did in between, it counted nothing, and went on nowhere. A loop that counts its rounds,
 * or looks at a clock, is not found out. A thread that gives its core away in such a loop (sched_yield) is;
 * other system calls, in which much may happen, are work. For the handler. */
bool spinning_note(struct spinning *spinning, const ucontext_t *context);
