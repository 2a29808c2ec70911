/* Which calls look like units of work, and when the question is settled. */
#include "experiment/points/publish.h"
#include "experiment/points/trial.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include "segment_fixture.h"

static struct trial trial;
static uint64_t now_ns;

/* The runtime counts, in a thread or another. */
static void call_often(unsigned call, uint64_t times)
{
    if (atomic_load(&segment->due.calls[call / 64]) & 1ull << call % 64)
        for (uint64_t i = 0; i < SEGMENT_CALL_COUNTERS; i++)
            atomic_fetch_add(&segment->call_counters[i].counts[call],
                             times / SEGMENT_CALL_COUNTERS + (i < times % SEGMENT_CALL_COUNTERS));
}

static bool pass_slice(void)
{
    return trial_look(&trial, now_ns += TRIAL_SLICE_NS);
}

static void begin(void)
{
    trial_begin(&trial, segment, now_ns = 1000000000);
}

static void test_units_of_work_are_told_by_worth_and_evenness(void **state)
{
    (void)state;
    struct trial_call calls[TRIAL_MOST];
    begin();
    for (int i = 0; i < TRIAL_SLICES; i++) {
        assert_int_equal(trial.state, TRIAL_GOES_ON);
        call_often(CALL_send, 130);
        call_often(CALL_recv, 130);
        call_often(CALL_write, i % 10 == 0 ? 1000 : 0);
        call_often(CALL_nanosleep, 100);
        call_often(CALL_openat, i < TRIAL_SLICES / 2 ? 500 : 0);
        assert_int_equal(pass_slice(), i == TRIAL_SLICES - 1);
    }
    assert_int_equal(trial.state, TRIAL_OVER);
    assert_int_equal(trial_rank(&trial, calls), 3);
    assert_int_equal(calls[0].call, CALL_send);
    assert_true(fabs(calls[0].rate - 1300) < 1);
    assert_true(calls[0].spread < 0.01);
    assert_int_equal(calls[1].call, CALL_recv);
    assert_int_equal(calls[2].call, CALL_write);
    assert_true(calls[2].spread > 1);
    assert_false(trial_look(&trial, now_ns + TRIAL_SLICE_NS));
}

static void test_what_chance_makes_of_a_rate_is_even(void **state)
{
    (void)state;
    static const unsigned char drawn[] = {3, 1, 2, 0, 4, 2, 1, 3, 2, 2};
    struct trial_call calls[TRIAL_MOST];
    begin();
    for (int i = 0; i < TRIAL_SLICES; i++) {
        call_often(CALL_fsync, drawn[i % 10]);
        pass_slice();
    }
    assert_int_equal(trial_rank(&trial, calls), 1);
    assert_true(calls[0].spread < 0.25);
}

/* One made all the time, and one in the first of ten slices, both too often to be counted in each. */
static void test_what_is_made_often_is_counted_seldom(void **state)
{
    (void)state;
    struct trial_call calls[TRIAL_MOST];
    unsigned counted = 0;
    begin();
    for (int i = 0; i < TRIAL_SLICES; i++) {
        counted += (unsigned)(atomic_load(&segment->due.calls[CALL_send / 64]) >> CALL_send % 64 & 1);
        call_often(CALL_send, 5000);
        call_often(CALL_recv, i % 10 ? 0 : 2000);
        pass_slice();
    }
    assert_int_equal(counted, TRIAL_SLICES / 5);
    assert_int_equal(trial_rank(&trial, calls), 2);
    assert_int_equal(calls[0].call, CALL_send);
    assert_true(fabs(calls[0].rate - 50000) < 1);
    assert_true(calls[0].spread < 0.01);
    assert_int_equal(calls[1].call, CALL_recv);
    assert_true(calls[1].rate > 1000 && calls[1].rate < 3000);
    assert_true(calls[1].spread > 1);
}

static void test_a_visit_ends_it(void **state)
{
    (void)state;
    begin();
    assert_false(pass_slice());
    atomic_fetch_add(&fake_point(segment, 0, POINT_THROUGHPUT, "request")->count, 1);
    atomic_store(&segment->points[0].key, 1);
    assert_false(pass_slice());
    assert_int_equal(trial.state, TRIAL_NEEDLESS);
    assert_int_equal(atomic_load(&segment->calls_are_tried), 0);
    assert_int_equal(atomic_load(&segment->due.calls[0]), 0);
    trial_end(&trial, now_ns);
    assert_int_equal(trial.state, TRIAL_NEEDLESS);
}

static void test_a_call_that_is_a_point_goes_on_being_counted(void **state)
{
    (void)state;
    assert_int_equal(points_add_call(segment, CALL_send, "call:send", NULL), 0);
    begin();
    trial_end(&trial, now_ns);
    assert_int_equal(trial.state, TRIAL_OVER);
    for (unsigned word = 0; word < SEGMENT_CALL_WORDS; word++)
        assert_int_equal(atomic_load(&segment->due.calls[word]),
                         word == CALL_send / 64 ? 1ull << CALL_send % 64 : 0);
}

static void test_a_short_program_is_told_of_too(void **state)
{
    (void)state;
    struct trial_call calls[TRIAL_MOST];
    begin();
    call_often(CALL_write, 40);
    trial_end(&trial, now_ns + TRIAL_SLICE_NS / 2);
    assert_int_equal(trial.state, TRIAL_OVER);
    assert_int_equal(trial_rank(&trial, calls), 1);
    assert_true(fabs(calls[0].rate - 800) < 1);
    assert_true(isnan(calls[0].spread));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_units_of_work_are_told_by_worth_and_evenness, segment_begin,
                                        segment_end),
        cmocka_unit_test_setup_teardown(test_what_chance_makes_of_a_rate_is_even, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(test_what_is_made_often_is_counted_seldom, segment_begin,
                                        segment_end),
        cmocka_unit_test_setup_teardown(test_a_visit_ends_it, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(test_a_call_that_is_a_point_goes_on_being_counted, segment_begin,
                                        segment_end),
        cmocka_unit_test_setup_teardown(test_a_short_program_is_told_of_too, segment_begin, segment_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
