/* Functions that the libc of the machine does not have, because it is older than ours. */
#include "runtime/real/list.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static const char something;
static const void *const some_function = &something;

/* What resolve.c calls in the place of dlsym(): it finds nothing, or something. */
static bool finds;

void *fake_dlsym(void *restrict handle, const char *restrict name);

void *fake_dlsym(void *restrict handle, const char *restrict name)
{
    (void)handle;
    (void)name;
    return finds ? (void *)some_function : NULL;
}

static void what_is_there_is_taken(void **state)
{
    (void)state;
    finds = true;
    hooks_resolve();
    assert_ptr_equal((void *)real_close_range, some_function);
}

static void what_is_absent_fails(void **state)
{
    (void)state;
    finds = false;
    hooks_resolve();
    errno = 0;
    assert_int_equal(real_close_range(3, 5, 0), -1);
    assert_int_equal(errno, ENOSYS);
    errno = 0;
    assert_int_equal(real_epoll_pwait2(0, NULL, 0, NULL, NULL), -1);
    assert_int_equal(errno, ENOSYS);
    real_closefrom(3);
}

static void each_kind_says_so_in_its_way(void **state)
{
    (void)state;
    finds = false;
    hooks_resolve();
    errno = 0;
    assert_int_equal(real_pthread_mutex_clocklock(NULL, 0, NULL), ENOSYS);
    assert_int_equal(real_mtx_lock(NULL), thrd_error);
    assert_int_equal(errno, 0);
    assert_null(real_popen("", ""));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_there_is_taken),
        cmocka_unit_test(what_is_absent_fails),
        cmocka_unit_test(each_kind_says_so_in_its_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
