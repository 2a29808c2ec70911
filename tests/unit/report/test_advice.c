/* Sentences on what a curve shows beside its height. */
#include "report/advice.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* What is said of a bend from one slope to the other. */
static char *say_kink(double slower, double faster, bool shown, bool shown_only)
{
    char *text = NULL;
    size_t size;
    struct analysis_result result = {.kind = "line", .location = "/a.c:1", .point = "p", .has_kink = shown};
    result.kink = (struct kink){slower, faster, faster - slower, 0, 0};
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    put_kink(out, &result, "a.c:1", shown_only);
    fclose(out);
    return text;
}

static void says(char *text, const char *expected)
{
    assert_string_equal(text, expected);
    free(text);
}

static void bends(void **state)
{
    (void)state;
    says(
        say_kink(0.6, 0.01, true, true),
        "Just off the critical path: 10 % slower at a.c:1 costs 6.0 % of `p`, 10 % faster saves 0.1 %. Something "
        "else that has to be waited for is about as slow.\n");
    says(
        say_kink(0.6, 0.2, true, true),
        "A bend at 0: 10 % slower at a.c:1 costs 6.0 % of `p`, 10 % faster saves 2.0 %. Something else that has "
        "to be waited for is about as slow.\n");
    says(say_kink(-0.1, 0.4, true, true),
         "A bend at 0: 10 % slower at a.c:1 saves 1.0 % of `p`, 10 % faster saves 4.0 %.\n");
    says(say_kink(0.5, 0.5, false, true), "");
    says(say_kink(0.5, 0.4, false, false),
         "No bend at 0 is shown: 10 % slower at a.c:1 costs 5.0 % of `p`, 10 % faster saves 4.0 %.\n");
    says(say_kink(NAN, NAN, false, false), "");
}

static char *say_together(double both, double one, double two)
{
    char *text = NULL;
    size_t size;
    struct analysis_result results[] = {{.kind = "line",
                                         .location = "/x/a.c:1",
                                         .point = "p",
                                         .impact = one,
                                         .low = one - 0.03,
                                         .high = one + 0.03},
                                        {.kind = "line",
                                         .location = "/x/b.c:2",
                                         .point = "p",
                                         .impact = two,
                                         .low = two - 0.03,
                                         .high = two + 0.03},
                                        {.kind = "together",
                                         .location = "/x/a.c:1 + /x/b.c:2",
                                         .point = "p",
                                         .impact = both,
                                         .low = both - 0.03,
                                         .high = both + 0.03}};
    results[1].point = results[2].point = results[0].point;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    put_together(out, &results[2], results, 3);
    fclose(out);
    return text;
}

static void several_at_once(void **state)
{
    (void)state;
    says(say_together(0.5, 0.3, 0.2),
         "a.c:1 + b.c:2 at once have an impact of 50 (47 to 53), one by one 30 and 20, "
         "which makes 50: the effects add.\n");
    says(
        say_together(0.8, 0.3, 0.0),
        "a.c:1 + b.c:2 at once have an impact of 80 (77 to 83), one by one 30 and 0, which makes 30: they pay more "
        "at once, for each by itself leaves the other one to wait for.\n");
    says(say_together(0.5, NAN, 0.2),
         "a.c:1 + b.c:2 at once: whether the effects add is not known yet. Run longer.\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bends), cmocka_unit_test(several_at_once)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
