/* The tables of waits and wakes. */
#include "shared/waits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "segment_fixture.h"

static void one_place_for_each_class_and_site(void **state)
{
    (void)state;
    struct segment_wait *wait = wait_at(segment, WAIT_SLEEP, 7);
    assert_non_null(wait);
    assert_ptr_equal(wait_at(segment, WAIT_SLEEP, 7), wait);
    assert_ptr_not_equal(wait_at(segment, WAIT_LOCK, 7), wait);
    assert_ptr_not_equal(wait_at(segment, WAIT_SLEEP, 0), wait);
    assert_int_equal(wait_class_of(wait), WAIT_SLEEP);
    assert_int_equal(wait_site_of(wait), 7);
    assert_int_equal(atomic_load(&segment->waits_used), 3);
}

static void a_full_table_refuses(void **state)
{
    (void)state;
    uint32_t site = 1;
    while (site <= 2 * SEGMENT_WAITS && wait_at(segment, WAIT_LOCK, site))
        site++;
    assert_in_range(site, SEGMENT_WAITS / 2, SEGMENT_WAITS + 1);
    assert_int_equal(atomic_load(&segment->refusals.waits), 1);
    assert_non_null(wait_at(segment, WAIT_LOCK, 1));
}

static void what_else_has_no_place_is_counted(void **state)
{
    (void)state;
    uint32_t site = 1;
    while (site <= 2 * SEGMENT_AWAITS && await_at(segment, await_key(site, 0)))
        site++;
    assert_int_equal(atomic_load(&segment->refusals.waits), 1);
    site = 1;
    while (site <= 2 * SEGMENT_WAKES && wake_at(segment, wake_key(0, site, 0)))
        site++;
    assert_int_equal(atomic_load(&segment->refusals.waits), 2);
}

static void a_wakes_key_tells_all_three(void **state)
{
    (void)state;
    uint64_t key = wake_key(SEGMENT_WAITS - 1, SEGMENT_SITES - 1, SEGMENT_WAITS);
    assert_int_equal(wake_wait(key), SEGMENT_WAITS - 1);
    assert_int_equal(wake_site(key), SEGMENT_SITES - 1);
    assert_int_equal(wake_after(key), SEGMENT_WAITS);
    assert_int_equal(wake_after(wake_key(3, 4, 0)), 0);
    struct segment_wake *wake = wake_at(segment, key);
    assert_non_null(wake);
    assert_ptr_equal(wake_at(segment, key), wake);
}

static void every_class_has_a_name(void **state)
{
    (void)state;
    for (uint32_t one = 0; one < WAIT_CLASSES; one++)
        for (uint32_t other = 0; other < one; other++)
            assert_string_not_equal(wait_class_name(one), wait_class_name(other));
    assert_true(wait_class_is_target(WAIT_SLEEP));
    assert_false(wait_class_is_target(WAIT_CONDITION));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_place_for_each_class_and_site, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(a_full_table_refuses, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(what_else_has_no_place_is_counted, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(a_wakes_key_tells_all_three, segment_begin, segment_end),
        cmocka_unit_test(every_class_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
