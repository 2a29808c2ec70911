/* How often a thread is sampled, and what its timer does while it waits: by what samples cost. Perf is not
 * tried here, and no signal is taken: the timers are real. */
#include "fake_segment.h"

#include "base/clock.h"
#include "runtime/core/message.h"
#include "runtime/sampling/own_signal.h"
#include "runtime/sampling/sampler.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum {
    US = 1000,
    PERIOD_NS = 500 * US,
    SECOND_NS = 1000000000,
    CHEAP_NS = 5 * US,
    USUAL_NS = 30 * US,
    DEAR_NS = 60 * US
};

struct segment *runtime_segment;
_Atomic int own_signal_current;

void own_signal_open(void)
{
}

void own_signal_drain(int number)
{
    (void)number;
}

void message_say(const char *what)
{
    fail_msg("%s", what);
}

int sampler_perf_start(struct sampler *sampler, uint64_t first_ns)
{
    (void)sampler;
    (void)first_ns;
    return -EPERM;
}

void sampler_perf_next(struct sampler *sampler, uint64_t next_ns)
{
    (void)sampler;
    (void)next_ns;
}

void sampler_perf_suspend(struct sampler *sampler)
{
    (void)sampler;
}

void sampler_perf_resume(struct sampler *sampler)
{
    (void)sampler;
}

void sampler_perf_stop(struct sampler *sampler)
{
    (void)sampler;
}

void sampler_perf_change_signal(struct sampler *sampler, int before)
{
    (void)sampler;
    (void)before;
}

bool sampler_perf_is_lost(const struct sampler *sampler)
{
    (void)sampler;
    return false;
}

static struct sampler sampler;

/* Before the first experiment, which a process does not forget: so these tests come first. */
static int begin_without_experiments(void **state)
{
    (void)state;
    runtime_segment = fake_segment();
    if (!runtime_segment)
        return -1;
    runtime_segment->period_ns = PERIOD_NS;
    sampler = (struct sampler){.tid = gettid(), .signal = SIGRTMIN + 3, .perf_fd = -1};
    sampler_seed(&sampler, 1);
    sigset_t only;
    sigemptyset(&only);
    sigaddset(&only, sampler.signal);
    pthread_sigmask(SIG_BLOCK, &only, NULL);
    return sampler_clock_start(&sampler, SECOND_NS);
}

static int begin(void **state)
{
    int rc = begin_without_experiments(state);
    if (rc == 0)
        atomic_store(&runtime_segment->target, segment_target_make(1, 0)); /* a baseline window */
    return rc;
}

static int end(void **state)
{
    (void)state;
    sampler_stop(&sampler);
    fake_segment_release(runtime_segment);
    return 0;
}

static void samples_cost(uint64_t ns)
{
    for (int i = 0; i < 200; i++)
        sampler_note_cost(ns);
}

/* It runs for a while, and is looked at as after each sample; it waits that often meanwhile. */
static void run(uint64_t stretch_ns)
{
    enum { LOOKS = 100, BETWEEN_LOOKS_NS = 6000 * US };
    for (int i = 0; i < LOOKS; i++) {
        sampler.wait_count += BETWEEN_LOOKS_NS / stretch_ns;
        sampler_choose(&sampler, sampler.seen_cpu_ns + BETWEEN_LOOKS_NS);
    }
}

static void expect_periods(uint64_t mean_ns)
{
    uint64_t sum = 0;
    enum { TIMES = 2000 };
    for (int i = 0; i < TIMES; i++) {
        uint64_t period = sampler_period(&sampler);
        assert_in_range(period, mean_ns / 2, mean_ns * 3 / 2);
        sum += period;
    }
    assert_in_range(sum / TIMES, mean_ns * 95 / 100, mean_ns * 105 / 100);
}

static void without_experiments_who_waits_often_is_sampled_seldom(void **state)
{
    (void)state;
    samples_cost(CHEAP_NS);
    run(300 * US);
    expect_periods(PERIOD_NS);
    samples_cost(USUAL_NS);
    run(300 * US);
    expect_periods(6 * PERIOD_NS);
}

static void without_experiments_who_runs_long_is_sampled_seldom_after_a_second(void **state)
{
    (void)state;
    samples_cost(USUAL_NS);
    sampler.lived_ns = SECOND_NS;
    run(SECOND_NS);
    expect_periods(PERIOD_NS);
    sampler.lived_ns = SECOND_NS + 1;
    run(SECOND_NS);
    expect_periods(6 * PERIOD_NS);
    atomic_store(&runtime_segment->target, segment_target_make(1, 0));
    run(SECOND_NS);
    expect_periods(PERIOD_NS);
    atomic_store(&runtime_segment->target, 0); /* between two blocks */
    run(SECOND_NS);
    expect_periods(PERIOD_NS);
}

