/* What is told of the machine, as far as any machine must have it. */
#include "base/machine.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void test_machine(void **state)
{
    (void)state;
    struct machine machine = machine_describe();
    assert_int_equal(machine.cores, sysconf(_SC_NPROCESSORS_ONLN));
    assert_in_range(machine.allowed, 1, machine.cores);
    assert_null(strchr(machine.model, '\n'));
    assert_true(machine.load >= 0);
}

static void test_allowed_cores(void **state)
{
    (void)state;
    cpu_set_t all, one;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(machine_describe().allowed, 1);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

static void test_use(void **state)
{
    (void)state;
    struct machine_watch watch = machine_watch_begin();
    usleep(50000);
    struct machine_use use = machine_watch_end(&watch);
    assert_true(use.others >= 0 && use.others < 2); /* ticks are coarse */
    assert_true(use.stolen >= 0 && use.stolen < 2);
    /* The more of the time is our own, the less is others'. */
    watch.own_s -= 1000;
    assert_true(machine_watch_end(&watch).others == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_machine), cmocka_unit_test(test_allowed_cores),
                                       cmocka_unit_test(test_use)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
