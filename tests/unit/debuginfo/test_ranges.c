/* Lists of address ranges: joined, cut, taken from one another; compared with sets of single addresses. */
#include "debuginfo/sets/ranges.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SPACE = 64, ROUNDS = 5000 };

static void fill(bool set[SPACE], const struct range_list *list)
{
    memset(set, 0, SPACE * sizeof *set);
    for (size_t i = 0; i < list->count; i++)
        for (uint32_t at = list->items[i].start; at < list->items[i].end; at++)
            set[at] = true;
}

/* As range_list_sort() leaves it: not empty, in order, with room between them. */
static void assert_sorted(const struct range_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        assert_true(list->items[i].start < list->items[i].end);
        assert_true(i == 0 || list->items[i - 1].end < list->items[i].start);
    }
}

static struct range_list random_list(unsigned *seed)
{
    struct range_list list = {0};
    for (int i = rand_r(seed) % 8; i > 0; i--) {
        uint32_t start = (uint32_t)rand_r(seed) % SPACE, size = (uint32_t)rand_r(seed) % 12;
        assert_true(range_list_add(&list, start, start + size < SPACE ? start + size : SPACE));
    }
    range_list_sort(&list);
    assert_sorted(&list);
    return list;
}

static void one_goes_on_with_the_last(void **state)
{
    (void)state;
    struct range_list list = {0};
    assert_true(range_list_add(&list, 10, 20));
    assert_true(range_list_add(&list, 20, 30));
    assert_int_equal(list.count, 1);
    assert_true(range_list_add(&list, 5, 10));
    assert_true(range_list_add(&list, 40, 40)); /* empty */
    assert_int_equal(list.count, 2);
    range_list_sort(&list);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].start, 5);
    assert_int_equal(list.items[0].end, 30);
    assert_true(range_list_add(&list, 30, (uint64_t)1 << 40)); /* cut off */
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].end, UINT32_MAX);
    assert_true(range_list_add(&list, (uint64_t)1 << 41, (uint64_t)1 << 42));
    assert_int_equal(list.count, 1);
    range_list_release(&list);
}

static void they_are_what_sets_are(void **state)
{
    (void)state;
    unsigned seed = 1;
    for (int round = 0; round < ROUNDS; round++) {
        struct range_list a = random_list(&seed), b = random_list(&seed), both = {0}, rest = {0};
        bool in_a[SPACE], in_b[SPACE], in_both[SPACE], in_rest[SPACE];
        assert_true(range_list_intersect(&a, &b, &both));
        assert_true(range_list_subtract(&a, &b, &rest));
        assert_sorted(&both);
        assert_sorted(&rest);
        fill(in_a, &a);
        fill(in_b, &b);
        fill(in_both, &both);
        fill(in_rest, &rest);
        for (uint32_t at = 0; at < SPACE; at++) {
            assert_int_equal(in_both[at], in_a[at] && in_b[at]);
            assert_int_equal(in_rest[at], in_a[at] && !in_b[at]);
            assert_int_equal(range_list_overlaps(&a, at, at + 1), in_a[at]);
        }
        range_list_release(&a);
        range_list_release(&b);
        range_list_release(&both);
        range_list_release(&rest);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_goes_on_with_the_last),
        cmocka_unit_test(they_are_what_sets_are),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
