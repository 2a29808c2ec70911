/* Timers on the wall clock, which are taken down on another core than they were set on. */
#include "fake_segment.h"

#include "base/clock.h"
#include "runtime/core/runtime.h"
#include "runtime/sampling/own_signal.h"
#include "runtime/sampling/sampler.h"

#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct segment *runtime_segment;
_Atomic int own_signal_current;

void own_signal_drain(int number)
{
    (void)number;
}

uint64_t sampler_period(struct sampler *of)
{
    (void)of;
    return 500000;
}

static struct sampler sampler;
static volatile unsigned fired;
static cpu_set_t before;
static size_t cores[2];

/* As the runtime's, when the sample is not due yet. */
static void set_again(int number)
{
    (void)number;
    fired = fired + 1;
    sampler.timer_is_set = false;
    sampler_timer_set(&sampler, 20000);
}

static int begin(void **state)
{
    (void)state;
    int count = 0;
    if (sched_getaffinity(0, sizeof before, &before))
        return -1;
    for (size_t core = 0; core < CPU_SETSIZE && count < 2; core++)
        if (CPU_ISSET(core, &before))
            cores[count++] = core;
    if (count < 2)
        cores[1] = cores[0]; /* nothing to be seen, but nothing that breaks */
    sampler = (struct sampler){.signal = SIGRTMIN + 4, .tid = gettid(), .perf_fd = -1};
    struct sigaction action = {.sa_handler = set_again, .sa_flags = SA_RESTART};
    return sigaction(sampler.signal, &action, NULL) || sampler_timer_create(&sampler, CLOCK_MONOTONIC) ? -1
                                                                                                       : 0;
}

static int end(void **state)
{
    (void)state;
    sampler_timer_stop(&sampler);
    return sched_setaffinity(0, sizeof before, &before);
}

static void go_to(size_t core)
{
    cpu_set_t only;
    CPU_ZERO(&only);
    CPU_SET(core, &only);
    assert_int_equal(sched_setaffinity(0, sizeof only, &only), 0);
}

/* How often the handler has run while the timer was taken down, right before it would have fired. */
static unsigned fired_meanwhile(void)
{
    go_to(cores[0]);
    sampler_timer_set(&sampler, 200000);
    uint64_t due = sampler.fires_at_ns;
    go_to(cores[1]);
    while (clock_wall_ns() + 10000 < due)
        continue;
    unsigned count = fired;
    sampler_timer_set(&sampler, 0);
    return fired - count;
}

static void a_handler_that_sets_it_again_is_not_waited_for(void **state)
{
    (void)state;
    unsigned most = 0;
    for (int i = 0; i < 50; i++) {
        unsigned count = fired_meanwhile();
        most = count > most ? count : most;
        assert_false(sampler.timer_is_set);
    }
    assert_in_range(most, 0, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_handler_that_sets_it_again_is_not_waited_for, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
