/* What a thread is credited with for the time in which it had no core. */
#include "fake_account.h"
#include "runtime/clock/queued.h"
#include "runtime/ledger/runqueue.h"
#include "shared/growth.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { MS = 1000000, AWAY_NS = 10 * MS, GREW_NS = 4 * MS, STEPS_NS = 2 * GROWTH_STEP_NS };

static struct fake_account fake;

/* `required` has grown evenly by GREW_NS in the AWAY_NS before now. */
static void grew_evenly(uint64_t until_ns)
{
    struct growth_climb climb = {until_ns - AWAY_NS, AWAY_NS, 0, GREW_NS};
    growth_note(runtime_segment, until_ns - AWAY_NS - STEPS_NS, 0);
    growth_note_climb(runtime_segment, &climb, until_ns);
    fake_require(GREW_NS);
}

/* The thread was settled AWAY_NS ago, level at 0, and has not run since. */
static struct instant away(struct account *account)
{
    struct instant now = instant_now(&account->presence);
    account->presence.lost = (struct lost_turns){0, 0}; /* the test may have lost its own core just now */
    account->mark = (struct instant){now.wall_ns - AWAY_NS, now.cpu_ns};
    account->presence.before = (struct scheduled){0, 1};
    grew_evenly(now.wall_ns);
    return now;
}

static void a_wait_for_a_core_is_credited(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    struct instant now = away(account);
    fake_scheduler_says(&fake, AWAY_NS, 2);
    assert_false(runqueue_credit(account, now));
    assert_in_range(account_paid_ns(account), GREW_NS - STEPS_NS, GREW_NS);
    assert_int_equal(fake_required(), GREW_NS);
    fake_scheduler_ends(&fake);
}

static void half_a_wait_for_a_core_is_credited_by_half(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    struct instant now = away(account);
    fake_scheduler_says(&fake, AWAY_NS / 2, 2);
    runqueue_credit(account, now);
    assert_in_range(account_paid_ns(account), GREW_NS / 2 - STEPS_NS, GREW_NS / 2 + STEPS_NS);
    fake_scheduler_ends(&fake);
}

static void who_was_blocked_owes_and_pays_asleep(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    struct instant now = away(account);
    fake_scheduler_says(&fake, 0, 2);
    assert_true(runqueue_credit(account, now));
    assert_int_equal(account_paid_ns(account), 0);
    fake_scheduler_ends(&fake);
}

/* Before it is level it is blocked in virtual time, and stands in no queue. */
static void who_was_blocked_pays_in_the_run_queue(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    struct instant now = away(account);
    fake_scheduler_says(&fake, MS, 2);
    assert_true(runqueue_credit(account, now));
    assert_int_equal(account_paid_ns(account), MS); /* none of it by how much was due in that time */
    fake_scheduler_says(&fake, MS + AWAY_NS, 3);
    runqueue_woke(account, AWAY_NS, now);
    assert_int_equal(account_paid_ns(account), GREW_NS); /* and no more than it owes */
    assert_int_equal(atomic_load(&account->balance.overshoot_ns), 0);
    assert_int_equal(account->stood_ns, GREW_NS);
    fake_scheduler_ends(&fake);
}

static void who_only_lost_its_core_to_the_host_pays_on_the_core(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    struct instant now = away(account);
    fake_scheduler_says(&fake, 0, 1); /* never switched from */
    assert_false(runqueue_credit(account, now));
    assert_int_equal(account_paid_ns(account), 0);
    fake_scheduler_ends(&fake);
}

static void a_wait_is_told_once(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    struct instant now = away(account);
    fake_scheduler_says(&fake, AWAY_NS, 2);
    assert_int_equal(runqueue_in_step(account, AWAY_NS, now.wall_ns, 1), AWAY_NS);
    assert_int_equal(runqueue_in_step(account, AWAY_NS, now.wall_ns, 1), 0);
    fake_scheduler_ends(&fake);
}

static void all_waits_for_a_core_are_counted(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    fake_scheduler_says(&fake, 300000, 1);
    runqueue_count(account, 100 * MS);
    fake_scheduler_says(&fake, 800000, 2);
    runqueue_count(account, 109 * MS); /* too soon */
    assert_int_equal(atomic_load(&runtime_segment->queued_ns), 300000);
    runqueue_count(account, 110 * MS);
    assert_int_equal(atomic_load(&runtime_segment->queued_ns), 800000);
    fake_scheduler_ends(&fake);
}

