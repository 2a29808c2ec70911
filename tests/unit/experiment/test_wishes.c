/* Wishes are read for what they say, and all else is refused. */
#include "experiment/session/wishes.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static bool parse(const char *text, struct wish *wish)
{
    static char copy[WISH_BYTES];
    snprintf(copy, sizeof copy, "%s", text);
    return wish_parse(copy, wish);
}

static void test_first(void **state)
{
    (void)state;
    struct wish wish;
    assert_true(parse("first line /src/a b.c:12", &wish));
    assert_int_equal(wish.kind, WISH_FIRST);
    assert_string_equal(wish.target_kind, "line");
    assert_string_equal(wish.location, "/src/a b.c:12");
    assert_true(parse("first callsite a.c:1 <- b.c:2", &wish));
    assert_string_equal(wish.location, "a.c:1 <- b.c:2");
}

static void test_speedups(void **state)
{
    (void)state;
    struct wish wish;
    assert_true(parse("speedups 250 -500 0 1000", &wish));
    assert_int_equal(wish.kind, WISH_SPEEDUPS);
    assert_int_equal(wish.speedup_count, 4);
    assert_int_equal(wish.speedups[1], -500);
    assert_int_equal(wish.speedups[3], 1000);
    char many[200] = "speedups";
    for (int i = 0; i < WISH_SPEEDUPS_MOST; i++)
        strcat(many, " 50");
    assert_true(parse(many, &wish));
    assert_int_equal(wish.speedup_count, WISH_SPEEDUPS_MOST);
    strcat(many, " 50");
    assert_false(parse(many, &wish));
}

static void test_stop(void **state)
{
    (void)state;
    struct wish wish;
    assert_true(parse("stop", &wish));
    assert_int_equal(wish.kind, WISH_STOP);
}

static void test_others(void **state)
{
    (void)state;
    static const char *const others[] = {"",
                                         "stop ",
                                         "Stop",
                                         "stopp",
                                         "first",
                                         "first ",
                                         "first line",
                                         "first line ",
                                         "first  a.c:1",
                                         "speedups",
                                         "speedups ",
                                         "speedups 0",
                                         "speedups x",
                                         "speedups 5x",
                                         "speedups 1001",
                                         "speedups 50,60",
                                         "speedups -10001",
                                         "speedups 99999999999999999999",
                                         "second line a.c:1"};
    struct wish wish;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(parse(others[i], &wish));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first),
        cmocka_unit_test(test_speedups),
        cmocka_unit_test(test_stop),
        cmocka_unit_test(test_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
