/* What a caller ignores is not caught. */
#include "base/signals.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
    caught = number;
}

static void test_ignored_ones_stay_so(void **state)
{
    (void)state;
    struct sigaction action = {.sa_handler = on_signal};
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    signals_catch((const int[]){SIGHUP, SIGTERM}, 2, &action);
    raise(SIGHUP);
    assert_int_equal(caught, 0);
    raise(SIGTERM);
    assert_int_equal(caught, SIGTERM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ignored_ones_stay_so)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
