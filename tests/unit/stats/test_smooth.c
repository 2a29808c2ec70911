/* What one speedup says about the others: noise gets less, corners stay, and nothing is sure that was not
 * seen. */
#include "base/random.h"
#include "stats/numbers/smooth.h"

#include "stats/numbers/quantile.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { POINTS = 4, RUNS = 1000 };

static double speedups[POINTS] = {0.25, 0.5, 0.75, 1};

static uint64_t random_state;

static double normal(void)
{
    double u = ((double)(random_next(&random_state) >> 11) + 0.5) / (double)(1ull << 53);
    return quantile_normal(u);
}

/* What smoothing makes of many noisy measurements of the same curve. */
struct outcome {
    double raw, smoothed, bias; /* mean absolute errors, and the mean error at its worst point */
    double coverage;            /* of 95 % intervals, at the worst point */
};

static struct outcome try_out(const double *truth, double error, double correlation, double share)
{
    struct outcome outcome = {0};
    double off[POINTS] = {0};
    int held[POINTS] = {0};
    random_state = 1;
    for (int run = 0; run < RUNS; run++) {
        struct smooth_point points[POINTS];
        double together = normal();
        for (int i = 0; i < POINTS; i++) {
            double noise = sqrt(correlation) * together + sqrt(1 - correlation) * normal();
            double effect = 1 - (1 - truth[i]) * exp(error * noise);
            points[i] = (struct smooth_point){speedups[i], effect, error};
            outcome.raw += fabs(effect - truth[i]) / (RUNS * POINTS);
        }
        assert_int_equal(smooth(points, POINTS, correlation, share), 0);
        for (int i = 0; i < POINTS; i++) {
            double wrong = points[i].effect - truth[i];
            outcome.smoothed += fabs(wrong) / (RUNS * POINTS);
            off[i] += wrong / RUNS;
            held[i] += fabs(wrong) <= 1.96 * points[i].error * (1 - points[i].effect);
        }
    }
    int least_held = RUNS;
    for (int i = 0; i < POINTS; i++) {
        outcome.bias = fabs(off[i]) > outcome.bias ? fabs(off[i]) : outcome.bias;
        least_held = held[i] < least_held ? held[i] : least_held;
    }
    outcome.coverage = (double)least_held / RUNS;
    return outcome;
}

static void a_straight_line_gets_nearer(void **state)
{
    const double truth[POINTS] = {0.1, 0.2, 0.3, 0.4};
    (void)state;
    for (double error = 0.01; error < 0.2; error *= 2) {
        struct outcome outcome = try_out(truth, error, 0, NAN);
        assert_true(outcome.smoothed < 0.65 * outcome.raw);
        assert_true(outcome.bias < 0.2 * error);
        assert_true(outcome.coverage > 0.93);
    }
}

/* Just as slow as something else beside it: a corner at 0 itself. */
static void a_corner_at_0_stays(void **state)
{
    static const double both[POINTS] = {-0.5, -0.25, 0.25, 0.5}, one[POINTS] = {0.25, 0.5, 0.75, 1};
    const double truth[POINTS] = {-0.3, -0.15, 0, 0};
    (void)state;
    memcpy(speedups, both, sizeof both);
    struct outcome outcome = try_out(truth, 0.01, 0, NAN);
    memcpy(speedups, one, sizeof one);
    assert_true(outcome.smoothed < 0.92 * outcome.raw);
    assert_true(outcome.bias < 0.3 * 0.01);
    assert_true(outcome.coverage > 0.93);
}

static void errors_in_common_do_not_make_it_surer(void **state)
{
    const double truth[POINTS] = {0.1, 0.2, 0.3, 0.4};
    (void)state;
    for (double correlation = 0.2; correlation < 1; correlation += 0.3)
        assert_true(try_out(truth, 0.05, correlation, NAN).coverage > 0.93);
}

/* Something else becomes the bottleneck: it is seen as soon as it can be told from noise. */
static void a_corner_stays(void **state)
{
    const double truth[POINTS] = {0.25, 0.32, 0.32, 0.32};
    (void)state;
    for (double error = 0.01; error < 0.05; error *= 2) {
        struct outcome outcome = try_out(truth, error, 0, NAN);
        assert_true(outcome.smoothed < 1.05 * outcome.raw);
        assert_true(outcome.coverage > 0.88);
    }
}

