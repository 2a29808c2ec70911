/* Who the leaders are, and how wide their intervals. */
#include "experiment/session/certainty.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char first_point[] = "first", second_point[] = "second";

/* A result with so many windows at each of two speedups. */
static struct analysis_result result(const char *location, double low, double high,
                                     struct curve_point curve[2], size_t few, size_t many)
{
    curve[0] = (struct curve_point){.speedup = 0.25, .windows = few};
    curve[1] = (struct curve_point){.speedup = 0.5, .windows = many};
    return (struct analysis_result){.kind = "line",
                                    .location = location,
                                    .point = first_point,
                                    .impact = (low + high) / 2,
                                    .low = low,
                                    .high = high,
                                    .chance = (high - low) / 2,
                                    .curve = curve,
                                    .curve_count = 2};
}

static void test_leaders_reach_highest(void **state)
{
    (void)state;
    struct curve_point curve[5][2];
    /* Ranked by their lower ends, as the analysis ranks them. */
    struct analysis_result results[5] = {
        result("sure", 0.30, 0.34, curve[0], 9, 9),     result("next", 0.10, 0.14, curve[1], 9, 9),
        result("third", 0.02, 0.05, curve[2], 9, 9),    result("fourth", 0.01, 0.02, curve[3], 9, 9),
        result("unknown", -0.20, 0.60, curve[4], 9, 9),
    };
    const struct analysis_result *leaders[CERTAINTY_LEADERS] = {NULL};
    assert_int_equal(certainty_leaders(results, 5, leaders), 3);
    assert_string_equal(leaders[0]->location, "unknown");
    assert_string_equal(leaders[1]->location, "sure");
    assert_string_equal(leaders[2]->location, "next");
    assert_int_equal(certainty_leaders(results, 2, leaders), 2);
    assert_string_equal(leaders[0]->location, "sure");
    assert_int_equal(certainty_leaders(results, 0, leaders), 0);
    results[4].kind = "wait"; /* has few blocks beside lines */
    assert_int_equal(certainty_leaders(results, 5, leaders), 3);
    assert_string_equal(leaders[0]->location, "sure");
    assert_int_equal(certainty_leaders(results + 4, 1, leaders), 1);
    results[0].high = NAN; /* nothing is known of it: last */
    assert_int_equal(certainty_leaders(results, 3, leaders), 3);
    assert_string_equal(leaders[2]->location, "sure");
}

static void test_width(void **state)
{
    (void)state;
    struct curve_point curve[2];
    struct analysis_result one = result("a", 0.27, 0.33, curve, CERTAINTY_WINDOWS, 100);
    assert_true(fabs(certainty_width(&one) - 6) < 1e-9);
    curve[0].windows = CERTAINTY_WINDOWS - 1; /* at one speedup too few */
    assert_true(isinf(certainty_width(&one)));
    curve[0].windows = CERTAINTY_WINDOWS;
    one.low = 0.2; /* the method is off by more than chance: waiting does not help */
    assert_true(fabs(certainty_width(&one) - 6) < 1e-9);
    one = result("a", -INFINITY, 0.33, curve, 100, 100);
    assert_true(isinf(certainty_width(&one)));
    one.curve_count = 0;
    assert_true(isinf(certainty_width(&one)));
}

