/* Names of functions: made of symbols, and found again by what people write. */
#include "debuginfo/names/function_name.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void makes(const char *symbol, const char *name, const char *file, const char *expected)
{
    char *made = function_name_make(symbol, name, file);
    if (expected)
        assert_string_equal(made, expected);
    else
        assert_null(made);
    free(made);
}

static void names_are_made(void **state)
{
    (void)state;
    makes("main", NULL, NULL, "main");
    makes(NULL, "main", NULL, "main");
    makes(NULL, NULL, NULL, NULL);
    makes("", "", NULL, NULL);
    makes("put", NULL, "/src/queue.c", "queue.c:put");
    makes("put", NULL, "queue.c", "queue.c:put");
    makes("_Z3fooi", "foo", NULL, "foo(int)");
    makes("_ZN6shapes5StackIiE4pushEi", "push", NULL, "shapes::Stack<int>::push(int)");
    makes("_Z3maxIiET_S0_S0_", NULL, NULL, "max<int>(int, int)");    /* without what it returns */
    makes("_ZL6helperi", "helper", "/a/b.cpp", "b.cpp:helper(int)"); /* static */
    makes("__queue_MOD_put", "put", NULL, "put");                    /* Fortran's is no mangled name */
    /* Rust, both manglings; its names need no file. */
    makes("_ZN4test5queue3put17h0123456789abcdefE", NULL, "/x.rs", "test::queue::put");
    makes("_RNvNtCs1234_7mycrate5queue3put", NULL, "/x.rs", "mycrate::queue::put");
}

static void copies_have_the_name_of_the_original(void **state)
{
    (void)state;
    makes("work.constprop.0", NULL, NULL, "work");
    makes("work.isra.0.cold", NULL, NULL, "work");
    makes("work.part.3", NULL, NULL, "work");
    makes("work.lto_priv.0", NULL, NULL, "work");
    makes("_Z3fooi.cold", NULL, NULL, "foo(int)");
    makes("_ZN4core3ptr33drop_in_place$LT$app..Request$GT$17h0123456789abcdefE.llvm.77", NULL, NULL,
          "core::ptr::drop_in_place<app::Request>");
    makes(".cold", NULL, NULL, ".cold");
    makes("odd.name", NULL, NULL, "odd.name");
}

static void long_names_stay_different(void **state)
{
    (void)state;
    char text[2 * FUNCTION_NAME_MOST];
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    char *first = function_name_make(text, NULL, NULL);
    text[sizeof text - 2] = 'y';
    char *second = function_name_make(text, NULL, NULL);
    assert_int_equal(strlen(first), FUNCTION_NAME_MOST);
    assert_int_equal(strlen(second), FUNCTION_NAME_MOST);
    assert_string_not_equal(first, second);
    free(first);
    free(second);
}

static void names_are_found(void **state)
{
    (void)state;
    static const struct {
        const char *name, *wanted;
        int match;
    } cases[] = {
        {"main", "main", 6},
        {"main", "mai", 0},
        {"main", "", 0},
        {"queue.c:put", "queue.c:put", 6},
        {"queue.c:put", "put", 5},
        {"queue.c:put", "other.c:put", 0},
        {"b.cpp:ns::put(int)", "b.cpp:ns::put", 4},
        {"foo(int)", "foo", 4},
        {"foo(int)", "foo(int)", 6},
        {"foo(int)", "foo(long)", 0},
        {"shapes::Stack<int>::push(int)", "shapes::Stack<int>::push", 4},
        {"shapes::Stack<int>::push(int)", "Stack<int>::push", 3},
        {"shapes::Stack<int>::push(int)", "push(int)", 3},
        {"shapes::Stack<int>::push(int)", "push", 3},
        {"shapes::Stack<int>::push(int)", "shapes::Stack::push", 2},
        {"shapes::Stack<int>::push(int)", "Stack::push", 1},
        {"shapes::Stack<int>::push(int)", "ush", 0},
        {"shapes::Stack<ns::T>::sum() const", "sum", 3},
        {"a::(anonymous namespace)::f(int)", "f", 3},
        {"a::(anonymous namespace)::f(int)", "a::(anonymous namespace)::f", 4},
        {"ns::operator<<(std::ostream&, T)", "operator<<", 3},
        {"T::operator()(int) const", "T::operator()", 4},
        {"T<int>::operator->() const", "T::operator->", 2},
        {"max<int>(int, int)", "max", 2},
        {"main::{lambda(int)#1}::operator()(int) const", "operator()", 3},
        {"<app::Request as core::fmt::Debug>::fmt", "fmt", 3},
        {"app::serve::{{closure}}", "app::serve::{{closure}}", 6},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (function_name_match(cases[i].name, cases[i].wanted) != cases[i].match)
            fail_msg("%s for %s: %d", cases[i].name, cases[i].wanted,
                     function_name_match(cases[i].name, cases[i].wanted));
}

static void several_are_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *names, *rest;
    } cases[] = {
        {"main + push", "+ push"},
        {"main+push", "+push"},
        {"main", ""},
        {"T::operator+ + push", "+ push"},
        {"operator+=+push", "+push"},
        {"src/c++/a.cc:3+b.c:4", "+b.c:4"},
        {"server+0x5a30+server+0x1", "+server+0x1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(function_name_plus(cases[i].names), cases[i].rest);
}

static void near_ones_are_near(void **state)
{
    (void)state;
    assert_int_equal(function_name_distance("shapes::Stack<int>::push(int)", "push"), 0);
    assert_int_equal(function_name_distance("queue.c:put", "putt"), 1);
    assert_int_equal(function_name_distance("compute", "comptue"), 2);
    assert_int_equal(function_name_distance("", "abc"), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_made),
        cmocka_unit_test(copies_have_the_name_of_the_original),
        cmocka_unit_test(long_names_stay_different),
        cmocka_unit_test(names_are_found),
        cmocka_unit_test(several_are_told_apart),
        cmocka_unit_test(near_ones_are_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
