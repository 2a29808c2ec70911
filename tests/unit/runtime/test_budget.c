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
        budget->settled_ns = *now_ns;
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

static void no_more_than_255_pass(void **state)
{
    (void)state;
    struct budget budget = {0};
    uint64_t now_ns = 1000 * US;
    live_by(&budget, &now_ns, 1);
    assert_int_equal(budget.between, 255);
}

static void who_does_something_else_is_settled_at_the_next_hook(void **state)
{
    (void)state;
    struct budget budget = {.settled_ns = 1000 * US, .between = 31, .left = 20};
    budget_sampled(&budget, 1050 * US);
    assert_int_equal(budget.left, 20);
    budget_sampled(&budget, 1200 * US);
    assert_int_equal(budget.left, 0);
    assert_int_equal(budget.between, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_calls_hooks_all_the_time_is_settled_every_10_to_20_us),
        cmocka_unit_test(no_more_than_255_pass),
        cmocka_unit_test(who_does_something_else_is_settled_at_the_next_hook),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
