/* How many hooks pass without settling the thread. */
#include "runtime/thread/budget.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { US = 1000 };

/* Settled at hooks that come this far apart, until that changes nothing any more. */
static void live_by(struct budget *budget, uint64_t *now_ns, uint64_t between_hooks_ns)
{
    for (int i = 0; i < 100; i++) {
        *now_ns += between_hooks_ns * (budget->between + 1);
        budget_choose(budget, *now_ns);
        budget_settled(budget, *now_ns, 3 * *now_ns);
    }
}

static void who_calls_hooks_all_the_time_is_settled_every_10_to_20_us(void **state)
{
    (void)state;
    struct budget budget = {0};
    uint64_t now_ns = 1000 * US;
    live_by(&budget, &now_ns, 500);
    uint64_t settled_every_ns = 500 * (budget.between + 1);
    assert_in_range(settled_every_ns, 10 * US, 20 * US);
    live_by(&budget, &now_ns, 30 * US);
    assert_int_equal(budget.between, 0);
}

static void after_four_calls_that_return_at_once_the_next_one_does(void **state)
{
    (void)state;
    struct budget budget = {0};
    for (int i = 0; i < 4; i++) {
        assert_false(budget_returns_at_once(&budget));
        budget_note_call(&budget, true);
    }
    assert_true(budget_returns_at_once(&budget));
    budget_note_call(&budget, true);
    budget_note_call(&budget, false);
    assert_false(budget_returns_at_once(&budget));
}

static void no_more_than_255_pass(void **state)
{
    (void)state;
    struct budget budget = {0};
    uint64_t now_ns = 1000 * US;
    live_by(&budget, &now_ns, 1);
    assert_int_equal(budget.between, 255);
}

static void a_hook_after_long_work_is_not_passed(void **state)
{
    (void)state;
    struct budget budget = {0};
    /* Three ticks a nanosecond. */
    budget_settled(&budget, 1000 * US, 3000 * US);
    budget_settled(&budget, 3000 * US, 9000 * US);
    budget_choose(&budget, 3001 * US);
    budget_settled(&budget, 3001 * US, 9003 * US);
    assert_int_equal(budget.left, 1);
    assert_false(budget_passes(&budget, 9003 * US + 301 * US));
    assert_int_equal(budget.left, 1);
    assert_true(budget_passes(&budget, 9003 * US + 299 * US));
    assert_int_equal(budget.left, 0);
}

static void a_sample_brings_no_settlement_nearer(void **state)
{
    (void)state;
    struct budget budget = {
        .settled_ns = 500 * US, .settled_ticks = 1000 * US, .stale_ticks = 300 * US, .left = 3};
    assert_false(budget_passes(&budget, 1310 * US));
    budget_skip(&budget, 50 * US);
    assert_int_equal(budget.settled_ns, 550 * US);
    assert_true(budget_passes(&budget, 1310 * US));
}

static void who_waits_for_a_moment_passes_as_many_as_before(void **state)
{
    (void)state;
    struct budget budget = {.between = 7, .left = 5, .settled_ns = 500 * US, .stale_ticks = 300 * US};
    budget_settle_next(&budget);
    assert_int_equal(budget.left, 0);
    budget_choose(&budget, 515 * US);
    assert_int_equal(budget.left, 7);
    budget_pass_none(&budget);
    budget_choose(&budget, 515 * US);
    assert_int_equal(budget.left, 0);
}

static void who_passes_hooks_is_settled_soon(void **state)
{
    (void)state;
    struct budget budget = {.between = 1, .settled_ns = 500 * US};
    assert_false(budget_settles_soon(&budget, 501 * US)); /* a lock and an unlock, and then who knows */
    budget.between = BUDGET_OFTEN;
    assert_true(budget_settles_soon(&budget, 539 * US));
    assert_false(budget_settles_soon(&budget, 541 * US)); /* it does something else by now */
    budget_pass_none(&budget);
    assert_false(budget_settles_soon(&budget, 501 * US));
}

static void a_counter_that_goes_back_passes_no_hook(void **state)
{
    (void)state;
    struct budget budget = {.settled_ticks = 1000 * US, .stale_ticks = 300 * US, .left = 3};
    assert_false(budget_passes(&budget, 999 * US));
}

int main(void)
{
    budget_begin(1000 * US, 3000 * US);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_calls_hooks_all_the_time_is_settled_every_10_to_20_us),
        cmocka_unit_test(after_four_calls_that_return_at_once_the_next_one_does),
        cmocka_unit_test(no_more_than_255_pass),
        cmocka_unit_test(a_hook_after_long_work_is_not_passed),
        cmocka_unit_test(a_sample_brings_no_settlement_nearer),
        cmocka_unit_test(who_waits_for_a_moment_passes_as_many_as_before),
        cmocka_unit_test(who_passes_hooks_is_settled_soon),
        cmocka_unit_test(a_counter_that_goes_back_passes_no_hook),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
