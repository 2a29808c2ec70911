/* Which of overlapping ranges counts where. */
#include "debuginfo/sets/cover.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SPACE = 200 };

static uint32_t painted[SPACE];
static uint32_t last_end;

static bool paint(void *context, uint32_t start, uint32_t end, uint32_t value)
{
    (void)context;
    assert_true(start < end);
    assert_true(start >= last_end); /* in order, not overlapping */
    last_end = end;
    for (uint32_t at = start; at < end && at < SPACE; at++)
        painted[at] = value;
    return true;
}

static void resolve(struct cover_list *list)
{
    memset(painted, 0, sizeof painted);
    last_end = 0;
    assert_true(cover_resolve(list, paint, NULL));
    cover_release(list);
}

static void inner_ones_are_on_top(void **state)
{
    (void)state;
    struct cover_list list = {0};
    assert_true(cover_add(&list, 10, 100, 1, 1));
    assert_true(cover_add(&list, 20, 60, 2, 2));
    assert_true(cover_add(&list, 30, 40, 3, 3));
    assert_true(cover_add(&list, 50, 50, 4, 9)); /* empty */
    resolve(&list);
    assert_int_equal(painted[9], 0);
    assert_int_equal(painted[10], 1);
    assert_int_equal(painted[20], 2);
    assert_int_equal(painted[39], 3);
    assert_int_equal(painted[40], 2);
    assert_int_equal(painted[60], 1);
    assert_int_equal(painted[100], 0);
}

static void what_lies_beyond_is_cut(void **state)
{
    (void)state;
    struct cover_list list = {0};
    assert_true(cover_add(&list, 1, (uint64_t)1 << 40, 1, 1));
    assert_true(cover_add(&list, (uint64_t)1 << 40, (uint64_t)1 << 41, 2, 2));
    assert_int_equal(list.count, 1);
    resolve(&list);
    assert_int_equal(last_end, UINT32_MAX);
}

static void nothing_is_no_failure(void **state)
{
    (void)state;
    struct cover_list list = {0};
    resolve(&list);
}

/* Against trying every address. */
static void any_overlap(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (int round = 0; round < 300; round++) {
        struct cover_list list = {0};
        struct cover_item items[30];
        for (uint32_t i = 0; i < 30; i++) {
            seed = seed * 1664525 + 1013904223;
            uint32_t start = seed >> 8 & 127, rank = seed >> 16 & 255;
            seed = seed * 1664525 + 1013904223;
            items[i] = (struct cover_item){start, start + 1 + (seed >> 10 & 63), i + 1, rank * 32 + i};
            assert_true(cover_add(&list, items[i].start, items[i].end, i + 1, items[i].rank));
        }
        resolve(&list);
        for (uint32_t at = 0; at < SPACE; at++) {
            const struct cover_item *best = NULL;
            for (uint32_t i = 0; i < 30; i++)
                if (items[i].start <= at && at < items[i].end && (!best || items[i].rank > best->rank))
                    best = &items[i];
            assert_int_equal(painted[at], best ? best->value : 0);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(inner_ones_are_on_top),
        cmocka_unit_test(what_lies_beyond_is_cut),
        cmocka_unit_test(nothing_is_no_failure),
        cmocka_unit_test(any_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
