/* One step of a walk up the calling thread's own stack, by the controller's unwind rows, else by frame
 * pointers. */
#pragma once

#include "runtime/arch/registers.h"
#include "runtime/sampling/modules.h"

#include <stdbool.h>

struct frame {
    uintptr_t pc, sp, fp;
    uintptr_t back; /* registers.h; 0: not known, as of all but the innermost frame */
    bool is_call;   /* pc is a return address: the call is the byte before it */
};

/* The innermost one. */
static inline struct frame frame_of(struct registers registers)
{
    return (struct frame){.pc = registers.pc, .sp = registers.sp, .fp = registers.fp, .back = registers.back};
}

/* The stack that a walk goes up, which need not be the thread's: the program may have made one, with pages
 * around it that nobody may touch, and registers hold anything. So each page is tried before it is read. */
struct stack {
    uintptr_t high;     /* no frame lies at or above it */
    uintptr_t from, to; /* the pages that were tried last */
};

/* Replaces the frame by its caller's. False at the outermost frame, or when the stack makes no sense. Reads
 * only words between frame->sp, less the red zone, and stack->high, that can be read. Async-signal-safe. */
bool unwind_step(struct frame *frame, const struct code_range *range, struct stack *stack);
