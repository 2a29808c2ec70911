/* Calls that return EINTR after any signal, SA_RESTART or not. A program that never sends itself signals need
 * not expect that, so when the signal was our sample the call goes on, with the time that was left. For the
 * calling thread; errno is kept. */
#pragma once

#include "runtime/clock.h"
#include "runtime/sync.h"

/* One wait of the calling thread, over as many calls as our samples make of it. */
struct interrupted {
    unsigned samples; /* taken when the current call began */
    uint64_t end_ns;  /* CLOCK_MONOTONIC; UINT64_MAX: never */
};

static inline struct interrupted interrupted_begin(uint64_t timeout_ns)
{
    uint64_t now = timeout_ns == UINT64_MAX ? 0 : clock_wall_ns();
    return (struct interrupted){sync_samples(),
                                timeout_ns > UINT64_MAX - now ? UINT64_MAX : now + timeout_ns};
}

/* True when the call ended for nothing but a sample of ours and is to go on. */
static inline bool interrupted_goes_on(struct interrupted *wait, bool interrupted)
{
    unsigned now = sync_samples();
    bool ours = interrupted && now != wait->samples;
    wait->samples = now;
    return ours;
}

static inline uint64_t interrupted_left_ns(const struct interrupted *wait)
{
    uint64_t now = clock_wall_ns();
    return now < wait->end_ns ? wait->end_ns - now : 0;
}

/* What is left, in *time; NULL, as the calls want it, when the wait has no end. */
static inline struct timespec *interrupted_left(const struct interrupted *wait, struct timespec *time)
{
    if (wait->end_ns == UINT64_MAX)
        return NULL;
    uint64_t ns = interrupted_left_ns(wait);
    *time = (struct timespec){(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    return time;
}

/* UINT64_MAX for none, for one that never comes, and for one that the kernel will refuse. */
static inline uint64_t interrupted_timeout_ns(const struct timespec *time)
{
    if (!time || time->tv_sec < 0 || time->tv_sec > INT32_MAX)
        return UINT64_MAX;
    return (uint64_t)time->tv_sec * 1000000000u + (uint64_t)time->tv_nsec;
}
