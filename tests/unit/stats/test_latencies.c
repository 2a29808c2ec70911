/* What units took, for each target at each speedup; how many came and went. */
#include "stats/latency/latencies.h"

#include "base/log_buckets.h"
#include "base/random.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { MS = 1000000, BLOCKS = 24, UNITS = 200, MOST = 8 };

static struct latencies *latencies;

static int begin(void **state)
{
    (void)state;
    return (latencies = latencies_new()) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    latencies_free(latencies);
    return 0;
}

static void add(struct profile_record record)
{
    assert_int_equal(latencies_add(latencies, &record), 0);
}

static void add_window(const char *target, uint64_t block, double speedup)
{
    add((struct profile_record){.type = PROFILE_EXPERIMENT,
                                .experiment = {.selected = target,
                                               .speedup = speedup,
                                               .duration_ns = 100 * MS,
                                               .has_block = true,
                                               .block = block}});
}

static void add_flow(uint64_t arrivals, uint64_t departures, double in_progress)
{
    add((struct profile_record){.type = PROFILE_LATENCY,
                                .latency = {"unit", arrivals, departures, in_progress, 100 * MS}});
}

static void add_unit(double ns)
{
    add((struct profile_record){.type = PROFILE_LATENCY_TIMES,
                                .latency_times = {"unit", log_bucket((uint64_t)ns), "1", 0, 0}});
}

/* Exponential times of that mean: the median is 0.693 of it, and 2.303 and 4.605 are exceeded by 10 and 1 %. */
static void add_units(double mean_ns, uint64_t *seed)
{
    for (int i = 0; i < UNITS; i++)
        add_unit(-log(1 - random_unit(seed)) * mean_ns);
}

static void add_blocks(const char *target, double saved, uint64_t *seed)
{
    for (uint64_t block = 0; block < BLOCKS; block++)
        for (int window = 0; window < 3; window++) {
            add_window(target, block, window == 1 ? 0.5 : 0);
            add_units(MS * (window == 1 ? 1 - saved : 1), seed);
        }
}

static void quantiles_and_what_a_speedup_saves_of_them(void **state)
{
    (void)state;
    static const double times[] = {0.693, 2.303, 4.605};
    struct latency_at all[MOST];
    uint64_t seed = 1;
    add_blocks("a.c:1", 0.4, &seed);
    add_blocks("b.c:1", 0, &seed);
    assert_int_equal(latencies_of(latencies, "line", "a.c:1", "unit", all, MOST), 2);
    assert_true(all[0].speedup == 0);
    assert_int_equal(all[0].units, 2 * BLOCKS * UNITS);
    assert_true(fabs(all[1].speedup - 0.5) < 1e-9);
    for (int q = 0; q < LATENCY_QUANTILES; q++) {
        assert_true(fabs(all[0].ns[q].value / (times[q] * MS) - 1) < 0.1);
        assert_true(all[0].ns[q].low < all[0].ns[q].value && all[0].ns[q].value < all[0].ns[q].high);
        assert_true(fabs(all[1].effects[q].value - 0.4) < 0.08);
        assert_true(all[1].effects[q].low < 0.4 && 0.4 < all[1].effects[q].high);
        assert_true(isnan(all[0].effects[q].value));
    }
    assert_int_equal(latencies_of(latencies, "line", "b.c:1", "unit", all, MOST), 2);
    assert_true(all[1].effects[0].low < 0 && 0 < all[1].effects[0].high);
    assert_int_equal(latencies_of(latencies, "function", "a.c:1", "unit", all, MOST), 0);
    assert_int_equal(latencies_of(latencies, "line", "a.c:1", "another", all, MOST), 0);
}

/* Of twenty such profiles, the truth is in nearly all intervals of each quantile; and they are not as wide as a house. */
static void intervals_hold_the_truth(void **state)
{
    (void)state;
    int inside[LATENCY_QUANTILES] = {0};
    double wide = 0;
    uint64_t seed = 7;
    for (int i = 0; i < 20; i++) {
        char target[16];
        struct latency_at all[MOST];
        snprintf(target, sizeof target, "a.c:%d", i + 1);
        add_blocks(target, 0.4, &seed);
        assert_int_equal(latencies_of(latencies, "line", target, "unit", all, MOST), 2);
        for (int q = 0; q < LATENCY_QUANTILES; q++) {
            const struct latency_value *effect = &all[1].effects[q];
            inside[q] += effect->low < 0.4 && 0.4 < effect->high;
            wide = fmax(wide, effect->high - effect->low);
        }
    }
    for (int q = 0; q < LATENCY_QUANTILES; q++)
        assert_true(inside[q] >= 17);
    assert_true(wide < 0.4);
}