static void cheap_samples_come_each_period(void **state)
{
    (void)state;
    samples_cost(CHEAP_NS);
    run(300 * US);
    expect_periods(PERIOD_NS);
    samples_cost(USUAL_NS); /* on a virtual machine */
    run(300 * US);
    expect_periods(PERIOD_NS);
}

static void dear_ones_come_seldom_to_who_waits_often(void **state)
{
    (void)state;
    samples_cost(DEAR_NS);
    run(300 * US);
    expect_periods(6 * PERIOD_NS);
    samples_cost(CHEAP_NS);
    run(300 * US);
    expect_periods(PERIOD_NS);
}

static void who_runs_long_is_sampled_each_period(void **state)
{
    (void)state;
    samples_cost(DEAR_NS);
    run(3000 * US);
    expect_periods(PERIOD_NS);
}

/* At its first sample a thread has not run for long, whatever it will do. */
static void a_young_thread_is_sampled_each_period(void **state)
{
    (void)state;
    samples_cost(DEAR_NS);
    sampler.wait_count = 1;
    sampler_choose(&sampler, 200 * US);
    expect_periods(PERIOD_NS);
}

static void it_does_not_change_at_every_look(void **state)
{
    (void)state;
    samples_cost(DEAR_NS);
    run(1000 * US);
    expect_periods(PERIOD_NS);
    run(500 * US);
    run(1000 * US);
    expect_periods(6 * PERIOD_NS);
}

static bool is_armed_in_a_wait(void)
{
    sampler_resume(&sampler);
    sampler.waits = true;
    if (sampler_clock_waits(&sampler, clock_wall_ns(), false))
        sampler_clock_hold(&sampler);
    bool is_armed = sampler.timer_is_set;
    sampler.waits = false;
    if (sampler_clock_goes_on(&sampler, clock_wall_ns()))
        sampler_clock_resume(&sampler);
    assert_true(sampler.timer_is_set);
    return is_armed;
}

static void a_timer_is_taken_down_for_a_wait_unless_that_is_dear(void **state)
{
    (void)state;
    assert_false(is_armed_in_a_wait());
    sampler.is_sparse = true;
    assert_true(is_armed_in_a_wait());
}

static void call_that_computes(bool sleeps)
{
    struct timespec a_while = {0, 50 * US};
    uint64_t began_ns = clock_wall_ns();
    sampler_clock_waits(&sampler, began_ns, true);
    if (sleeps)
        nanosleep(&a_while, NULL);
    while (clock_passed_ns(began_ns, clock_wall_ns()) < 50 * US)
        ;
    sampler_clock_goes_on(&sampler, clock_wall_ns());
}

/* A sendmsg() that the other end is woken by takes as long as a wait, and is none. */
static void a_timer_stays_for_calls_that_take_long_and_do_not_sleep(void **state)
{
    (void)state;
    sampler_resume(&sampler);
    call_that_computes(false); /* the first look sees all sleeps before */
    for (int i = 0; i < 8; i++)
        call_that_computes(false);
    assert_false(sampler_clock_waits(&sampler, clock_wall_ns(), true));
    call_that_computes(true);
    assert_true(sampler_clock_waits(&sampler, clock_wall_ns(), true));
}

static void sleep_in_a_call(bool may_compute)
{
    struct timespec while_ns = {0, 20000 * US};
    sampler.is_sparse = true;
    sampler_resume(&sampler);
    assert_false(sampler_clock_waits(&sampler, clock_wall_ns(), may_compute));
    nanosleep(&while_ns, NULL);
    assert_true(sampler_clock_slept(&sampler));
    sampler.fires_at_ns = sampler.held_ns; /* while it slept; the signal is late */
    sampler_clock_goes_on(&sampler, clock_wall_ns());
}

static void what_fires_in_sleep_is_no_sample(void **state)
{
    (void)state;
    sleep_in_a_call(false);
    assert_true(sampler_clock_was_early(&sampler, clock_cpu_ns(), false));
    sleep_in_a_call(true);
    assert_true(sampler_clock_was_early(&sampler, clock_cpu_ns(), false));
    assert_true(sampler.timer_is_set);
    assert_false(sampler_clock_was_early(&sampler, clock_cpu_ns(), false)); /* only that one */
}

/* Since the last sample so much CPU time has passed, some of which was ours, and the next is due. Returns the CPU time. */
static uint64_t passed_since_sample(uint64_t passed_ns, uint64_t ours_ns, uint64_t due_ns)
{
    uint64_t cpu_ns = clock_cpu_ns();
    sampler.sampled_cpu_ns = cpu_ns - passed_ns;
    sampler.excluded_ns = ours_ns;
    sampler.due_ns = due_ns;
    return cpu_ns;
}

