/* Sleeps that follow each other: which may be longer by what their thread owes, and what is paid then. */
#include "fake_account.h"
#include "runtime/calls/naps.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { US = 1000, MS = 1000 * US };

__thread struct thread thread_current __attribute__((tls_model("initial-exec")));
atomic_bool departure_left;

bool departure_begin_work(void)
{
    return true;
}

void departure_end_work(void)
{
}

static struct fake_account fake;

static int begin(void **state)
{
    int rc = fake_begin(state);
    if (rc)
        return rc;
    fake_account(&fake);
    thread_current = (struct thread){.on = true, .account = fake.account};
    return 0;
}

/* It sleeps, and wakes at that moment; what it was told when it began. */
static bool sleep_until(uint64_t began_ns, uint64_t woke_ns, bool *may_owe)
{
    bool goes_on = naps_go_on(&thread_current, WAIT_SLEEP, began_ns);
    thread_current.wait = (struct wait){.class = WAIT_SLEEP, .began_ns = began_ns};
    *may_owe = naps_may_owe(&thread_current, woke_ns);
    return goes_on;
}

/* So many sleeps of 10 ms, 20 us apart. Returns when the last one was over. */
static uint64_t nap(unsigned times, uint64_t now, bool *may_owe)
{
    while (times--) {
        sleep_until(now + 20 * US, now + 10 * MS, may_owe);
        now += 10 * MS;
    }
    return now;
}

static void only_who_naps_for_long_may_owe(void **state)
{
    (void)state;
    bool may_owe;
    uint64_t now = nap(NAPS_KNOWN, MS, &may_owe);
    assert_false(may_owe);
    now = nap(1, now, &may_owe);
    assert_true(may_owe);
    assert_true(sleep_until(now + 20 * US, now + 10 * MS, &may_owe));
}

static void who_does_something_else_begins_anew(void **state)
{
    (void)state;
    bool may_owe;
    uint64_t now = nap(2 * NAPS_KNOWN, MS, &may_owe);
    assert_true(may_owe);
    assert_false(sleep_until(now + NAPS_GAP_NS, now + 10 * MS, &may_owe)); /* it ran for too long */
    assert_false(may_owe);
    now = nap(2 * NAPS_KNOWN, now + 10 * MS, &may_owe);
    assert_true(may_owe);
    assert_false(naps_go_on(&thread_current, WAIT_READ, now)); /* and waits for something else */
    thread_current.wait.class = WAIT_READ;
    assert_false(naps_may_owe(&thread_current, now + MS));
}

static void who_matters_does_not(void **state)
{
    (void)state;
    bool may_owe;
    thread_current.matters = true;
    nap(2 * NAPS_KNOWN, MS, &may_owe);
    assert_false(may_owe);
}

static void who_runs_the_target_does_not(void **state)
{
    (void)state;
    bool may_owe;
    fake_target(500);
    stretch_start(&thread_current.stretch, FAKE_SITE, 0, instant_now(&thread_current.account.presence));
    for (int i = 0; i < 4; i++)
        stretch_sample(&thread_current.stretch, FAKE_SITE, true, FAKE_PERIOD_NS,
                       (struct instant){(uint64_t)i * FAKE_PERIOD_NS, (uint64_t)i * FAKE_PERIOD_NS});
    nap(2 * NAPS_KNOWN, MS, &may_owe);
    assert_false(may_owe);
}

static const struct timespec ten_ms = {0, 10 * MS};

static void what_is_owed_is_paid_with_the_next(void **state)
{
    (void)state;
    bool may_owe;
    nap(2 * NAPS_KNOWN, MS, &may_owe);
    fake_require(300 * US);
    assert_int_equal(naps_debt_ns(&ten_ms), 300 * US);
    assert_int_equal(naps_debt_ns(&ten_ms), 0); /* it is told once */
    thread_current.wait.began_ns = clock_wall_ns() - 11 * MS;
    uint64_t began_ns = thread_current.wait.began_ns;
    naps_paid(300 * US);
    assert_int_equal(account_paid_ns(&thread_current.account), 300 * US);
    assert_int_equal(thread_current.wait.began_ns, began_ns + 300 * US);
    assert_int_equal(thread_current.wait.paid_ns, 300 * US);
    assert_int_equal(thread_current.account.stood_ns, 300 * US);
}

static void who_was_woken_sooner_has_paid_less(void **state)
{
    (void)state;
    fake_require(900 * MS);
    thread_current.wait.began_ns = clock_wall_ns() - 2 * MS;
    naps_paid(500 * MS);
    assert_in_range(account_paid_ns(&thread_current.account), 2 * MS, 400 * MS);
}

static void what_is_no_time_is_left_to_the_call(void **state)
{
    (void)state;
    static const struct timespec wrong[] = {{0, -1}, {0, 1000000000}, {-1, 0}};
    fake_require(MS);
    for (size_t i = 0; i <= sizeof wrong / sizeof *wrong; i++) {
        thread_current.naps.owes = true;
        assert_int_equal(naps_debt_ns(i ? &wrong[i - 1] : NULL), 0);
    }
}

static void the_rest_is_no_more_than_was_asked_for(void **state)
{
    (void)state;
    struct timespec longer = clock_time_later((struct timespec){1, 999999999}, 2), rest;
    assert_true(longer.tv_sec == 2 && longer.tv_nsec == 1);
    rest = (struct timespec){0, 10 * MS + 1};
    naps_cut(&rest, &ten_ms);
    assert_int_equal(rest.tv_nsec, 10 * MS);
    rest = (struct timespec){0, 3};
    naps_cut(&rest, &ten_ms);
    assert_int_equal(rest.tv_nsec, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(only_who_naps_for_long_may_owe, begin, fake_end),
        cmocka_unit_test_setup_teardown(who_does_something_else_begins_anew, begin, fake_end),
        cmocka_unit_test_setup_teardown(who_matters_does_not, begin, fake_end),
        cmocka_unit_test_setup_teardown(who_runs_the_target_does_not, begin, fake_end),
        cmocka_unit_test_setup_teardown(what_is_owed_is_paid_with_the_next, begin, fake_end),
        cmocka_unit_test_setup_teardown(who_was_woken_sooner_has_paid_less, begin, fake_end),
        cmocka_unit_test_setup_teardown(what_is_no_time_is_left_to_the_call, begin, fake_end),
        cmocka_unit_test_setup_teardown(the_rest_is_no_more_than_was_asked_for, begin, fake_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
