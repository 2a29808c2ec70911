/* When perf's interrupt came, by the event's own count. The event is real; its signal stays blocked. Where
 * perf is not permitted there is nothing to try. */
#include "base/clock.h"
#include "runtime/core/descriptors.h"
#include "runtime/sampling/own_signal.h"
#include "runtime/sampling/sampler.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { FIRST_NS = 1000000, NEXT_NS = 3000000, NEAR_NS = 500000 };

static struct sampler sampler;

int descriptors_keep(int fd, pid_t tid)
{
    (void)tid;
    return fd;
}

static bool is_taken; /* by the program, for something else */

bool descriptors_is_of(int fd, pid_t tid)
{
    (void)fd;
    (void)tid;
    return !is_taken;
}

void descriptors_drop(int fd, pid_t tid)
{
    (void)tid;
    close(fd);
}

void own_signal_expect_events(void)
{
}

void own_signal_drain(int number)
{
    (void)number;
}

static uint64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void spin_until(uint64_t end_ns)
{
    while (cpu_ns() < end_ns)
        ;
}

/* The event counts since then; from before that by the wall clock, from after it by the thread's. */
static uint64_t on_wall_ns, on_cpu_ns;

/* It counts what the thread has run, and also what the host has taken from it meanwhile, which the thread's own clock may
 * leave out: so at least what that says, and no more than has passed. */
static void expect_late(uint64_t due_ns)
{
    uint64_t ran_ns = cpu_ns() - on_cpu_ns, late_ns = sampler_perf_late_ns(&sampler);
    assert_in_range(late_ns, ran_ns - due_ns - NEAR_NS, clock_wall_ns() - on_wall_ns - due_ns + NEAR_NS);
}

static int begin(void **state)
{
    (void)state;
    sigset_t only;
    sampler = (struct sampler){.tid = gettid(), .signal = SIGRTMIN + 3, .perf_fd = -1};
    sigemptyset(&only);
    sigaddset(&only, sampler.signal);
    pthread_sigmask(SIG_BLOCK, &only, NULL);
    on_wall_ns = clock_wall_ns();
    sampler_perf_start(&sampler, FIRST_NS);
    on_cpu_ns = cpu_ns();
    return 0;
}

static int end(void **state)
{
    (void)state;
    if (sampler.perf_fd >= 0)
        sampler_perf_stop(&sampler);
    return 0;
}

static void it_is_as_late_as_the_thread_has_run_since(void **state)
{
    (void)state;
    if (sampler.perf_fd < 0)
        skip();
    spin_until(on_cpu_ns + FIRST_NS + 2 * NEXT_NS);
    expect_late(FIRST_NS);
}

static void what_it_runs_while_the_event_is_off_does_not_count(void **state)
{
    (void)state;
    if (sampler.perf_fd < 0)
        skip();
    sampler_perf_suspend(&sampler);
    sampler_perf_next(&sampler, NEXT_NS);
    spin_until(cpu_ns() + 2 * NEXT_NS);
    assert_int_equal(sampler_perf_late_ns(&sampler), 0); /* not due yet */
    on_wall_ns = clock_wall_ns();
    sampler_perf_resume(&sampler);
    on_cpu_ns = cpu_ns();
    spin_until(on_cpu_ns + 2 * NEXT_NS);
    expect_late(NEXT_NS);
}

static void an_event_that_does_not_say_is_not_late(void **state)
{
    (void)state;
    if (sampler.perf_fd < 0)
        skip();
    spin_until(cpu_ns() + FIRST_NS + NEXT_NS);
    int event = sampler.perf_fd;
    sampler.perf_fd = -1;
    uint64_t late_ns = sampler_perf_late_ns(&sampler);
    sampler.perf_fd = event;
    assert_int_equal(late_ns, 0);
}

static void what_the_program_put_there_is_not_read(void **state)
{
    (void)state;
    int ends[2];
    char word[8] = "program", read_back[8] = "";
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(write(ends[1], word, sizeof word), sizeof word);
    int event = sampler.perf_fd;
    sampler.perf_fd = ends[0];
    is_taken = true;
    uint64_t late_ns = sampler_perf_late_ns(&sampler);
    is_taken = false;
    sampler.perf_fd = event;
    assert_int_equal(late_ns, 0);
    close(ends[1]);
    assert_int_equal(read(ends[0], read_back, sizeof read_back), sizeof read_back);
    assert_string_equal(read_back, word);
    close(ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_is_as_late_as_the_thread_has_run_since, begin, end),
        cmocka_unit_test_setup_teardown(what_it_runs_while_the_event_is_off_does_not_count, begin, end),
        cmocka_unit_test_setup_teardown(an_event_that_does_not_say_is_not_late, begin, end),
        cmocka_unit_test_setup_teardown(what_the_program_put_there_is_not_read, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
