/* How long a program is given to come to rest: longer as soon as windows show that it had not, and not
 * otherwise. */
#include "experiment/schedule/settling.h"

#include "base/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct settling settling;
static uint64_t seed;

static int begin(void **state)
{
    (void)state;
    seed = 1;
    settling_begin(&settling);
    return 0;
}

/* Even, from -width to width. */
static double noise(double width)
{
    return width * ((double)(random_next(&seed) >> 11) / (double)(1ull << 52) - 1);
}

/* A window whose first half took longer by `difference`. */
static bool note(uint32_t site, int permille, bool is_long, double difference)
{
    double halves[2] = {difference + noise(0.03), noise(0.03)};
    return settling_note(&settling, site, permille, is_long, halves);
}

static void a_program_at_rest_is_left_alone(void **state)
{
    (void)state;
    uint64_t at_first = settling.time_ns;
    for (int i = 0; i < 10000; i++)
        assert_false(note(1 + (uint32_t)i % 7, 250 * (1 + i % 4), i % 3 == 0, 0));
    assert_int_equal(settling.time_ns, at_first);
}

static void halves_that_differ_double_the_time(void **state)
{
    (void)state;
    uint64_t at_first = settling.time_ns;
    int windows = 1;
    while (!note(1, 250 * (1 + windows % 4), false, -0.1))
        assert_in_range(++windows, 1, 20);
    assert_int_equal(settling.time_ns, 2 * at_first);
    for (int i = 0; i < 5; i++)
        assert_false(note(1, 250, false, -0.1)); /* what was seen before says nothing of the longer time */
}

/* The queue drains slowly at 50 % only. All speedups together hide it. */
static void long_windows_are_told_apart_by_speedup(void **state)
{
    (void)state;
    bool found = false;
    for (int i = 0; i < 24 && !found; i++)
        found = note(1, 250 * (1 + i % 4), true, i % 4 == 1 ? -0.07 : 0);
    assert_true(found);
}

static void it_does_not_grow_without_end(void **state)
{
    (void)state;
    int longer = 0;
    for (int i = 0; i < 10000; i++)
        longer += note(1, 500, true, -0.2);
    assert_in_range(longer, 1, 6);
    assert_true(settling.time_ns <= 400000000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_program_at_rest_is_left_alone, begin),
        cmocka_unit_test_setup(halves_that_differ_double_the_time, begin),
        cmocka_unit_test_setup(long_windows_are_told_apart_by_speedup, begin),
        cmocka_unit_test_setup(it_does_not_grow_without_end, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
