/* Clocks. All may be called from a signal handler, in the program and in the controller. */
#pragma once

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_time_ns(struct timespec time)
{
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

/* That time, or moment, and so much more. */
static inline struct timespec clock_time_later(struct timespec time, uint64_t ns)
{
    ns += (uint64_t)time.tv_nsec;
    return (struct timespec){time.tv_sec + (time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
}

/* The runtime stands in front of libc's function, and must not meet itself: its build names a pointer to that one. */
#ifdef CLOCK_GETTIME
extern __attribute__((visibility("hidden"))) int (*CLOCK_GETTIME)(clockid_t, struct timespec *);
#else
#define CLOCK_GETTIME clock_gettime
#endif

static inline uint64_t clock_read_ns(clockid_t id)
{
    struct timespec time;
    CLOCK_GETTIME(id, &time);
    return clock_time_ns(time);
}

/* About 20 ns: no system call. */
static inline uint64_t clock_wall_ns(void)
{
    return clock_read_ns(CLOCK_MONOTONIC);
}

static inline double clock_wall_s(void)
{
    return (double)clock_wall_ns() * 1e-9;
}

/* CPU time of the calling thread; a system call, about 0.5 us. */
static inline uint64_t clock_cpu_ns(void)
{
    return clock_read_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* How long it is from the one reading to the other; 0 when the second is the earlier one. A CPU time that was
 * moved along the wall clock may be a little ahead of one that was read later. */
static inline uint64_t clock_passed_ns(uint64_t from_ns, uint64_t to_ns)
{
    return to_ns > from_ns ? to_ns - from_ns : 0;
}
