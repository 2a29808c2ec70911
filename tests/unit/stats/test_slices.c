/* A run's course in slices: nothing is lost when they become longer. */
#include "stats/answers/slices.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define MS 1000000ull

static struct slices slices;

static int begin(void **state)
{
    (void)state;
    slices = (struct slices){0};
    return 0;
}

static struct slice sum(void)
{
    struct slice sum = {0, 0};
    for (size_t i = 0; i < slices.count; i++) {
        sum.seen_ns += slices.all[i].seen_ns;
        sum.stolen_ns += slices.all[i].stolen_ns;
    }
    return sum;
}

static void assert_near(double value, double expected)
{
    assert_true(fabs(value - expected) < 1e-6 * fmax(1, fabs(expected)));
}

static void a_window_is_parted_among_its_slices(void **state)
{
    (void)state;
    slices_add(&slices, 30 * MS, 40 * MS, 8 * MS);
    assert_int_equal(slices.length_ns, 50 * MS);
    assert_int_equal(slices.count, 2);
    assert_near(slices.all[0].seen_ns, 20e6);
    assert_near(slices.all[0].stolen_ns, 4e6);
    assert_near(slices.all[1].seen_ns, 20e6);
    assert_near(slices.all[1].stolen_ns, 4e6);
}

static void long_runs_have_longer_slices(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 10000; i++)
        slices_add(&slices, 1 + i * 100 * MS, 90 * MS, i % 10 * MS);
    assert_in_range(slices.count, SLICES / 2, SLICES);
    assert_true(slices.length_ns * SLICES >= 10000 * 100 * MS);
    assert_near(sum().seen_ns, 10000 * 90e6);
    assert_near(sum().stolen_ns, 10000 * 4.5e6);
    for (size_t i = 0; i + 1 < slices.count; i++)
        assert_true(slices.all[i].seen_ns <= (double)slices.length_ns);
}

static void what_cannot_be_is_not_taken(void **state)
{
    (void)state;
    slices_add(&slices, UINT64_MAX - 5, 10, 0);
    slices_add(&slices, UINT64_MAX / 2, 10, 0);
    slices_add(&slices, 5, 0, 0);
    assert_int_equal(slices.count, 0);
    slices_add(&slices, 1, 10, 20); /* more stolen than there was */
    assert_near(sum().stolen_ns, 10);
    slices_add(&slices, 1, INT64_MAX, 20);
    assert_int_equal(slices.count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_window_is_parted_among_its_slices, begin),
        cmocka_unit_test_setup(long_runs_have_longer_slices, begin),
        cmocka_unit_test_setup(what_cannot_be_is_not_taken, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
