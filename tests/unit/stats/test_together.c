/* Whether the effects of targets add that were tried at once. */
#include "stats/answers/together.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char point[] = "p";

static struct analysis_result answer(const char *kind, const char *location, double impact, double half)
{
    return (struct analysis_result){.kind = kind,
                                    .location = location,
                                    .point = point,
                                    .impact = impact,
                                    .low = impact - half,
                                    .high = impact + half};
}

static enum together_finding find(double both, double one, double two, double half)
{
    struct analysis_result results[] = {answer("line", "/a.c:1", one, half),
                                        answer("together", "/a.c:1 + /b.c:2", both, half),
                                        answer("line", "/b.c:2", two, half)};
    struct together found;
    assert_true(together_find(&results[1], results, 3, &found));
    assert_int_equal(found.parts, 2);
    assert_true(isnan(two) || fabs(found.difference - (both - one - two)) < 1e-9);
    return found.finding;
}

static void findings(void **state)
{
    (void)state;
    assert_int_equal(find(0.5, 0.3, 0.2, 0.03), TOGETHER_ADD);
    assert_int_equal(find(0.8, 0.3, 0.0, 0.05), TOGETHER_MORE);
    assert_int_equal(find(0.5, 0.5, 0.5, 0.05), TOGETHER_LESS);
    assert_int_equal(find(0.5, 0.3, 0.2, 0.3), TOGETHER_UNKNOWN);
    assert_int_equal(find(0.5, 0.3, NAN, 0.03), TOGETHER_UNKNOWN);
}

static void parts(void **state)
{
    (void)state;
    struct analysis_result results[] = {answer("together", "f + g + h", 0.5, 0.1),
                                        answer("function", "g", 0.1, 0.1), answer("function", "f", 0.1, 0.1)};
    struct together found;
    assert_false(together_find(&results[1], results, 3, &found));
    assert_true(together_find(&results[0], results, 3, &found));
    assert_int_equal(found.parts, 3);
    assert_true(isnan(found.sum)); /* h has no answer */
    assert_ptr_equal(together_part(&results[0], results, 3, 0), &results[2]);
    assert_ptr_equal(together_part(&results[0], results, 3, 1), &results[1]);
    assert_null(together_part(&results[0], results, 3, 2));
    assert_null(together_part(&results[0], results, 3, 3));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(findings), cmocka_unit_test(parts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
