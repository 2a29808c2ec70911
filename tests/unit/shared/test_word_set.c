/* What a set of words keeps, and what it forgets. */
#include "shared/word_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { BUCKETS = 4 };

static bool put(struct segment_words *set, uint64_t word)
{
    return words_put(set, BUCKETS, word, UINT64_MAX);
}

static bool has(struct segment_words *set, uint64_t word)
{
    return words_find(set, BUCKETS, word, UINT64_MAX);
}

/* The oldest of the bucket goes, and whoever put the new one is told. */
static void a_full_bucket_forgets_the_oldest(void **state)
{
    (void)state;
    struct segment_words set[BUCKETS] = {0};
    for (uint64_t word = 1; word <= SEGMENT_WORDS; word++)
        assert_false(put(set, word));
    assert_false(put(set, 3)); /* it is there */
    assert_true(has(set, 1));
    assert_true(put(set, 100));
    assert_false(has(set, 1));
    assert_true(has(set, 2));
    assert_true(has(set, 100));
    assert_false(put(set, 1ull << 40 | 1)); /* another bucket's */
}

/* One that is equal in the mask's bits is replaced, and nothing is forgotten for it. */
static void an_equal_one_is_replaced(void **state)
{
    (void)state;
    struct segment_words set[BUCKETS] = {0};
    for (uint64_t word = 1; word <= SEGMENT_WORDS; word++)
        assert_false(words_put(set, BUCKETS, word << 8 | 1, ~255ull));
    assert_false(words_put(set, BUCKETS, 1ull << 8 | 2, ~255ull));
    assert_false(has(set, 1ull << 8 | 1));
    assert_true(has(set, 1ull << 8 | 2));
    assert_true(has(set, 2ull << 8 | 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_bucket_forgets_the_oldest),
        cmocka_unit_test(an_equal_one_is_replaced),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
