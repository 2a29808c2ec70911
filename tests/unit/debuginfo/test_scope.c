/* Scope patterns, and the set of sites. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "debuginfo/names/scope.h"
#include "debuginfo/names/site.h"

static void test_patterns(void **state)
{
    (void)state;
    assert_true(scope_pattern_matches("a.c", "/src/a.c"));
    assert_true(scope_pattern_matches("%.c", "/src/a.c"));
    assert_true(scope_pattern_matches("/src/%", "/src/deep/er/a.c"));
    assert_true(scope_pattern_matches("?.[ch]", "/src/a.h"));
    assert_true(scope_pattern_matches("src/*.c", "/home/me/src/a.c"));
    assert_true(scope_pattern_matches("%", "/src/a.c"));
    assert_false(scope_pattern_matches("a.c", "/src/ba.c"));
    assert_false(scope_pattern_matches("a.c", "/a.c/b.c"));
    assert_false(scope_pattern_matches("src/a.c", "/home/mysrc/a.c"));
    assert_false(scope_pattern_matches("/a.c", "/src/a.c"));
    assert_false(scope_pattern_matches("", "/src/a.c"));
    /* a '%' that is meant */
    assert_true(scope_pattern_matches("a\\%.c", "/src/a%.c"));
    assert_false(scope_pattern_matches("a\\%.c", "/src/ab.c"));
    assert_true(scope_pattern_matches("a[%].c", "/src/a%.c"));
    assert_false(scope_pattern_matches("a[%].c", "/src/a*.c"));
}

static void test_long_pattern(void **state)
{
    static char pattern[100000];
    (void)state;
    memset(pattern, '%', sizeof pattern - 1);
    assert_false(scope_pattern_matches(pattern, "/src/a.c"));
}

static void test_sources_by_default(void **state)
{
    const struct scope scope = {0};
    (void)state;
    assert_true(scope_has_source(&scope, "/src/a.c"));
    assert_true(scope_has_source(&scope, "/usr/src/app/a.c"));
    assert_false(scope_has_source(&scope, "/usr/include/stdio.h"));
    assert_false(scope_has_source(&scope, "/usr/lib/gcc/x86_64-linux-gnu/12/include/emmintrin.h"));
    assert_false(scope_has_source(&scope, "/rustc/1a2b/library/core/src/str/pattern.rs"));
    assert_false(scope_has_source(&scope, "/usr/src/rustc-1.63.0/library/core/src/str/pattern.rs"));
    assert_false(scope_has_source(&scope, "/opt/gcc/include/c++/12/vector"));
    assert_false(scope_has_source(&scope, "/opt/llvm/lib/clang/14/include/stddef.h"));
    assert_false(scope_has_source(&scope, "/src/include/coz.h"));
    assert_false(scope_has_source(&scope, "<artificial>"));
    assert_false(scope_has_source(&scope, "/src/<built-in>"));
}

static void test_sources_by_pattern(void **state)
{
    const char *bare[] = {"%"}, *named[] = {"/usr/include/%", "a.c"}, *header[] = {"coz.h"};
    const struct scope all = {.sources = bare, .source_count = 1};
    const struct scope some = {.sources = named, .source_count = 2};
    const struct scope own = {.sources = header, .source_count = 1};
    (void)state;
    assert_true(scope_has_source(&all, "/src/a.c"));
    assert_false(scope_has_source(&all, "/usr/include/stdio.h"));
    assert_true(scope_has_source(&some, "/usr/include/stdio.h"));
    assert_true(scope_has_source(&some, "/src/a.c"));
    assert_false(scope_has_source(&some, "/src/b.c"));
    assert_false(scope_has_source(&own, "/src/coz.h"));
}

static void test_binaries(void **state)
{
    const char *patterns[] = {"libz.so%", "MAIN"};
    const struct scope none = {0}, library = {.binaries = patterns, .binary_count = 1},
                       both = {.binaries = patterns, .binary_count = 2};
    (void)state;
    assert_true(scope_has_binary(&none, "/bin/app", true));
    assert_false(scope_has_binary(&none, "/lib/libz.so.1", false));
    assert_false(scope_has_binary(&library, "/bin/app", true));
    assert_true(scope_has_binary(&library, "/lib/libz.so.1", false));
    assert_true(scope_has_binary(&both, "/bin/app", true));
    assert_false(scope_has_binary(&both, "/bin/MAIN2", false));
}

