/* From an interrupted context to the site that its time belongs to. */
#pragma once

#include <stdint.h>
#include <ucontext.h>

/* The first in-scope frame's site, looking outward from the interrupted instruction; 0 when there is none
 * within 64 frames. Async-signal-safe: it reads the segment and the thread's own stack below stack_high. */
uint32_t locate_site(const ucontext_t *context, uintptr_t stack_high);