/* Were it one in calls only, what is early elsewhere would be put off until it falls into one. */
static void what_is_early_is_no_sample_in_a_call_either(void **state)
{
    (void)state;
    uint64_t cpu_ns = passed_since_sample(300 * US, 100 * US, 300 * US);
    sampler.timer_is_set = false; /* it has fired */
    sampler.waits = true;
    assert_true(sampler_clock_was_early(&sampler, cpu_ns, false));
    assert_false(sampler.timer_is_set);
    assert_int_equal(sampler.rest_ns, 100 * US); /* after the call */
    sampler.waits = false;
    assert_true(sampler_clock_was_early(&sampler, cpu_ns, false));
    assert_true(sampler.timer_is_set);
    assert_false(sampler_clock_was_early(&sampler, cpu_ns + 100 * US, false));
}

static void what_is_early_by_little_is_one(void **state)
{
    (void)state;
    assert_false(sampler_clock_was_early(&sampler, passed_since_sample(500 * US, 100 * US, 500 * US), false));
    assert_true(sampler_clock_was_early(&sampler, passed_since_sample(500 * US, 200 * US, 500 * US), false));
}

/* The thread comes back where it has left, which is no place of chance. */
static void what_fires_while_the_core_is_given_away_is_none(void **state)
{
    (void)state;
    assert_true(sampler_clock_was_early(&sampler, passed_since_sample(500 * US, 100 * US, 500 * US), true));
    assert_int_equal(sampler.rest_ns, 100 * US);
    assert_true(sampler_clock_was_early(&sampler, passed_since_sample(600 * US, 0, 500 * US), true));
    assert_int_equal(sampler.rest_ns, 0);
    assert_true(sampler.timer_is_set);
    sampler.is_sparse = true;
    assert_true(sampler_clock_was_early(&sampler, clock_cpu_ns(), true));
    assert_false(sampler_clock_was_early(&sampler, clock_cpu_ns(), false));
}

static void what_fires_while_the_kernel_computes_is_one(void **state)
{
    (void)state;
    sampler.is_sparse = true;
    sampler_resume(&sampler);
    sampler_clock_waits(&sampler, clock_wall_ns(), true);
    while (clock_passed_ns(sampler.held_cpu_ns, clock_cpu_ns()) < 5000 * US)
        ;
    sampler.held_ns = clock_wall_ns() - 5000 * US; /* as if nobody else had wanted the core */
    assert_false(sampler_clock_slept(&sampler));
}

static void who_hardly_runs_is_sampled_on_ticks(void **state)
{
    (void)state;
    assert_true(sampler.timer_is_fine);
    sampler_hardly_runs(&sampler);
    assert_true(sampler.has_timer && sampler.timer_is_set && !sampler.timer_is_fine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(without_experiments_who_waits_often_is_sampled_seldom,
                                        begin_without_experiments, end),
        cmocka_unit_test_setup_teardown(without_experiments_who_runs_long_is_sampled_seldom_after_a_second,
                                        begin_without_experiments, end),
        cmocka_unit_test_setup_teardown(cheap_samples_come_each_period, begin, end),
        cmocka_unit_test_setup_teardown(dear_ones_come_seldom_to_who_waits_often, begin, end),
        cmocka_unit_test_setup_teardown(who_runs_long_is_sampled_each_period, begin, end),
        cmocka_unit_test_setup_teardown(a_young_thread_is_sampled_each_period, begin, end),
        cmocka_unit_test_setup_teardown(it_does_not_change_at_every_look, begin, end),
        cmocka_unit_test_setup_teardown(a_timer_is_taken_down_for_a_wait_unless_that_is_dear, begin, end),
        cmocka_unit_test_setup_teardown(who_hardly_runs_is_sampled_on_ticks, begin, end),
        cmocka_unit_test_setup_teardown(a_timer_stays_for_calls_that_take_long_and_do_not_sleep, begin, end),
        cmocka_unit_test_setup_teardown(what_is_early_by_little_is_one, begin, end),
        cmocka_unit_test_setup_teardown(what_is_early_is_no_sample_in_a_call_either, begin, end),
        cmocka_unit_test_setup_teardown(what_fires_in_sleep_is_no_sample, begin, end),
        cmocka_unit_test_setup_teardown(what_fires_while_the_core_is_given_away_is_none, begin, end),
        cmocka_unit_test_setup_teardown(what_fires_while_the_kernel_computes_is_one, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
