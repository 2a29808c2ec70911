/* Who is signalled when a run ends. kill() is the test's own here, to see whom it is called for. */
#include "experiment/session/ending.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static struct segment_owner owner;
static _Atomic uint32_t passed_on;
static volatile sig_atomic_t interrupts;
static struct {
    int count, number;
    pid_t pid; /* of the last one */
} kills;

int kill(pid_t pid, int number)
{
    kills.count++;
    kills.pid = pid;
    kills.number = number;
    return (int)syscall(SYS_kill, pid, number);
}

static struct ending ending_of(pid_t pid)
{
    struct ending ending = {.pid = pid, .passed_on = &passed_on, .interrupts = &interrupts};
    tree_init(&ending.tree, &owner);
    return ending;
}

static int make(void **state)
{
    (void)state;
    struct coz_error err;
    atomic_store(&passed_on, 0);
    interrupts = 0;
    kills.count = 0;
    return segment_create(&owner, &err);
}

static int release(void **state)
{
    (void)state;
    segment_destroy(&owner);
    return 0;
}

/* A child that sleeps, or ends at once. */
static pid_t child_start(bool sleeps)
{
    pid_t pid = fork();
    if (pid == 0) {
        while (sleeps)
            pause();
        _exit(3);
    }
    return pid;
}

/* How it ended, once the ending has seen it. */
static int await_end(struct ending *ending)
{
    int status = -1;
    for (struct timespec step = {.tv_nsec = 1000000}; ending->pid; nanosleep(&step, NULL))
        ending_is_over(ending, 1, &status);
    return status;
}

static void a_signal_is_passed_on(void **state)
{
    (void)state;
    struct ending ending = ending_of(child_start(true));
    pid_t pid = ending.pid;
    ending_press(&ending, 1);
    assert_int_equal(kills.count, 0);
    atomic_store(&passed_on, 1u << SIGTERM);
    ending_press(&ending, 2);
    assert_int_equal(kills.count, 1);
    assert_int_equal(kills.pid, pid);
    assert_int_equal(kills.number, SIGTERM);
    ending_press(&ending, 3); /* once */
    assert_int_equal(kills.count, 1);
    assert_int_equal(WTERMSIG(await_end(&ending)), SIGTERM);
}

/* As long as nobody has waited for it the number is its own. From then on it may be anybody's. */
static void nobody_has_the_number_of_who_was_waited_for(void **state)
{
    (void)state;
    struct ending ending = ending_of(child_start(false));
    assert_int_equal(WEXITSTATUS(await_end(&ending)), 3);
    atomic_store(&passed_on, 1u << SIGTERM | 1u << SIGHUP);
    ending_press(&ending, 2);
    assert_int_equal(kills.count, 0);
    assert_int_equal(atomic_load(&passed_on), 0); /* nor has the next one */
}

/* Whatever asks for the end: a duration, the caller, Ctrl-C twice, and what comes five seconds later. */
static void nor_has_anything_else_that_ends_a_run(void **state)
{
    (void)state;
    struct ending ending = ending_of(child_start(false));
    await_end(&ending);
    ending.limit_ns = 1;
    ending_ask(&ending, 2);
    ending_press(&ending, 3);
    ending_press(&ending, 10000000000);
    assert_int_equal(ending.signals, 2);
    interrupts = 2;
    ending_press(&ending, 10000000001);
    assert_int_equal(kills.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_signal_is_passed_on, make, release),
        cmocka_unit_test_setup_teardown(nobody_has_the_number_of_who_was_waited_for, make, release),
        cmocka_unit_test_setup_teardown(nor_has_anything_else_that_ends_a_run, make, release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
