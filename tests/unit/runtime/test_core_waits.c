/* Waits for a core as the target: who gets ahead by what it stood in the run queue, and who pays asleep. */
#include "fake_account.h"
#include "runtime/ledger/core_waits.h"
#include "runtime/ledger/pause.h"
#include "shared/edge.h"

enum { MS = 1000000, QUEUED_NS = 4 * MS, NUMBER = 9, PERMILLE = 250 };

static struct fake_account fake;

/* A window of it began that long ago. */
static void window_begins(int32_t permille, uint64_t ago_ns)
{
    uint64_t now_ns = clock_wall_ns();
    uint32_t word = atomic_load(&runtime_segment->edge_word) | 1;
    atomic_store(&runtime_segment->wait_targets[WAIT_QUEUE], NUMBER);
    atomic_store(&runtime_segment->next_target, segment_target_make(NUMBER | SEGMENT_TARGET_WAIT, permille));
    atomic_store(&runtime_segment->edge_word, word);
    assert_int_not_equal(edge_take(runtime_segment, word, now_ns - ago_ns, now_ns - ago_ns, 0), 0);
}

/* In the run queue it stood so long, in all. Returns what it has paid then. */
static uint64_t queued(uint64_t total_ns)
{
    struct account *account = &fake.account;
    fake_scheduler_says(&fake, total_ns, 1);
    core_waits_shorten(account, instant_now(&account->presence));
    return account_paid_ns(account);
}

static void who_was_queued_gets_ahead_by_the_speedup(void **state)
{
    (void)state;
    fake_account(&fake);
    window_begins(PERMILLE, 20 * MS);
    assert_int_equal(queued(QUEUED_NS), QUEUED_NS / 4);
    assert_int_equal(queued(QUEUED_NS), QUEUED_NS / 4); /* once */
    assert_int_equal(queued(2 * QUEUED_NS), QUEUED_NS / 2);
    assert_int_equal(fake_required(), QUEUED_NS / 2); /* the others owe it */
    fake_scheduler_ends(&fake);
}

static void what_the_run_queue_was_credited_with_is_part_of_it(void **state)
{
    (void)state;
    fake_account(&fake);
    window_begins(1000, 20 * MS);
    queued(0);
    fake_require(MS);
    ledger_credit_runqueue(&fake.account.balance, runtime_segment, MS, QUEUED_NS);
    assert_int_equal(queued(QUEUED_NS), QUEUED_NS);
    fake_scheduler_ends(&fake);
}

static void what_was_before_the_window_does_not_count(void **state)
{
    (void)state;
    fake_account(&fake);
    window_begins(1000, MS);
    uint64_t paid_ns = queued(1000 * (uint64_t)MS);
    assert_true(paid_ns >= MS && paid_ns < 1000 * (uint64_t)MS);
    fake_scheduler_ends(&fake);
}

static void who_pays_gives_its_core_away(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    window_begins(1000, MS);
    queued(0);
    fake_require(QUEUED_NS);
    struct instant began = instant_now(&account->presence);
    struct instant end = pause_for_debt(account, began);
    assert_true(end.wall_ns - began.wall_ns >= QUEUED_NS);
    assert_true(end.cpu_ns - began.cpu_ns < QUEUED_NS / 2);
    fake_scheduler_ends(&fake);
}

static void other_windows_know_nothing_of_it(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    window_begins(1000, 20 * MS);
    queued(QUEUED_NS);
    assert_true(account->core_waits.is_target);
    window_begins(0, MS);
    assert_int_equal(queued(2 * QUEUED_NS), QUEUED_NS);
    assert_false(account->core_waits.is_target);
    fake_target(500);
    assert_int_equal(queued(3 * QUEUED_NS), QUEUED_NS);
    fake_scheduler_ends(&fake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(who_was_queued_gets_ahead_by_the_speedup, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(what_the_run_queue_was_credited_with_is_part_of_it, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(what_was_before_the_window_does_not_count, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(who_pays_gives_its_core_away, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(other_windows_know_nothing_of_it, fake_begin, fake_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
