/* What is known of glibc's inside: used where it holds, and nowhere else. */
#include "runtime/libc/internals.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

/* What internals.c calls in the place of gnu_get_libc_version(). */
static const char *version;

const char *fake_libc_version(void);

const char *fake_libc_version(void)
{
    return version ? version : "2.36";
}

static int begin(void **state)
{
    (void)state;
    version = NULL;
    unsetenv("COZ_LIBC_INTERNALS");
    libc_learn();
    return 0;
}

static void do_nothing(void)
{
}

static void a_lock_is_taken_as_libc_takes_it(void **state)
{
    (void)state;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    assert_true(libc_take_mutex(&mutex, gettid()));
    assert_int_equal(pthread_mutex_trylock(&mutex), EBUSY);
    assert_false(libc_take_mutex(&mutex, gettid()));
    assert_int_equal(pthread_mutex_unlock(&mutex), 0);
    assert_int_equal(pthread_mutex_lock(&mutex), 0);
    if (__libc_single_threaded)
        assert_true(libc_give_mutex(&mutex));
    else
        assert_int_equal(pthread_mutex_unlock(&mutex), 0);
    assert_int_equal(pthread_mutex_destroy(&mutex), 0);
}

static void who_fights_for_a_held_lock_wants_it_and_does_not_sleep(void **state)
{
    (void)state;
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    assert_int_equal(pthread_mutex_lock(&mutex), 0);
    assert_false(libc_fight_for_mutex(&mutex, gettid()));
    assert_true(libc_is_wanted(&mutex));
    assert_false(libc_fight_for_mutex(&mutex, gettid()));
    assert_int_equal(pthread_mutex_unlock(&mutex), 0);
    assert_true(libc_fight_for_mutex(&mutex, gettid()));
    assert_true(libc_is_wanted(&mutex)); /* by others who may have come before */
    assert_int_equal(pthread_mutex_trylock(&mutex), EBUSY);
    assert_int_equal(pthread_mutex_unlock(&mutex), 0);
    assert_int_equal(pthread_mutex_destroy(&mutex), 0);
}

static void other_kinds_are_left_to_libc(void **state)
{
    (void)state;
    pthread_mutexattr_t attributes;
    pthread_mutex_t mutex;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&mutex, &attributes);
    assert_false(libc_take_mutex(&mutex, gettid()));
    assert_true(libc_may_try(&mutex));
    pthread_mutex_destroy(&mutex);
    pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
    pthread_mutex_init(&mutex, &attributes);
    assert_false(libc_take_mutex(&mutex, gettid()));
    assert_false(libc_may_try(&mutex));
    pthread_mutex_destroy(&mutex);
}

static void once_is_told_when_done(void **state)
{
    (void)state;
    pthread_once_t control = PTHREAD_ONCE_INIT;
    assert_false(libc_once_is_done(&control));
    pthread_once(&control, do_nothing);
    assert_true(libc_once_is_done(&control));
}

static void knows_nothing(bool knows_robust)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    pthread_once_t control = PTHREAD_ONCE_INIT;
    pthread_once(&control, do_nothing);
    libc_learn();
    assert_int_equal(libc_may_try(&mutex), knows_robust);
    assert_false(libc_take_mutex(&mutex, gettid()));
    assert_false(libc_once_is_done(&control));
    pthread_mutex_lock(&mutex);
    assert_false(libc_give_mutex(&mutex));
    pthread_mutex_unlock(&mutex);
}

static void the_switch_does_without(void **state)
{
    (void)state;
    setenv("COZ_LIBC_INTERNALS", "0", 1);
    knows_nothing(false);
}

static void any_other_value_is_no_switch(void **state)
{
    (void)state;
    setenv("COZ_LIBC_INTERNALS", "1", 1);
    libc_learn();
    assert_true(libc_usual_kind != LIBC_NO_KIND);
}

static void other_versions_are_not_believed(void **state)
{
    (void)state;
    static const char *const others[] = {"2.34", "2.99", "3.0", "", "2."};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        version = others[i];
        knows_nothing(true);
    }
    version = "2.35";
    libc_learn();
    assert_int_equal(libc_done_bit, LIBC_DONE);
    assert_true(libc_usual_kind != LIBC_NO_KIND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_lock_is_taken_as_libc_takes_it, begin),
        cmocka_unit_test_setup(who_fights_for_a_held_lock_wants_it_and_does_not_sleep, begin),
        cmocka_unit_test_setup(other_kinds_are_left_to_libc, begin),
        cmocka_unit_test_setup(once_is_told_when_done, begin),
        cmocka_unit_test_setup(the_switch_does_without, begin),
        cmocka_unit_test_setup(any_other_value_is_no_switch, begin),
        cmocka_unit_test_setup(other_versions_are_not_believed, begin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
