/* What an interval says, and how much longer it takes until it says something. */
#include "stats/answers/verdict.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct analysis_result result_of(double impact, double half, double chance)
{
    struct analysis_result result = {
        .impact = impact, .low = impact - half, .high = impact + half, .chance = chance};
    result.verdict = verdict_of(&result, 0);
    return result;
}

static void test_verdicts(void **state)
{
    (void)state;
    static const struct {
        double impact, half, allowed;
        enum analysis_verdict verdict;
    } cases[] = {
        {0.3, 0.1, 0.02, VERDICT_IMPROVES},
        {0.02, 0.01, 0.01, VERDICT_IMPROVES}, /* little, but sure */
        {-0.3, 0.1, 0.02, VERDICT_HARMFUL},
        {0, 0.05, 0, VERDICT_NO_EFFECT},
        {0.02, 0.029, 0, VERDICT_NO_EFFECT},
        {-0.02, 0.029, 0, VERDICT_NO_EFFECT},
        /* The whole interval must be small, not its middle only: these hold 0, and 0.06. */
        {0, 0.06, 0, VERDICT_TOO_LITTLE},
        {0.03, 0.031, 0, VERDICT_TOO_LITTLE},
        {-0.03, 0.031, 0, VERDICT_TOO_LITTLE},
        {0, 0.19, 0, VERDICT_TOO_LITTLE},
        /* No more than noise makes: small, or not known. */
        {0.02, 0.01, 0.03, VERDICT_NO_EFFECT},
        {0.1, 0.09, 0.15, VERDICT_TOO_LITTLE},
        {NAN, NAN, 0, VERDICT_TOO_LITTLE},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct analysis_result result = {.impact = cases[i].impact,
                                         .low = cases[i].impact - cases[i].half,
                                         .high = cases[i].impact + cases[i].half};
        if (verdict_of(&result, cases[i].allowed) != cases[i].verdict)
            fail_msg("case %zu: %d", i, (int)verdict_of(&result, cases[i].allowed));
    }
}

#define assert_near(value, expected) assert_true(fabs((value) - (expected)) <= 1e-9 * fabs(expected))

static void test_how_much_longer(void **state)
{
    (void)state;
    struct analysis_result result = result_of(0, 0.1, 0.1);
    /* Half the width takes four times as many windows. */
    assert_near(verdict_more(&result, 60), 180.0);
    /* Far from 0 as well, for the impact itself is little known yet. */
    result = result_of(0.08, 0.1, 0.1);
    assert_near(verdict_more(&result, 60), 180.0);
    /* Between 0 and 5 points the interval must leave out the one or the other. */
    result = result_of(0.02, 0.06, 0.06);
    assert_near(verdict_more(&result, 60), 180.0);
    result = result_of(-0.03, 0.06, 0.06);
    assert_near(verdict_more(&result, 60), 180.0);
    /* Of 0.13 the method makes 0.05, which stays: no length of run is enough. And of the next 0.03. */
    result = result_of(0, 0.13, 0.12);
    assert_true(isinf(verdict_more(&result, 60)));
    result = result_of(0, hypot(0.08, 0.03), 0.08);
    assert_near(verdict_more(&result, 60), 180.0);
    /* What is known needs nothing, and of what nothing is known nothing is reckoned. */
    result = result_of(0.3, 0.1, 0.1);
    assert_true(verdict_more(&result, 60) == 0);
    result = result_of(0, INFINITY, INFINITY);
    assert_true(isnan(verdict_more(&result, 60)));
    result = result_of(0, 0.1, 0.1);
    assert_true(isnan(verdict_more(&result, 0)));
}

/* When so much longer has gone by, and the interval has shrunk as reckoned, there is a verdict. */
static void test_then_there_is_a_verdict(void **state)
{
    (void)state;
    for (int step = -25; step <= 25; step++) {
        double impact = step * 0.004;
        for (double half = fabs(impact) + 0.06; half < 0.5; half *= 1.3) {
            struct analysis_result before = result_of(impact, half, half);
            double times = 1 + verdict_more(&before, 1) * 1.0001;
            struct analysis_result after = result_of(impact, half / sqrt(times), half / sqrt(times));
            assert_int_equal(before.verdict, VERDICT_TOO_LITTLE);
            assert_true(after.verdict != VERDICT_TOO_LITTLE);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verdicts),
        cmocka_unit_test(test_how_much_longer),
        cmocka_unit_test(test_then_there_is_a_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
