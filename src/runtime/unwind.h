/* One step of a walk up the calling thread's own stack, by the controller's unwind rows, else by frame
 * pointers. */
#pragma once

#include "runtime/modules.h"

#include <stdbool.h>

struct frame {
    uintptr_t pc, sp, fp;
    bool is_call; /* pc is a return address: the call is the byte before it */
};

/* Replaces the frame by its caller's. False at the outermost frame, or when the stack makes no sense. Reads
 * only words between frame->sp, less the red zone, and stack_high. Async-signal-safe. */
bool unwind_step(struct frame *frame, const struct code_range *range, uintptr_t stack_high);
