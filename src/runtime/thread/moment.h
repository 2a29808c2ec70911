/* How long a lock that is held is tried again before it is waited for, by threads that call hooks often.
 *
 * One that is held for a moment only is free again by the time at which libc would have asked the kernel to wait for
 * it. What we do around a wait takes as long as that, and what comes after it is done with the lock in hand: then
 * others would come to wait as well, and end up asleep, who natively hardly ever are.
 *
 *     for (struct moment moment = {0}; rc == EBUSY && moment_lasts(&moment);)
 *         rc = try(lock);
 *
 * For the calling thread. */
#pragma once

#include "runtime/arch/spin.h"
#include "runtime/arch/ticks.h"
#include "runtime/thread/thread.h"

/* Zeroed, it begins when it is first asked about. */
struct moment {
    uint64_t began, lasts; /* in the processor's ticks */
};

static inline bool moment_lasts(struct moment *moment)
{
    enum { MOMENT_NS = 2000 };
    const struct thread *thread = &thread_current;
    if (!moment->began)
        *moment = (struct moment){ticks_now(), thread->on ? budget_ticks(&thread->budget, MOMENT_NS) : 0};
    if (ticks_now() - moment->began >= moment->lasts)
        return false;
    spin_pause();
    return true;
}
