/* Sentences on what a curve shows beside its height. */
#include "report/advice.h"
#include "stats/waits/waiting.h"

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

static void add_to(struct waiting *waiting, struct profile_record record)
{
    assert_int_equal(waiting_add(waiting, &record), 0);
}

/* Lines of which a worker waits for main's, for some share of its time. */
static struct waiting *made_waiting(void)
{
    static const char *const lines[] = {"/s/w.c:1", "/s/w.c:2", "/s/w.c:3", "/s/w.c:4", "/s/w.c:5"};
    struct waiting *waiting = waiting_new();
    add_to(waiting, (struct profile_record){.type = PROFILE_WAIT, .wait = {"lock", "/s/w.c:9", 1, 10, 0}});
    add_to(waiting, (struct profile_record){.type = PROFILE_WAKE,
                                            .wake = {"lock", "/s/w.c:9", "/s/main.c:88", NULL, NULL, 1, 9}});
    add_to(waiting, (struct profile_record){.type = PROFILE_WAIT, .wait = {"sleep", NULL, 1, 10, 0}});
    for (size_t i = 0; i < 5; i++) {
        struct profile_record samples = {.type = PROFILE_SAMPLES};
        samples.samples.location = lines[i];
        samples.samples.cpu_ns = 100;
        add_to(waiting, samples);
        add_to(waiting, (struct profile_record){.type = PROFILE_AWAIT,
                                                .await = {lines[i], NULL, i == 4 ? "sleep" : "lock",
                                                          i == 4 ? NULL : "/s/w.c:9", 80}});
    }
    return waiting;
}

static void why_there_is_no_effect(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size;
    struct waiting *waiting = made_waiting();
    const struct report_options options = {.waiting = waiting, .width = 200};
    struct analysis_result results[6];
    static const char *const lines[] = {"/s/main.c:88", "/s/w.c:1", "/s/w.c:2",
                                        "/s/w.c:3",     "/s/w.c:4", "/s/w.c:5"};
    for (size_t i = 0; i < 6; i++)
        results[i] = (struct analysis_result){
            .kind = "line", .location = lines[i], .point = "p", .verdict = VERDICT_NO_EFFECT};
    results[1].verdict = VERDICT_IMPROVES; /* whatever it waits for */
    FILE *out = open_memstream(&text, &size);
    put_reasons(out, results, 6, &options);
    fclose(out);
    says(text,
         "\nw.c:2, w.c:3 and w.c:4 have no effect: their threads wait 72 % of the time for main.c:88.\n"
         "w.c:5 has no effect: its threads wait 80 % of the time in code that is not in scope (sleep).\n");
    out = open_memstream(&text, &size);
    put_reason(out, &results[2], &options);
    put_reason(out, &results[1], &options);
    fclose(out);
    says(text, "Its threads wait 72 % of the time for main.c:88.\n");
    waiting_free(waiting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(bends), cmocka_unit_test(several_at_once),
                                       cmocka_unit_test(why_there_is_no_effect)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