static void test_intern(void **state)
{
    struct site_set set;
    char name[64], file[64];
    (void)state;
    site_set_init(&set, 0);
    assert_int_equal(set.count, 1);
    assert_int_equal(site_intern(&set, "/a.c", 1), 1);
    assert_int_equal(site_intern(&set, "/a.c", 2), 2);
    assert_int_equal(site_intern(&set, "/b.c", 1), 3);
    assert_int_equal(site_intern(&set, "/a.c", 1), 1);
    assert_ptr_equal(set.sites[1].file, set.sites[2].file);
    /* through several growths, ids stay */
    for (uint32_t i = 0; i < 20000; i++) {
        snprintf(file, sizeof file, "/dir/%u.c", (unsigned)(i / 7));
        assert_int_equal(site_intern(&set, file, i % 7 + 1), i + 4);
    }
    for (uint32_t i = 0; i < 20000; i++) {
        snprintf(file, sizeof file, "/dir/%u.c", (unsigned)(i / 7));
        assert_int_equal(site_intern(&set, file, i % 7 + 1), i + 4);
    }
    assert_string_equal(site_name(&set, 3, name, sizeof name), "/b.c:1");
    assert_string_equal(site_name(&set, 0, name, sizeof name), "?");
    assert_string_equal(site_name(&set, 1000000, name, sizeof name), "?");
    assert_string_equal(site_name(&set, 3, name, 4), "/b.");
    site_set_release(&set);
    site_set_release(&set);
}

static void test_limit(void **state)
{
    struct site_set set;
    (void)state;
    site_set_init(&set, 3);
    assert_int_equal(site_intern(&set, "/a.c", 1), 1);
    assert_int_equal(site_intern(&set, "/a.c", 2), 2);
    assert_int_equal(set.refused, 0);
    assert_int_equal(site_intern(&set, "/a.c", 3), 0);
    assert_int_equal(site_intern(&set, "/a.c", 2), 2);
    assert_int_equal(site_intern_function(&set, "f", ""), 0);
    assert_int_equal(set.count, 3);
    assert_int_equal(set.refused, 2);
    site_set_release(&set);
}

static void test_find(void **state)
{
    struct site_set set;
    uint32_t nearest = 99;
    (void)state;
    site_set_init(&set, 0);
    uint32_t ten = site_intern(&set, "/src/a.c", 10), twenty = site_intern(&set, "/src/a.c", 20);
    uint32_t other = site_intern(&set, "/src/aa.c", 15);
    assert_int_equal(site_find(&set, "a.c:10", &nearest), ten);
    assert_int_equal(nearest, 0);
    assert_int_equal(site_find(&set, "src/a.c:20", NULL), twenty);
    assert_int_equal(site_find(&set, "/src/a.c:20", NULL), twenty);
    assert_int_equal(site_find(&set, "aa.c:15", NULL), other);
    assert_int_equal(site_find(&set, "a.c:13", &nearest), 0);
    assert_int_equal(nearest, ten);
    assert_int_equal(site_find(&set, "a.c:15", &nearest), 0); /* the later of two as near */
    assert_int_equal(nearest, twenty);
    assert_int_equal(site_find(&set, "a.c:4000000000", &nearest), 0);
    assert_int_equal(nearest, twenty);
    const char *const wrong[] = {"b.c:10", "rc/a.c:10", "a.c", "a.c:",           "a.c:1x",
                                 "a.c:-1", ":10",       "",    "a.c:99999999999"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(site_find(&set, wrong[i], &nearest), 0);
        assert_int_equal(nearest, 0);
    }
    site_set_release(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_long_pattern),
        cmocka_unit_test(test_sources_by_default),
        cmocka_unit_test(test_sources_by_pattern),
        cmocka_unit_test(test_binaries),
        cmocka_unit_test(test_intern),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
