/* Which waits are counted, and for how many each speaks. */
#include "runtime/ledger/short_waits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { US = 1000, MS = 1000 * US };

static struct short_waits waits;
static uint64_t now_ns;

static int begin(void **state)
{
    (void)state;
    waits = (struct short_waits){.random = 1};
    now_ns = MS;
    return 0;
}

/* The thread ran, and then waited. */
static uint32_t wait_after(uint64_t ran_ns, uint64_t waited_ns)
{
    now_ns += ran_ns + waited_ns;
    return short_waits_share(&waits, waited_ns, now_ns);
}

static void the_shortest_are_none(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; i++)
        assert_int_equal(wait_after(10 * US, WAIT_COUNTS_NS - 1), 0);
}

static void rare_and_long_ones_speak_for_themselves(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(wait_after(MS, 30 * US), 1);
        assert_int_equal(wait_after(0, WAIT_SHORT_NS), 1);
    }
}

/* Two kinds by turns: each is counted as often as it comes, by few of its kind. */
static void some_speak_for_all(void **state)
{
    (void)state;
    enum { TURNS = 100000 };
    uint64_t told[2] = {0, 0}, taken = 0;
    for (int i = 0; i < TURNS; i++)
        for (int kind = 0; kind < 2; kind++) {
            uint32_t share = wait_after(5 * US, kind ? 60 * US : 25 * US);
            told[kind] += share;
            taken += share != 0;
        }
    assert_in_range(told[0], TURNS * 0.9, TURNS * 1.1);
    assert_in_range(told[1], TURNS * 0.9, TURNS * 1.1);
    assert_in_range(taken, 1, 2 * TURNS / 10);
}

static void long_ones_are_told_whole_among_many(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; i++) {
        wait_after(5 * US, 25 * US);
        if (i % 50 == 0)
            assert_int_equal(wait_after(5 * US, 5 * MS), 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(the_shortest_are_none, begin),
        cmocka_unit_test_setup(rare_and_long_ones_speak_for_themselves, begin),
        cmocka_unit_test_setup(some_speak_for_all, begin),
        cmocka_unit_test_setup(long_ones_are_told_whole_among_many, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
