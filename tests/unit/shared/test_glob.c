/* Patterns for names of threads. */
#include "shared/glob.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void matching(void **state)
{
    (void)state;
    assert_true(glob_matches("pool", "pool"));
    assert_false(glob_matches("pool", "pool-1"));
    assert_false(glob_matches("pool-1", "pool"));
    assert_true(glob_matches("pool-*", "pool-1"));
    assert_true(glob_matches("pool-%", "pool-"));
    assert_true(glob_matches("*", ""));
    assert_true(glob_matches("", ""));
    assert_false(glob_matches("", "x"));
    assert_true(glob_matches("io?", "io7"));
    assert_false(glob_matches("io?", "io"));
    assert_true(glob_matches("*a*b", "xxaybab"));
    assert_false(glob_matches("*a*b", "xxaybac"));
    assert_true(glob_matches("**x**", "x"));
    assert_true(glob_matches("a*aa", "aaaa"));
    assert_false(glob_matches("a?c*", "abd"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(matching)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
