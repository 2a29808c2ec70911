/* Who was blocked on the outside pays asleep whatever became due, and not on a core that others need: more
 * than one pause makes up for, and what becomes due while it pays. */
#include "probe.h"

#include "base/clock.h"

#include <poll.h>
#include <sys/timerfd.h>

enum { BLOCKED_MS = 60, MOST_MS = 60000, DUE_NS = 150000000 }; /* three pauses and more */

static int blocked_ms;

static void sleep_on(void)
{
    usleep((useconds_t)blocked_ms * 1000);
}

static void poll_too_long(void)
{
    expect(poll(NULL, 0, blocked_ms) == 0);
}

static void read_timer(void)
{
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    uint64_t times;
    struct itimerspec once = {{0, 0}, {blocked_ms / 1000, blocked_ms % 1000 * 1000000l}};
    must(timerfd_settime(timer, 0, &once, NULL));
    expect(read(timer, &times, sizeof times) == sizeof times);
    close(timer);
}

static void time_out(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += blocked_ms * 1000000l;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&lock);
    expect(pthread_cond_timedwait(&never, &lock, &until) == ETIMEDOUT);
    pthread_mutex_unlock(&lock);
}

struct payer {
    void (*wait)(void);
    _Atomic pid_t tid;
    _Atomic bool is_back;
    uint64_t debt_ns, on_core_ns;
};

static void *block_and_pay(void *argument)
{
    struct payer *payer = argument;
    atomic_store(&payer->tid, gettid());
    payer->wait();
    atomic_store(&payer->is_back, true);
    uint64_t before_ns = clock_cpu_ns();
    usleep(1); /* what it has not paid by now, it pays here */
    payer->on_core_ns = clock_cpu_ns() - before_ns;
    payer->debt_ns = probe_debt(gettid());
    return NULL;
}

/* False when the wait may have been over before the debt was made: then nothing is known. */
static bool pays_asleep(void (*wait)(void))
{
    struct payer payer = {.wait = wait};
    pthread_t thread;
    double began = now_ms();
    must(pthread_create(&thread, NULL, block_and_pay, &payer));
    while (!atomic_load(&payer.is_back) && !probe_waits(atomic_load(&payer.tid), false))
        usleep(1000);
    atomic_fetch_add(&probe_segment->due.required_ns, DUE_NS);
    bool in_time = now_ms() - began < blocked_ms;
    must(pthread_join(thread, NULL));
    if (!in_time)
        return false;
    expect(payer.debt_ns == 0);
    expect(payer.on_core_ns < DUE_NS / 4);
    return true;
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
        probe_name = cases[i].name;
        for (blocked_ms = BLOCKED_MS; blocked_ms < MOST_MS && !pays_asleep(cases[i].wait); blocked_ms *= 2)
            continue;
        probe_check(blocked_ms < MOST_MS, probe_name, "never waits for long enough to be looked at");
    }
    return probe_failures > 0;
}
