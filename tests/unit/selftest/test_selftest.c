/* How a selftest judges what was said, and how it makes a truth of its rounds. */
#include "selftest/judge.h"
#include "selftest/truth.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct selftest_effect effect(double value, double half_width)
{
    return (struct selftest_effect){value, value - half_width, value + half_width};
}

/* All lines as they should be. */
static struct selftest perfect(void)
{
    struct selftest selftest = {.cores = 2};
    for (size_t i = 0; i < SELFTEST_LINES; i++)
        selftest.lines[i] = (struct selftest_line){
            .program = "p", .truth = effect(0.3, 0.01), .said = effect(0.31, 0.02), .windows = 20};
    return selftest;
}

static void test_all_right(void **state)
{
    (void)state;
    struct selftest selftest = perfect();
    selftest_judge(&selftest);
    assert_true(selftest.trusted);
    assert_int_equal(selftest.marks[SELFTEST_RIGHT], SELFTEST_LINES);
    assert_true(fabs(selftest.mean_error - 0.01) < 1e-9);
    assert_true(fabs(selftest.largest_error - 0.01) < 1e-9);
}

/* One line that is not as the others decides. */
static void expect_mark(struct selftest_effect truth, struct selftest_effect said, enum selftest_mark mark)
{
    struct selftest selftest = perfect();
    selftest.lines[5].truth = truth;
    selftest.lines[5].said = said;
    selftest_judge(&selftest);
    assert_int_equal(selftest.lines[5].mark, mark);
    assert_int_equal(selftest.marks[mark], mark == SELFTEST_RIGHT ? SELFTEST_LINES : 1);
    assert_int_equal(selftest.trusted, mark == SELFTEST_RIGHT);
}

static void test_marks(void **state)
{
    (void)state;
    const double nothing = NAN;
    expect_mark(effect(0.30, 0.01), effect(0.349, 0.001),
                SELFTEST_RIGHT); /* near, if outside of the interval */
    expect_mark(effect(0.30, 0.01), effect(0.36, 0.02), SELFTEST_WRONG);
    expect_mark(effect(0.30, 0.01), effect(0.24, 0.02), SELFTEST_WRONG);
    expect_mark(effect(0.30, 0.01), effect(0.36, 0.06), SELFTEST_UNSURE); /* the intervals meet */
    expect_mark(effect(0.30, 0.01), effect(0.31, 0.11), SELFTEST_UNSURE); /* too wide to have said anything */
    expect_mark(effect(0.30, 0.11), effect(0.31, 0.01), SELFTEST_UNSURE); /* too wide to be a truth */
    expect_mark(effect(0.30, 0.01), effect(0.31, INFINITY), SELFTEST_UNSURE);
    expect_mark(effect(0.30, 0.01), effect(nothing, nothing), SELFTEST_SILENT);
}

static void test_silence_has_no_error(void **state)
{
    (void)state;
    struct selftest selftest = perfect();
    for (size_t i = 0; i < SELFTEST_LINES; i++)
        selftest.lines[i].said = (struct selftest_effect){NAN, NAN, NAN};
    selftest_judge(&selftest);
    assert_true(isnan(selftest.mean_error) && isnan(selftest.largest_error));
    assert_false(selftest.trusted);
    selftest.lines[3].said = effect(0.2, 0.01);
    selftest_judge(&selftest);
    assert_true(fabs(selftest.mean_error - 0.1) < 1e-9);
}

static void test_truth_of_rounds(void **state)
{
    (void)state;
    struct truth truth = {.rounds = 5};
    for (size_t i = 0; i < truth.rounds; i++) {
        truth.ratios[0][i] = log(0.65);
        truth.ratios[1][i] = log(0.85) + ((double)i - 2) * 0.01;
    }
    struct selftest_effect sure = truth_effect(&truth, 0), spread = truth_effect(&truth, 1);
    assert_true(fabs(sure.value - 0.35) < 1e-9 && fabs(sure.low - 0.35) < 1e-9);
    assert_true(spread.low < spread.value && spread.value < spread.high);
    assert_true(fabs(spread.value - 0.15) < 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_right),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_silence_has_no_error),
        cmocka_unit_test(test_truth_of_rounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
