/* Paying: what a debt, a step and a slowdown become. */
#include "fake_account.h"
#include "runtime/ledger/pause.h"
#include "shared/growth.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { US = 1000, DEBT_NS = 200 * US };

static struct fake_account fake;

static void a_debt_is_paid_on_the_core(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    fake_require(DEBT_NS);
    struct instant began = instant_now(&account->presence);
    struct instant end = pause_for_debt(account, began);
    assert_int_equal(account_paid_ns(account), DEBT_NS);
    assert_true(end.wall_ns - began.wall_ns >= DEBT_NS);
    assert_true(atomic_load(&runtime_segment->paused_ns) >= DEBT_NS);
    assert_int_equal(fake_required(), DEBT_NS); /* nobody owes a pause */
}

static void a_debt_is_paid_asleep(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    fake_require(DEBT_NS);
    struct instant began = instant_now(&account->presence);
    struct instant end = pause_until_level(account, true, began);
    assert_int_equal(account_paid_ns(account), DEBT_NS);
    assert_true(end.wall_ns - began.wall_ns >= DEBT_NS);
    assert_true(end.cpu_ns - began.cpu_ns < end.wall_ns - began.wall_ns);
}

static void what_was_paused_too_long_is_taken_off_the_next(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    fake_require(DEBT_NS);
    account->balance.overshoot_ns = DEBT_NS / 2;
    assert_int_equal(ledger_debt(&account->balance, runtime_segment), DEBT_NS / 2);
    pause_until_level(account, false, instant_now(&account->presence));
    assert_int_equal(account_paid_ns(account), DEBT_NS);
    assert_int_equal(ledger_debt(&account->balance, runtime_segment), 0);
}

static void a_debt_from_before_the_window_is_told(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    fake_require(DEBT_NS);
    atomic_store(&runtime_segment->window_required_ns, DEBT_NS - 50 * US);
    pause_for_debt(account, instant_now(&account->presence));
    assert_int_equal(atomic_load(&runtime_segment->carried_ns), DEBT_NS - 50 * US);
}

static void time_in_the_target_steps_by_the_speedup(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    struct instant now = instant_now(&account->presence);
    fake_target(250);
    pause_apply_target(account, 1000 * US, now);
    assert_int_equal(account_paid_ns(account), 250 * US);
    assert_int_equal(fake_required(), 250 * US);
    /* written into the history for the time that it stands for: half of it in the middle */
    assert_in_range(growth_at(runtime_segment, now.wall_ns - 500 * US), 115 * US, 135 * US);
}

static void a_slowdown_is_the_threads_own(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    struct instant now = instant_now(&account->presence);
    fake_target(-500);
    struct instant end = pause_apply_target(account, DEBT_NS, now);
    assert_true(end.wall_ns - now.wall_ns >= DEBT_NS / 2);
    assert_int_equal(fake_required(), 0);
    assert_int_equal(account_paid_ns(account), 0);
}

static void nothing_happens_while_nobody_steers(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    fake_target(500);
    atomic_store(&runtime_segment->active, 0);
    pause_apply_target(account, DEBT_NS, instant_now(&account->presence));
    pause_own_cost(account, DEBT_NS);
    assert_int_equal(fake_required(), 0);
    fake_require(DEBT_NS);
    pause_until_level(account, false, instant_now(&account->presence)); /* returns */
    assert_int_equal(account_paid_ns(account), 0);
}

/* A thread that slept through the run owes all of it: it would pay before it looks at the signal. */
static void who_is_to_end_pays_nothing(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    fake_require(DEBT_NS);
    atomic_store(&runtime_segment->is_ending, 1);
    struct instant now = instant_now(&account->presence);
    assert_int_equal(pause_until_level(account, true, now).wall_ns, now.wall_ns);
    assert_int_equal(pause_for_debt(account, now).wall_ns, now.wall_ns);
    assert_int_equal(account_paid_ns(account), 0);
    atomic_store(&runtime_segment->is_ending, 0);
    pause_until_level(account, true, now);
    assert_int_equal(account_paid_ns(account), DEBT_NS);
}

static void own_cost_is_owed_by_all_others_in_full(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    pause_own_cost(account, 5 * US);
    assert_int_equal(fake_required(), 0); /* no target, no virtual time to keep it out of */
    fake_target(0);
    pause_own_cost(account, 5 * US);
    assert_int_equal(fake_required(), 5 * US);
    assert_int_equal(account_paid_ns(account), 5 * US);
}

static void errno_is_kept(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    fake_require(DEBT_NS);
    errno = EXDEV;
    pause_until_level(account, true, instant_now(&account->presence));
    assert_int_equal(errno, EXDEV);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_debt_is_paid_on_the_core, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(a_debt_is_paid_asleep, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(what_was_paused_too_long_is_taken_off_the_next, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(a_debt_from_before_the_window_is_told, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(time_in_the_target_steps_by_the_speedup, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(a_slowdown_is_the_threads_own, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(nothing_happens_while_nobody_steers, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(who_is_to_end_pays_nothing, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(own_cost_is_owed_by_all_others_in_full, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(errno_is_kept, fake_begin, fake_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
