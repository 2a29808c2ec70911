/* Samples without any privilege: a POSIX timer on the thread's CPU clock. It fires on scheduler ticks only, a
 * few hundred times a second at best; the true weights make up for that. */
#include "runtime/sampler.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

static int arm(struct thread *thread, uint64_t ns)
{
    struct itimerspec time = {
        .it_value = {.tv_sec = (time_t)(ns / 1000000000u), .tv_nsec = (long)(ns % 1000000000u)}};
    return timer_settime((timer_t)thread->timer, 0, &time, NULL) ? -errno : 0;
}

int sampler_timer_start(struct thread *thread, uint64_t first_ns)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
                             .sigev_signo = (int)runtime_segment->signal_number};
    event.sigev_notify_thread_id = thread->tid;
    timer_t timer;
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer))
        return -errno;
    thread->timer = timer;
    thread->has_timer = true;
    return arm(thread, first_ns);
}

void sampler_timer_suspend(struct thread *thread)
{
    struct itimerspec none = {{0, 0}, {0, 0}}, before;
    if (timer_settime((timer_t)thread->timer, 0, &none, &before) == 0)
        thread->timer_left_ns =
            (uint64_t)before.it_value.tv_sec * 1000000000u + (uint64_t)before.it_value.tv_nsec;
}

void sampler_timer_resume(struct thread *thread)
{
    arm(thread, thread->timer_left_ns ? thread->timer_left_ns : 1);
}

void sampler_timer_stop(struct thread *thread)
{
    thread->has_timer = false;
    timer_delete((timer_t)thread->timer);
}
