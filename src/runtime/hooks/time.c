/* Sleeping: whatever became due meanwhile is owed afterwards. Giving the core away. And looking at the clock. */
#include "runtime/calls/call_point.h"
#include "runtime/calls/deadline.h"
#include "runtime/calls/interrupted.h"
#include "runtime/calls/naps.h"
#include "runtime/calls/yields.h"
#include "runtime/real/list.h"

#include <errno.h>

static bool is_wall_clock(clockid_t clock)
{
    return clock >= 0 && clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID;
}

HOOK_INLINE struct interrupted sleep_begin(uint64_t timeout_ns)
{
    return interrupted_begin(sync_wait_begin(NULL, WAIT_SLEEP), timeout_ns);
}

/* One that cannot be made longer: what is owed is paid first. */
HOOK_INLINE struct interrupted other_sleep_begin(void)
{
    if (unlikely(thread_current.naps.owes))
        sync_settle_fully();
    return sleep_begin(0);
}

HOOK_INLINE int sleep_end(int rc, enum segment_call call)
{
    sync_wait_end(NULL, WOKEN_BY_OUTSIDE);
    call_ended(call, rc == 0);
    return rc;
}

HOOK_INLINE int sleep_for(const struct timespec *time, struct timespec *remaining, enum segment_call call)
{
    struct timespec rest, longer;
    const struct timespec *request = time;
    struct interrupted wait = sleep_begin(0);
    uint64_t debt_ns = naps_debt_ns(time);
    int rc;
    if (unlikely(debt_ns)) {
        longer = clock_time_later(*time, debt_ns);
        request = &longer;
    }
    while ((rc = REAL(nanosleep)(request, &rest)) < 0 && interrupted_goes_on(&wait, errno == EINTR))
        request = &rest;
    naps_paid(debt_ns);
    if (rc < 0 && errno == EINTR && remaining) {
        naps_cut(&rest, time);
        *remaining = rest;
    }
    return sleep_end(rc, call);
}

EXPORT int nanosleep(const struct timespec *time, struct timespec *remaining)
{
    return sleep_for(time, remaining, CALL_nanosleep);
}

EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
                           struct timespec *remaining)
{
    struct timespec rest, longer;
    const struct timespec *request = time;
    bool is_relative = !(flags & TIMER_ABSTIME);
    struct interrupted wait = is_relative && is_wall_clock(clock) ? sleep_begin(0) : other_sleep_begin();
    uint64_t debt_ns = naps_debt_ns(time);
    int rc;
    if (!is_relative) {
        request = deadline_later(time, &rest);
    } else if (unlikely(debt_ns)) {
        longer = clock_time_later(*time, debt_ns);
        request = &longer;
    }
    while ((rc = REAL(clock_nanosleep)(clock, flags, request, &rest)) &&
           interrupted_goes_on(&wait, rc == EINTR))
        if (is_relative)
            request = &rest;
    naps_paid(debt_ns);
    if (rc == EINTR && remaining && is_relative) {
        naps_cut(&rest, time);
        *remaining = rest;
    }
    return sleep_end(rc, CALL_clock_nanosleep);
}

EXPORT int thrd_sleep(const struct timespec *time, struct timespec *remaining)
{
    struct timespec rest, *request = (struct timespec *)time;
    struct interrupted wait = other_sleep_begin();
    int rc;
    while ((rc = REAL(thrd_sleep)(request, &rest)) == -1 && interrupted_goes_on(&wait, true))
        request = &rest;
    if (rc == -1 && remaining)
        *remaining = rest;
    return sleep_end(rc, CALL_thrd_sleep);
}

EXPORT int usleep(useconds_t us)
{
    struct timespec time = {us / 1000000, (long)(us % 1000000) * 1000};
    return sleep_for(&time, NULL, CALL_usleep);
}

EXPORT unsigned sleep(unsigned seconds)
{
    struct timespec time = {(time_t)seconds, 0}, rest = {0, 0};
    int saved = errno;
    if (sleep_for(&time, &rest, CALL_sleep) == 0) {
        errno = saved;
        return 0;
    }
    return (unsigned)rest.tv_sec + (rest.tv_nsec >= 500000000);
}

EXPORT int sched_yield(void)
{
    struct turn turn = yield_begins();
    int rc = REAL(sched_yield)();
    yield_is_over(turn);
    return rc;
}

EXPORT void thrd_yield(void)
{
    sched_yield();
}

EXPORT int clock_gettime(clockid_t clock, struct timespec *time)
{
    if (likely(is_wall_clock(clock)))
        deadline_clock_is_read();
    return REAL(clock_gettime)(clock, time);
}

EXPORT int timespec_get(struct timespec *time, int base)
{
    deadline_clock_is_read();
    return REAL(timespec_get)(time, base);
}

EXPORT int gettimeofday(struct timeval *restrict time, void *restrict zone)
{
    deadline_clock_is_read();
    return REAL(gettimeofday)(time, zone);
}

EXPORT time_t time(time_t *seconds)
{
    deadline_clock_is_read();
    return REAL(time)(seconds);
}
