/* Hooked calls as progress points (`coz run -p call:NAME`). A hook says that its call has ended; whether
 * anybody counts it stands on the cache line that hooks look at anyway. */
#pragma once

#include "runtime/calls/sync.h"
#include "shared/calls.h"

/* A visit of that call, which the program made from `at`. Any thread; errno is kept. */
void call_point_visit(enum segment_call call, uintptr_t at);

/* The call is over, and the thread is settled after it. did: it did what it is for (shared/calls.h). */
SYNC_INLINE void call_ended(enum segment_call call, bool did)
{
    uint64_t counted = atomic_load_explicit(&runtime_due->calls[call / 64], memory_order_relaxed);
    if (unlikely(counted & 1ull << call % 64) && did)
        call_point_visit(call, SYNC_CALLER);
}
