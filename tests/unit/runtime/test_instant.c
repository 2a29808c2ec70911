/* Arithmetic of moments. */
#include "runtime/clock/instant.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct segment *runtime_segment;

static const uint64_t second_ns = 1000000000;

static void a_share_is_in_proportion(void **state)
{
    (void)state;
    assert_int_equal(instant_share_ns(1000, 30, 120), 250);
    assert_int_equal(instant_share_ns(1000, 0, 120), 0);
    assert_int_equal(instant_share_ns(1000, 120, 120), 1000);
}

/* The machine stood still: eight seconds times ten, in nanoseconds, are more than 64 bits hold. */
static void a_share_of_a_standstill_does_not_overflow(void **state)
{
    (void)state;
    assert_true(8 * second_ns > UINT64_MAX / (10 * second_ns));
    assert_int_equal(instant_share_ns(8 * second_ns, 10 * second_ns, 20 * second_ns), 4 * second_ns);
    assert_int_equal(instant_share_ns(3600 * second_ns, 3600 * second_ns, 3600 * second_ns),
                     3600 * second_ns);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_share_is_in_proportion),
        cmocka_unit_test(a_share_of_a_standstill_does_not_overflow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
