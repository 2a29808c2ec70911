/* Notes the stacks of some samples (shared/stack_slots.h). */
#pragma once

#include <stdint.h>
#include <ucontext.h>

/* The sample that interrupted this was the site's. Async-signal-safe: it reads the segment and the thread's own stack
 * below stack_high. */
void stacks_note(uint32_t site, const ucontext_t *context, uintptr_t stack_high);
