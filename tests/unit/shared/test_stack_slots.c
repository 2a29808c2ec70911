/* Stacks of samples: each has one place, which counts. */
#include "fake_segment.h"
#include "shared/stack_slots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "segment_fixture.h"

static const uint64_t from_left[] = {0x100000010, 0x100000020, 0x100000030};
static const uint64_t from_right[] = {0x100000010, 0x100000021, 0x100000030};

static const struct segment_stack *stack_of(uint32_t site, const uint64_t *frames, uint32_t depth)
{
    uint64_t key = stack_key(site, frames, depth);
    for (uint32_t i = 0; i < SEGMENT_STACKS; i++)
        if (atomic_load(&segment->stacks[i].key) == key)
            return &segment->stacks[i];
    return NULL;
}

static void a_frame_is_a_module_and_an_address(void **state)
{
    (void)state;
    uint64_t frame = stack_frame(SEGMENT_MODULES - 1, UINT32_MAX);
    assert_int_equal(stack_frame_module(frame), SEGMENT_MODULES - 1);
    assert_int_equal(stack_frame_address(frame), UINT32_MAX);
}

static void the_same_stack_is_counted(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++)
        stack_count(segment, 7, from_left, 3);
    stack_count(segment, 7, from_right, 3);
    const struct segment_stack *left = stack_of(7, from_left, 3), *right = stack_of(7, from_right, 3);
    assert_non_null(left);
    assert_non_null(right);
    assert_int_equal(left->count, 5);
    assert_int_equal(right->count, 1);
    assert_int_equal(left->site, 7);
    assert_int_equal(left->depth, 3);
    assert_memory_equal(left->frames, from_left, sizeof from_left);
}

static void sites_and_depths_are_told_apart(void **state)
{
    (void)state;
    stack_count(segment, 7, from_left, 3);
    stack_count(segment, 8, from_left, 3);
    stack_count(segment, 7, from_left, 2);
    assert_int_equal(stack_of(7, from_left, 3)->count, 1);
    assert_int_equal(stack_of(8, from_left, 3)->count, 1);
    assert_int_equal(stack_of(7, from_left, 2)->count, 1);
}

static void what_finds_no_place_is_told(void **state)
{
    (void)state;
    for (uint64_t i = 0; i < 4 * SEGMENT_STACKS; i++) {
        uint64_t frames[] = {i};
        stack_count(segment, 1, frames, 1);
    }
    assert_true(atomic_load(&segment->refusals.stacks) >= 3 * SEGMENT_STACKS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_frame_is_a_module_and_an_address, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(the_same_stack_is_counted, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(sites_and_depths_are_told_apart, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(what_finds_no_place_is_told, segment_begin, segment_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