/* The slowest hundredth of a hundred units is one unit. */
static void few_units_tell_no_rare_ones(void **state)
{
    (void)state;
    struct latency_at all[MOST];
    add_window("a.c:1", 1, 0);
    for (int i = 0; i < 100; i++)
        add_unit(MS);
    assert_int_equal(latencies_of(latencies, "line", "a.c:1", "unit", all, MOST), 1);
    assert_true(fabs(all[0].ns[0].value / MS - 1) < 0.04);
    assert_true(isnan(all[0].ns[0].low)); /* one block */
    assert_true(all[0].ns[1].value > 0);
    assert_true(isnan(all[0].ns[2].value));
}

static void rates_and_means_are_of_windows(void **state)
{
    (void)state;
    struct latency_point point;
    assert_false(latencies_point(latencies, "unit", &point));
    add_window("a.c:1", 1, 0);
    add_flow(50, 49, 2);
    add_window("a.c:1", 1, 0.5);
    add_flow(50, 51, 1);
    assert_true(latencies_point(latencies, "unit", &point));
    assert_true(fabs(point.arrivals_s - 500) < 1e-6);
    assert_true(fabs(point.departures_s - 490) < 1e-6); /* when nothing is changed */
    assert_true(fabs(point.mean_ns - 4 * MS) < 1);      /* 2 for 100 ms, by 50 */
    assert_true(fabs(point.in_progress - 2) < 1e-9);
    assert_int_equal(point.flow, FLOW_STEADY);
    assert_int_equal(point.at.units, 0);
}

static enum latency_flow flow_after(int windows, int more, int wobble)
{
    struct latency_point point;
    for (int i = 0; i < windows; i++) {
        add_window("a.c:1", (uint64_t)i, 0);
        add_flow((uint64_t)(500 + more + (i % 2 ? wobble : -wobble)), 500, 100);
    }
    assert_true(latencies_point(latencies, "unit", &point));
    return point.flow;
}

static void a_queue_that_grows_is_noticed(void **state)
{
    (void)state;
    assert_int_equal(flow_after(60, 10, 15), FLOW_GROWS);
}

/* Where a speedup makes it drain again, it is no steadier for that. */
static void one_that_drains_in_other_windows_is_noticed(void **state)
{
    (void)state;
    struct latency_point point;
    for (uint64_t i = 0; i < 60; i++) {
        add_window("a.c:1", i, 0);
        add_flow(520, 500, 100);
        add_window("a.c:1", i, 0.5);
        add_flow(500, 520, 100);
    }
    assert_true(latencies_point(latencies, "unit", &point));
    assert_int_equal(point.flow, FLOW_GROWS);
}

static void one_that_wanders_is_not(void **state)
{
    (void)state;
    assert_int_equal(flow_after(61, 0, 60), FLOW_STEADY);
}

static void more_ends_than_begins_are_noticed(void **state)
{
    (void)state;
    assert_int_equal(flow_after(60, -20, 5), FLOW_UNMATCHED);
}

/* Nobody's profile makes us read or write beyond anything. */
static void counts_that_are_none_are_passed_over(void **state)
{
    (void)state;
    static const char *const bad[] = {"x", "1 2 x", "-1", "1,2", "99999999999999999999999"};
    struct latency_at all[MOST];
    add_window("a.c:1", 1, 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        add((struct profile_record){.type = PROFILE_LATENCY_TIMES,
                                    .latency_times = {"unit", LOG_BUCKETS - 2, bad[i], 0, 0}});
    add((struct profile_record){.type = PROFILE_LATENCY_TIMES,
                                .latency_times = {"unit", UINT64_MAX, "1 1 1", 0, 0}});
    add((struct profile_record){.type = PROFILE_LATENCY_TIMES,
                                .latency_times = {"unit", LOG_BUCKETS - 1, "1 1", 0, 0}});
    assert_int_equal(latencies_of(latencies, "line", "a.c:1", "unit", all, MOST), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(quantiles_and_what_a_speedup_saves_of_them, begin, end),
        cmocka_unit_test_setup_teardown(intervals_hold_the_truth, begin, end),
        cmocka_unit_test_setup_teardown(few_units_tell_no_rare_ones, begin, end),
        cmocka_unit_test_setup_teardown(rates_and_means_are_of_windows, begin, end),
        cmocka_unit_test_setup_teardown(a_queue_that_grows_is_noticed, begin, end),
        cmocka_unit_test_setup_teardown(one_that_drains_in_other_windows_is_noticed, begin, end),
        cmocka_unit_test_setup_teardown(one_that_wanders_is_not, begin, end),
        cmocka_unit_test_setup_teardown(more_ends_than_begins_are_noticed, begin, end),
        cmocka_unit_test_setup_teardown(counts_that_are_none_are_passed_over, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
