/* Deadlines that the program computed from a clock. In virtual time a thread's pauses do not exist, so one that
 * came after it had read the clock must not bring the deadline nearer. Two threads met after each round, one of
 * which waited with a time limit of 100 us; what it owed it paid where that wait began, and then did not wait at
 * all: 43 % were said for 33.
 *
 * For the calling thread. */
#pragma once

#include "base/clock.h"
#include "runtime/thread/thread.h"

/* The program reads a wall clock. */
static inline void deadline_clock_is_read(void)
{
    struct account *account = &thread_current.account;
    account->stood_at_clock_ns = account->stood_ns;
}

/* The deadline, later by what the thread has stood still for us since it read a clock: in *later, or `until`
 * itself where it has not, or where somebody else seems to have computed it: who has stood for so long without
 * reading a clock goes by another's. To be called when what was owed has been paid. */
static inline const struct timespec *deadline_later(const struct timespec *until, struct timespec *later)
{
    enum { MOST_NS = 50000000, SECOND_NS = 1000000000, FAR_S = INT32_MAX };
    const struct account *account = &thread_current.account;
    uint64_t stood_ns = account->stood_ns - account->stood_at_clock_ns;
    if (likely(stood_ns == 0) || stood_ns > MOST_NS || !until || until->tv_sec > FAR_S ||
        until->tv_nsec < 0 || until->tv_nsec >= SECOND_NS)
        return until;
    *later = clock_time_later(*until, stood_ns);
    return later;
}
