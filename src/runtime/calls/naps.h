/* Sleeps that follow each other with hardly anything in between: those of timers, tickers and heartbeats.
 *
 * What became due while a thread slept it pays asleep, when the sleep is over (sync.h): a second sleep, which costs more
 * than all else that such a thread does. A hundred threads that slept for 10 ms each, again and again, took a third of
 * two cores for that. A thread that goes back to sleep at once has done nothing in between that would have had to come
 * later. So one that is known to do that pays with its next sleep, which is as much longer: its rounds take as long in
 * virtual time as they would have. If it does anything else first that a hook sees, or is sampled, it pays then, asleep.
 *
 * What hooks do not see, it may do too early by that debt. So only threads that never visited a progress point and never
 * let anybody go on may, and only after many such sleeps in a row: one that looks again and again whether a flag has been
 * set sees it at most a sixteenth of its waiting too late.
 *
 * For the calling thread; errno is kept. */
#pragma once

#include "runtime/thread/thread.h"

#include <time.h>

enum {
    NAPS_GAP_NS = 200000, /* from one to the next, at most */
    NAPS_KNOWN = 16,      /* in a row, before it is believed */
};

/* The thread begins a wait of that class; now_ns: when, if it is a sleep. Whether it owes what it may pay with it, so that
 * it need not be levelled now. */
static inline bool naps_go_on(struct thread *thread, enum wait_class class, uint64_t now_ns)
{
    struct naps *naps = &thread->naps;
    bool is_next = class == WAIT_SLEEP && naps->woke_ns && now_ns < naps->woke_ns + NAPS_GAP_NS;
    naps->in_row = is_next ? naps->in_row + 1 : 0;
    naps->woke_ns = 0;
    return naps->owes && is_next;
}

/* Its sleep is over: whether what became due meanwhile waits for the next one. */
static inline bool naps_may_owe(struct thread *thread, uint64_t now_ns)
{
    struct naps *naps = &thread->naps;
    if (thread->wait.class != WAIT_SLEEP || thread->matters)
        return false;
    naps->woke_ns = now_ns;
    return naps->owes = naps->in_row >= NAPS_KNOWN && stretch_drop(&thread->stretch);
}

/* Right before a sleep for `time`, which has begun as a wait: by how much it is to be longer. What is no time is left to
 * the call. */
uint64_t naps_debt_ns(const struct timespec *time);

/* After it: it was longer by so much, unless it was interrupted before. */
void naps_paid(uint64_t debt_ns);

/* What is told to be left of it is no more than it was. */
static inline void naps_cut(struct timespec *rest, const struct timespec *time)
{
    if (rest->tv_sec > time->tv_sec || (rest->tv_sec == time->tv_sec && rest->tv_nsec > time->tv_nsec))
        *rest = *time;
}
