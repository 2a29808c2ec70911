/* Buckets of a logarithmic histogram: without gaps, and narrow. */
#include "base/log_buckets.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void a_bucket_begins_where_the_one_before_ends(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < LOG_BUCKETS; i++) {
        assert_int_equal(log_bucket(log_bucket_start(i)), i);
        if (i > 0)
            assert_int_equal(log_bucket(log_bucket_start(i) - 1), i - 1);
    }
}

static void a_bucket_is_a_thirty_second_wide_at_most(void **state)
{
    (void)state;
    for (uint32_t i = 32; i < LOG_BUCKETS; i++) {
        uint64_t start = log_bucket_start(i), wide = log_bucket_start(i + 1) - start;
        assert_true(32 * wide <= start);
    }
}

static void what_is_too_large_is_in_the_last_one(void **state)
{
    (void)state;
    assert_int_equal(log_bucket_start(LOG_BUCKETS), 1ull << 41);
    assert_int_equal(log_bucket(1ull << 41), LOG_BUCKETS - 1);
    assert_int_equal(log_bucket(UINT64_MAX), LOG_BUCKETS - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_bucket_begins_where_the_one_before_ends),
        cmocka_unit_test(a_bucket_is_a_thirty_second_wide_at_most),
        cmocka_unit_test(what_is_too_large_is_in_the_last_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