/* A line cannot save more time than it takes, as a rule. */
static void a_share_takes_noise_back(void **state)
{
    const double all[POINTS] = {0.05, 0.1, 0.15, 0.2}, half[POINTS] = {0.05, 0.1, 0.1, 0.1},
                 none[POINTS] = {0};
    const double *truths[] = {all, half, none}, bars[] = {0.8, 0.9, 1};
    (void)state;
    for (int i = 0; i < 3; i++) {
        struct outcome with = try_out(truths[i], 0.08, 0, 0.2), without = try_out(truths[i], 0.08, 0, NAN);
        assert_true(with.smoothed < bars[i] * without.smoothed);
        assert_true(with.coverage > 0.93);
    }
}

/* A transaction that is disturbed more seldom, and a line that is in the way. */
static void what_stands_out_of_a_share_stays(void **state)
{
    (void)state;
    for (int sign = -1; sign <= 1; sign += 2) {
        struct smooth_point points[POINTS];
        for (int i = 0; i < POINTS; i++)
            points[i] = (struct smooth_point){speedups[i], sign * 0.4 * speedups[i], 0.01};
        assert_int_equal(smooth(points, POINTS, 0, 0.1), 0);
        for (int i = 0; i < POINTS; i++)
            assert_true(fabs(points[i].effect - sign * 0.4 * speedups[i]) < 0.01);
    }
}

static void a_share_makes_nothing_surer(void **state)
{
    struct smooth_point with[POINTS] = {
        {0.25, 0.02, 0.05}, {0.5, 0.1, 0.05}, {0.75, 0.05, 0.05}, {1, 0.1, 0.05}};
    struct smooth_point without[POINTS];
    (void)state;
    memcpy(without, with, sizeof with);
    assert_int_equal(smooth(with, POINTS, 0, 0.1), 0);
    assert_int_equal(smooth(without, POINTS, 0, NAN), 0);
    for (int i = 0; i < POINTS; i++)
        assert_true(fabs(with[i].error * (1 - with[i].effect) - without[i].error * (1 - without[i].effect)) <
                    0.005);
}

static void what_is_sure_is_left_as_it_is(void **state)
{
    const double truth[POINTS] = {0.3, -0.2, 0.5, 0.1};
    struct smooth_point points[POINTS];
    (void)state;
    for (int i = 0; i < POINTS; i++)
        points[i] = (struct smooth_point){speedups[i], truth[i], 1e-6};
    assert_int_equal(smooth(points, POINTS, 0.5, NAN), 0);
    for (int i = 0; i < POINTS; i++)
        assert_float_equal(points[i].effect, truth[i], 1e-4);
}

static void what_is_unknown_follows_from_its_neighbours(void **state)
{
    struct smooth_point points[POINTS] = {
        {0.25, 0.1, 0.005}, {0.5, 99, INFINITY}, {0.75, 0.3, 0.005}, {1, 0.4, 0.005}};
    (void)state;
    assert_int_equal(smooth(points, POINTS, 0, NAN), 0);
    assert_float_equal(points[1].effect, 0.2, 0.02);
    assert_true(points[1].error > points[0].error && points[1].error < 0.1);
}

/* Slowdowns are another branch: a corner at 0 is no surprise. */
static void slowdowns_bend_on_their_own(void **state)
{
    struct smooth_point points[] = {
        {-0.5, -0.5, 0.01}, {-0.25, -0.25, 0.01}, {0.25, 0, 0.01}, {0.5, 0, 0.01}};
    (void)state;
    assert_int_equal(smooth(points, 4, 0, NAN), 0);
    assert_float_equal(points[0].effect, -0.5, 0.02);
    assert_float_equal(points[3].effect, 0, 0.02);
}

static void one_point_and_none(void **state)
{
    struct smooth_point point = {0.5, 0.25, 0.02};
    (void)state;
    assert_int_equal(smooth(NULL, 0, 0, NAN), 0);
    assert_int_equal(smooth(&point, 1, 0, NAN), 0);
    assert_float_equal(point.effect, 0.25, 0.001);
    assert_float_equal(point.error, 0.02, 0.001);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_straight_line_gets_nearer),
        cmocka_unit_test(a_corner_at_0_stays),
        cmocka_unit_test(errors_in_common_do_not_make_it_surer),
        cmocka_unit_test(a_corner_stays),
        cmocka_unit_test(a_share_takes_noise_back),
        cmocka_unit_test(what_stands_out_of_a_share_stays),
        cmocka_unit_test(a_share_makes_nothing_surer),
        cmocka_unit_test(what_is_sure_is_left_as_it_is),
        cmocka_unit_test(what_is_unknown_follows_from_its_neighbours),
        cmocka_unit_test(slowdowns_bend_on_their_own),
        cmocka_unit_test(one_point_and_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