static void without_a_scheduler_the_caller_guesses(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    assert_int_equal(runqueue_in_step(account, AWAY_NS, clock_wall_ns(), 123), 123);
}

static void steps_that_come_late_are_credited_to_who_waited(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    struct instant now = instant_now(&account->presence);
    runqueue_was_absent(account, (struct absence){now.wall_ns - AWAY_NS / 2, now.wall_ns, 0});
    grew_evenly(now.wall_ns);
    runqueue_credit(account, now);
    /* half of the growth, and not what lies in the step in which the wait ended */
    assert_in_range(account_paid_ns(account), GREW_NS / 2 - STEPS_NS, GREW_NS / 2);
    uint64_t paid_ns = account_paid_ns(account);
    runqueue_credit(account, now);
    assert_int_equal(account_paid_ns(account), paid_ns);
}

static void long_absences_ago_are_forgotten(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    struct instant now = instant_now(&account->presence);
    uint64_t long_ago_ns = now.wall_ns - 20 * (uint64_t)FAKE_PERIOD_NS;
    runqueue_was_absent(account, (struct absence){long_ago_ns - AWAY_NS, long_ago_ns, 0});
    grew_evenly(long_ago_ns);
    runqueue_credit(account, now);
    assert_int_equal(account_paid_ns(account), 0);
}

/* ---- woken AWAY_NS ago, when it was level */

static struct absence woken(struct account *account, uint64_t queued_ns, struct instant *now)
{
    *now = away(account);
    fake_scheduler_says(&fake, queued_ns, 2);
    struct absence absence = {.from_ns = now->wall_ns - 3 * AWAY_NS / 2, .until_ns = now->wall_ns - AWAY_NS};
    runqueue_credit_lag(account, &absence, *now);
    fake_scheduler_ends(&fake);
    return absence;
}

static void who_waits_for_a_core_that_sleeps_owes(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    struct instant now;
    struct absence absence = woken(account, 0, &now);
    assert_int_equal(account_paid_ns(account), 0);
    assert_int_equal(absence.credited_ns, 0);
    assert_int_equal(absence.until_ns, now.wall_ns - AWAY_NS);
}

static void who_stood_in_the_queue_after_that_is_credited_in_part(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    struct instant now;
    struct absence absence = woken(account, AWAY_NS / 4, &now);
    assert_int_equal(account_paid_ns(account), GREW_NS / 4);
    assert_int_equal(absence.credited_ns, GREW_NS / 4);
    assert_int_equal(absence.until_ns, now.wall_ns - AWAY_NS + AWAY_NS / 4);
}

static void who_mostly_stood_in_the_queue_is_credited(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    struct instant now;
    struct absence absence = woken(account, 3 * AWAY_NS / 4, &now);
    assert_int_equal(account_paid_ns(account), GREW_NS);
    assert_int_equal(absence.until_ns, now.wall_ns);
}

static void lost_turns_are_credited_at_the_next_mark(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    struct instant now = away(account);
    fake_require(3 * MS);
    account->presence.lost = (struct lost_turns){.ns = 2 * MS, .growth_ns = MS};
    fake_scheduler_says(&fake, 2 * MS, 2);
    runqueue_mark(account, now);
    assert_int_equal(account_paid_ns(account), MS);
    assert_int_equal(account->presence.lost.ns, 0);
    assert_int_equal(account->mark.wall_ns, now.wall_ns);
    fake_scheduler_ends(&fake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_wait_for_a_core_is_credited, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(half_a_wait_for_a_core_is_credited_by_half, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(who_was_blocked_owes_and_pays_asleep, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(who_was_blocked_pays_in_the_run_queue, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(who_only_lost_its_core_to_the_host_pays_on_the_core, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(a_wait_is_told_once, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(all_waits_for_a_core_are_counted, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(without_a_scheduler_the_caller_guesses, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(steps_that_come_late_are_credited_to_who_waited, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(long_absences_ago_are_forgotten, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(who_waits_for_a_core_that_sleeps_owes, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(who_stood_in_the_queue_after_that_is_credited_in_part, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(who_mostly_stood_in_the_queue_is_credited, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(lost_turns_are_credited_at_the_next_mark, fake_begin, fake_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
