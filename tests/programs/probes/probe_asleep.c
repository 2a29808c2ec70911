/* Who was blocked on the outside pays asleep whatever became due, and not on a core that others need: more
 * than one pause makes up for, and what becomes due while it pays. */
#include "probe.h"

#include "base/clock.h"

#include <poll.h>
#include <sys/timerfd.h>

enum { BLOCKED_MS = 60, DUE_NS = 150000000 }; /* three pauses and more */

static void sleep_on(void)
{
    usleep(BLOCKED_MS * 1000);
}

static void poll_too_long(void)
{
    expect(poll(NULL, 0, BLOCKED_MS) == 0);
}

static void read_timer(void)
{
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    uint64_t times;
    must(timerfd_settime(timer, 0, &(struct itimerspec){{0, 0}, {0, BLOCKED_MS * 1000000l}}, NULL));
    expect(read(timer, &times, sizeof times) == sizeof times);
    close(timer);
}

static void time_out(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += BLOCKED_MS * 1000000l;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&lock);
    expect(pthread_cond_timedwait(&never, &lock, &until) == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
}

static void *block_and_pay(void *wait)
{
    (*(void (**)(void))wait)();
    uint64_t before_ns = clock_cpu_ns();
    usleep(1); /* what it has not paid by now, it pays here */
    uint64_t on_core_ns = clock_cpu_ns() - before_ns;
    expect(probe_debt(gettid()) == 0);
    expect(on_core_ns < DUE_NS / 4);
    return NULL;
}

int main(void)
{
    static const struct {
        const char *name;
        void (*wait)(void);
    } cases[] = {
        {"usleep", sleep_on}, {"poll", poll_too_long}, {"timerfd", read_timer}, {"cond_timedwait", time_out}};
    probe_attach();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        pthread_t thread;
        probe_name = cases[i].name;
        must(pthread_create(&thread, NULL, block_and_pay, (void *)&cases[i].wait));
        usleep(BLOCKED_MS * 1000 / 3);
        atomic_fetch_add(&probe_segment->due.required_ns, DUE_NS);
        must(pthread_join(thread, NULL));
    }
    return probe_failures > 0;
}
