/* Calls that return EINTR after any signal, SA_RESTART or not. A program that never sends itself signals need
 * not expect that, so when the signal was our sample, and no handler of the program's ran, the call goes on,
 * with the time that was left. For the calling thread; errno is kept.
 *
 * A thread is also woken for a signal that another thread then takes, and sees no handler run. Where that is the signal
 * of samples, which somebody has sent to the program, it is our doing, too. */
#pragma once

#include "base/clock.h"
#include "runtime/calls/sync.h"
#include "runtime/sampling/own_signal.h"
#include "runtime/thread/give_way.h"

#include <errno.h>

/* One wait of the calling thread, over as many calls as our samples make of it. */
struct interrupted {
    unsigned samples;    /* taken when the current call began */
    unsigned sent_again; /* own_signal_times_sent_again() then */
    unsigned handlers; /* of the program's that had run; any other ends the call, also between two of ours */
    uint64_t began_ns; /* CLOCK_MONOTONIC; nothing when the thread is not profiled, */
    uint64_t began_ticks; /* nor where the processor's ticks stand for it */
    uint64_t end_ns;      /* UINT64_MAX: never */
    int before;           /* the program's errno, which a call that succeeds leaves alone */
};

/* At the beginning of the wait, whose first call may take so long. */
static inline struct interrupted interrupted_begin(struct wait begun, uint64_t timeout_ns)
{
    uint64_t now = timeout_ns < UINT64_MAX ? wait_began_ns(begun.began_ns, begun.began_ticks) : 0;
    return (struct interrupted){
        .samples = sync_samples(),
        .sent_again = own_signal_times_sent_again(),
        .handlers = thread_current.nesting.handlers,
        .before = errno,
        .began_ns = begun.began_ns,
        .began_ticks = begun.began_ticks,
        .end_ns = timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns,
    };
}

/* True when the call ended for nothing but a sample of ours and is to go on. */
static inline bool interrupted_goes_on(struct interrupted *wait, bool interrupted)
{
    unsigned now = sync_samples();
    bool ours = interrupted && thread_current.nesting.handlers == wait->handlers &&
                (now != wait->samples || give_way_took_a_signal(wait->sent_again));
    wait->samples = now;
    wait->sent_again = own_signal_times_sent_again();
    if (ours)
        errno = wait->before;
    return ours;
}

static inline uint64_t interrupted_left_ns(const struct interrupted *wait)
{
    uint64_t now = clock_wall_ns();
    return now < wait->end_ns ? wait->end_ns - now : 0;
}

/* A timespec's nanoseconds; UINT64_MAX when it is too far away to count. */
static inline uint64_t interrupted_timeout_ns(const struct timespec *time)
{
    if (time->tv_sec > INT32_MAX)
        return UINT64_MAX;
    return clock_time_ns(*time);
}

/* The timeout for a call that goes on: what is left of `timeout`, in *rest, or NULL if it was. The program's
 * timeout is read only here, after the kernel has read it: its pointer may be bad. */
static inline const struct timespec *interrupted_rest(struct interrupted *wait,
                                                      const struct timespec *timeout, struct timespec *rest)
{
    if (!timeout)
        return NULL;
    if (timeout != rest) {
        uint64_t length = interrupted_timeout_ns(timeout);
        uint64_t began_ns = wait_began_ns(wait->began_ns, wait->began_ticks);
        wait->end_ns = length > UINT64_MAX - began_ns ? UINT64_MAX : began_ns + length;
    }
    if (wait->end_ns == UINT64_MAX)
        return timeout;
    uint64_t ns = interrupted_left_ns(wait);
    *rest = (struct timespec){(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    return rest;
}