static void test_patience(void **state)
{
    (void)state;
    struct curve_point curve[2][2];
    struct analysis_result results[2] = {result("a", 0.2, 0.4, curve[0], 9, 9),
                                         result("b", 0.1, 0.16, curve[1], 9, 9)};
    assert_int_equal(certainty_patience(results, 0, 0.05).kind, PATIENCE_EARLY);
    struct patience patience = certainty_patience(results, 2, 0.05); /* half as wide: four times as long */
    assert_int_equal(patience.kind, PATIENCE_LEFT);
    assert_true(fabs(patience.times - 4) < 1e-6);
    assert_int_equal(certainty_patience(results, 2, 0.2).kind, PATIENCE_KNOWN);
    assert_int_equal(certainty_patience(results + 1, 1, 0.05).kind, PATIENCE_KNOWN);
    results[0].chance = 0.01; /* the rest is what the method is off */
    assert_int_equal(certainty_patience(results, 2, 0.05).kind, PATIENCE_NEVER);
    results[0].low = results[0].high = NAN; /* tried too seldom for an interval */
    assert_int_equal(certainty_patience(results, 2, 0.05).kind, PATIENCE_EARLY);
    results[1].low = 0;
    results[1].high = 0.3;
    results[1].chance = 0.15;
    assert_int_equal(certainty_patience(results, 2, 0.05).kind, PATIENCE_LEFT);
}

static void test_points_are_apart(void **state)
{
    (void)state;
    struct curve_point curve[2];
    struct analysis_result results[3] = {result("a", 0, 1, curve, 9, 9), result("b", 0, 1, curve, 9, 9),
                                         result("a", 0, 1, curve, 9, 9)};
    results[2].point = second_point;
    assert_int_equal(certainty_point_length(results, 3), 2);
    assert_int_equal(certainty_point_length(results + 2, 1), 1);
    assert_int_equal(certainty_point_length(results, 0), 0);
    results[1].metric = METRIC_LATENCY;
    assert_int_equal(certainty_point_length(results, 3), 1);
}

/* A block of windows whose target takes `share` of each visit; the noise is the same for each window of a
 * pair. */
static void add_block(struct analysis *analysis, const char *location, uint64_t number, double share,
                      double noise)
{
    for (uint64_t window = 1; window <= 3; window++) {
        double speedup = window == 2 ? 0.5 : 0;
        double length = 1e6 * (1 - share * speedup + (window == 2 ? noise : 0));
        struct profile_record record = {.type = PROFILE_EXPERIMENT,
                                        .experiment = {.selected = location,
                                                       .speedup = speedup,
                                                       .duration_ns = (uint64_t)(100 * length),
                                                       .has_block = true,
                                                       .block = number,
                                                       .window = window}};
        assert_int_equal(analysis_add(analysis, &record), 0);
        record = (struct profile_record){
            .type = PROFILE_THROUGHPUT,
            .throughput = {.name = "p", .delta = 100, .elapsed_ns = (uint64_t)(100 * length)}};
        assert_int_equal(analysis_add(analysis, &record), 0);
    }
}

static void test_more_blocks_make_it_sure(void **state)
{
    (void)state;
    struct analysis *analysis = analysis_new();
    assert_non_null(analysis);
    struct certainty certainty = certainty_of(analysis);
    assert_int_equal(certainty.leaders, 0);
    assert_true(isinf(certainty.widest));
    double before = INFINITY;
    for (uint64_t block = 1; block <= 64; block++) {
        add_block(analysis, "a.c:1", block, 0.4, block % 2 ? 0.05 : -0.05);
        add_block(analysis, "a.c:2", 100 + block, 0.1, block % 2 ? 0.01 : -0.01);
        if (block != CERTAINTY_WINDOWS - 1 && block != 8 && block != 64)
            continue;
        assert_int_equal(analysis_finish(analysis), 0);
        certainty = certainty_of(analysis);
        assert_int_equal(certainty.points, 1);
        assert_int_equal(certainty.leaders, 2);
        if (block < CERTAINTY_WINDOWS) {
            assert_true(isinf(certainty.widest));
            continue;
        }
        assert_true(certainty.widest < before);
        before = certainty.widest;
    }
    assert_true(before > 0 && before < 10);
    analysis_free(analysis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_leaders_reach_highest),
        cmocka_unit_test(test_width),
        cmocka_unit_test(test_patience),
        cmocka_unit_test(test_points_are_apart),
        cmocka_unit_test(test_more_blocks_make_it_sure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
