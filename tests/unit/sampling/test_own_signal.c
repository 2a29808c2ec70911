/* Handing a stranger's signal on, also when no more signals can be queued. */
#include "fake_segment.h"

#include "runtime/core/runtime.h"
#include "runtime/sampling/own_signal.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { VALUE = 42 };

struct segment *runtime_segment;

static int number; /* blocked in all threads */
static sigset_t only;
static struct rlimit before;

static int begin(void **state)
{
    (void)state;
    number = SIGRTMIN + 3;
    sigemptyset(&only);
    sigaddset(&only, number);
    return getrlimit(RLIMIT_SIGPENDING, &before) || pthread_sigmask(SIG_BLOCK, &only, NULL) ? -1 : 0;
}

static int end(void **state)
{
    (void)state;
    return setrlimit(RLIMIT_SIGPENDING, &before);
}

/* From here on no signal can be queued. */
static void fill_queue(void)
{
    struct rlimit none = {.rlim_cur = 0, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_SIGPENDING, &none), 0);
    assert_int_equal(sigqueue(getpid(), number, (union sigval){.sival_int = VALUE}), -1);
}

static bool take(siginfo_t *info)
{
    return sigtimedwait(&only, info, &(struct timespec){0, 0}) == number;
}

static void *take_elsewhere(void *context)
{
    (void)context;
    siginfo_t info;
    static bool found;
    found = take(&info);
    return &found;
}

static bool others_can_take(void)
{
    pthread_t thread;
    void *found = NULL;
    assert_int_equal(pthread_create(&thread, NULL, take_elsewhere, NULL), 0);
    pthread_join(thread, &found);
    return *(bool *)found;
}

static siginfo_t queued(void)
{
    siginfo_t info = {.si_signo = number, .si_code = SI_QUEUE};
    info.si_pid = getpid();
    info.si_value.sival_int = VALUE;
    return info;
}

static void it_comes_with_what_it_carries(void **state)
{
    (void)state;
    siginfo_t info = queued(), came;
    own_signal_send_again(number, &info);
    assert_true(take(&came));
    assert_int_equal(came.si_code, SI_QUEUE);
    assert_int_equal(came.si_value.sival_int, VALUE);
    assert_false(take(&came));
}

static void it_comes_though_the_queue_is_full(void **state)
{
    (void)state;
    siginfo_t info = queued(), came;
    fill_queue();
    own_signal_send_again(number, &info);
    assert_true(take(&came));
    assert_false(own_signal_is_sample(&came));
    assert_false(take(&came));
}

static void to_the_thread_it_was_sent_to(void **state)
{
    (void)state;
    siginfo_t info = queued(), came;
    info.si_code = SI_TKILL;
    own_signal_send_again(number, &info);
    assert_false(others_can_take());
    assert_true(take(&came));
    fill_queue();
    own_signal_send_again(number, &info);
    assert_false(others_can_take());
    assert_true(take(&came));
    assert_false(own_signal_is_sample(&came));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(it_comes_with_what_it_carries, begin, end),
        cmocka_unit_test_setup_teardown(it_comes_though_the_queue_is_full, begin, end),
        cmocka_unit_test_setup_teardown(to_the_thread_it_was_sent_to, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
