/* Leaving the process alone waits for who is at work, and for nobody else. */
#include "base/clock.h"
#include "runtime/core/departure.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

struct segment *runtime_segment;

static pid_t child;

static void fork_in_handler(int number)
{
    (void)number;
    child = fork();
    if (child == 0)
        departure_after_fork();
}

/* Whether leaving waited for work that nobody does: then for a second. */
static bool leaves_at_once(void)
{
    uint64_t began_ns = clock_wall_ns();
    departure_leave();
    return clock_wall_ns() - began_ns < 1000000000u;
}

/* The child comes back into the middle of the work, which was its parent's. */
static void a_handler_that_forks_in_the_middle_leaves_no_work_behind(void **state)
{
    (void)state;
    int status;
    signal(SIGUSR1, fork_in_handler);
    assert_true(departure_begin_work());
    raise(SIGUSR1);
    departure_end_work();
    if (child == 0) {
        bool begins = departure_begin_work(); /* and goes on as one that has begun nothing */
        departure_end_work();
        _exit(begins && leaves_at_once() ? 0 : 1);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void who_is_at_work_is_waited_for(void **state)
{
    (void)state;
    assert_true(departure_begin_work());
    assert_false(leaves_at_once());
    departure_end_work();
    assert_false(departure_begin_work());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_handler_that_forks_in_the_middle_leaves_no_work_behind),
        cmocka_unit_test(who_is_at_work_is_waited_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
