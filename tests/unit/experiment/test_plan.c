/* Blocks: a baseline before, between and after; every speedup once; the order from the seed. */
#include "experiment/schedule/plan.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const int speedups[] = {250, 500, 0, 750, 1000, -500};
enum { GIVEN = sizeof speedups / sizeof *speedups, USED = GIVEN - 1 };

static void baselines_stand_between_speedups(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct plan plan;
        uint64_t random = seed;
        plan_block(&plan, speedups, GIVEN, PLAN_SPEEDUPS, 0, &random);
        assert_int_equal(plan.windows, 2 * USED + 1);
        for (size_t i = 0; i < plan.windows; i++)
            assert_int_equal(plan.permille[i] == 0, i % 2 == 0);
    }
}

static void every_speedup_comes_once(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 100; seed++) {
        struct plan plan;
        uint64_t random = seed;
        plan_block(&plan, speedups, GIVEN, PLAN_SPEEDUPS, 0, &random);
        for (int i = 0; i < GIVEN; i++) {
            int times = 0;
            for (size_t k = 1; k < plan.windows; k += 2)
                times += plan.permille[k] == speedups[i];
            assert_int_equal(times, speedups[i] != 0);
        }
    }
}

static void a_short_block_holds_some_of_them(void **state)
{
    (void)state;
    struct plan plan;
    uint64_t seed = 1;
    plan_block(&plan, speedups, GIVEN, 2, 0, &seed);
    assert_int_equal(plan.windows, 5);
    assert_int_not_equal(plan.permille[1], plan.permille[3]);
}

static void short_blocks_take_turns(void **state)
{
    (void)state;
    for (size_t most = 1; most <= USED; most++) {
        int times[GIVEN] = {0};
        uint64_t seed = 7;
        for (size_t turn = 0; turn < USED; turn++) {
            struct plan plan;
            plan_block(&plan, speedups, GIVEN, most, turn, &seed);
            for (size_t k = 1; k < plan.windows; k += 2)
                for (int i = 0; i < GIVEN; i++)
                    times[i] += plan.permille[k] == speedups[i];
        }
        for (int i = 0; i < GIVEN; i++)
            assert_int_equal(times[i], speedups[i] ? most : 0);
    }
}

static void order_comes_from_the_seed(void **state)
{
    (void)state;
    struct plan a, b;
    uint64_t seed_a = 42, seed_b = 42, first[USED] = {0};
    for (int i = 0; i < 1000; i++) {
        plan_block(&a, speedups, GIVEN, PLAN_SPEEDUPS, 0, &seed_a);
        plan_block(&b, speedups, GIVEN, PLAN_SPEEDUPS, 0, &seed_b);
        assert_memory_equal(a.permille, b.permille, a.windows * sizeof *a.permille);
        for (int k = 0; k < USED; k++)
            first[k] += a.permille[1] == speedups[k + (k >= 2)];
    }
    /* Each comes first about as often: 200 times, give or take six standard deviations. */
    for (int k = 0; k < USED; k++)
        assert_in_range(first[k], 200 - 76, 200 + 76);
}

static void nothing_to_try_is_one_baseline(void **state)
{
    (void)state;
    struct plan plan;
    uint64_t seed = 1;
    plan_block(&plan, NULL, 0, PLAN_SPEEDUPS, 0, &seed);
    assert_int_equal(plan.windows, 1);
    plan_block(&plan, (const int[]){0}, 1, PLAN_SPEEDUPS, 0, &seed);
    assert_int_equal(plan.windows, 1);
    assert_int_equal(plan.permille[0], 0);
}

static void the_most_there_can_be_fits(void **state)
{
    (void)state;
    static int many[PLAN_SPEEDUPS + 50];
    struct plan plan;
    uint64_t seed = 1;
    for (int i = 0; i < PLAN_SPEEDUPS + 50; i++)
        many[i] = i + 1;
    plan_block(&plan, many, PLAN_SPEEDUPS + 50, PLAN_SPEEDUPS, 0, &seed);
    assert_int_equal(plan.windows, PLAN_WINDOWS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_blocks_take_turns),    cmocka_unit_test(baselines_stand_between_speedups),
        cmocka_unit_test(every_speedup_comes_once),   cmocka_unit_test(a_short_block_holds_some_of_them),
        cmocka_unit_test(order_comes_from_the_seed),  cmocka_unit_test(nothing_to_try_is_one_baseline),
        cmocka_unit_test(the_most_there_can_be_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
