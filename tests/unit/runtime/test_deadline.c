/* Deadlines move by what a thread has stood still since it read the clock, and by nothing else. */
#include "runtime/calls/deadline.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { US = 1000, MS = 1000 * US };

__thread struct thread thread_current __attribute__((tls_model("initial-exec")));

static struct timespec later;

static void stand_still(uint64_t ns)
{
    thread_current.account.stood_ns += ns;
}

static int begin(void **state)
{
    (void)state;
    stand_still(7 * MS);
    deadline_clock_is_read();
    return 0;
}

static void who_did_not_stand_still_keeps_it(void **state)
{
    (void)state;
    struct timespec until = {5, 1};
    assert_ptr_equal(deadline_later(&until, &later), &until);
}

static void it_is_later_by_that(void **state)
{
    (void)state;
    struct timespec until = {5, 999950000};
    stand_still(30 * US);
    assert_ptr_equal(deadline_later(&until, &later), &later);
    assert_int_equal(later.tv_sec, 5);
    assert_int_equal(later.tv_nsec, 999980000);
    stand_still(70 * US);
    assert_ptr_equal(deadline_later(&until, &later), &later);
    assert_int_equal(later.tv_sec, 6);
    assert_int_equal(later.tv_nsec, 50000);
    deadline_clock_is_read();
    assert_ptr_equal(deadline_later(&until, &later), &until);
}

static void somebody_elses_is_left_alone(void **state)
{
    (void)state;
    struct timespec until = {5, 0};
    stand_still(60 * MS);
    assert_ptr_equal(deadline_later(&until, &later), &until);
}

static void what_is_none_is_left_to_the_call(void **state)
{
    (void)state;
    struct timespec negative = {5, -1}, beyond = {5, 1000000000}, never = {INT64_MAX, 999999999};
    stand_still(30 * US);
    assert_ptr_equal(deadline_later(&negative, &later), &negative);
    assert_ptr_equal(deadline_later(&beyond, &later), &beyond);
    assert_ptr_equal(deadline_later(&never, &later), &never);
    assert_null(deadline_later(NULL, &later));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(who_did_not_stand_still_keeps_it, begin),
        cmocka_unit_test_setup(it_is_later_by_that, begin),
        cmocka_unit_test_setup(somebody_elses_is_left_alone, begin),
        cmocka_unit_test_setup(what_is_none_is_left_to_the_call, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
