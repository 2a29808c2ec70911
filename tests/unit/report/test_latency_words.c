/* Latencies in words: what is told, what is warned of, and why latency and throughput of a line may differ. */
#include "report/latency/words.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *text;
static size_t size;
static FILE *out;

static int begin(void **state)
{
    (void)state;
    return (out = open_memstream(&text, &size)) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    free(text);
    return 0;
}

static void check_says(const char *wanted)
{
    if (!strstr(text, wanted))
        print_error("%s\nlacks: %s\n", text, wanted);
    assert_non_null(strstr(text, wanted));
}

static const struct latency_point steady = {
    .name = "unit", .arrivals_s = 500, .departures_s = 499, .mean_ns = 1.914e6, .in_progress = 0.957};

static void times_are_in_the_unit_that_a_person_would_use(void **state)
{
    (void)state;
    static const double times[] = {7, 999.9, 1234, 99960, 1.5e6, 123e6, 2.5e9, 4e12};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        put_time(out, times[i]);
        putc(';', out);
    }
    fclose(out);
    assert_string_equal(text, "7.00 ns;1.00 us;1.23 us;100 us;1.50 ms;123 ms;2.50 s;4000 s;");
}

static void rates_and_the_mean_are_told(void **state)
{
    (void)state;
    put_latency_point(out, &steady);
    fclose(out);
    assert_string_equal(
        text, "500 a second begin and 499 end; when nothing is changed they take 1.91 ms in the mean, "
              "and 0.96 are in progress.\n");
}

static void quantiles_are_told_as_far_as_they_are_known(void **state)
{
    (void)state;
    struct latency_point point = steady;
    point.at =
        (struct latency_at){.units = 50, .ns = {{1e6, 0.9e6, 1.1e6}, {2e6, NAN, NAN}, {NAN, NAN, NAN}}};
    put_latency_point(out, &point);
    fclose(out);
    check_says("\nHalf of them take at most 1.00 ms (900 us to 1.10 ms), 90 % at most 2.00 ms.\n");
    assert_null(strstr(text, "nan"));
}

static void what_is_wrong_with_the_marks_or_the_load_is_said(void **state)
{
    (void)state;
    struct latency_point point = steady;
    point.flow = FLOW_GROWS;
    point.unmatched = 3;
    put_latency_point(out, &point);
    point.flow = FLOW_UNMATCHED;
    put_latency_point(out, &point);
    fclose(out);
    check_says("the queue is not stable");
    check_says("3 ended and nobody knows when they began");
    check_says("some are not marked where they begin");
}

static struct analysis_result made(enum analysis_metric metric, enum analysis_verdict verdict)
{
    return (struct analysis_result){
        .kind = "line", .location = "a.c:1", .metric = metric, .verdict = verdict};
}

static void why_they_differ_is_said(void **state)
{
    (void)state;
    struct analysis_result latency = made(METRIC_LATENCY, VERDICT_IMPROVES),
                           throughput = made(METRIC_THROUGHPUT, VERDICT_NO_EFFECT);
    assert_true(latency_disagrees(&latency, &throughput));
    put_disagreement(out, &latency, &throughput, "a.c:1", "unit", "done");
    latency.verdict = VERDICT_HARMFUL;
    throughput.verdict = VERDICT_IMPROVES;
    put_disagreement(out, &latency, &throughput, "a.c:1", "unit", "done");
    fclose(out);
    check_says("When a.c:1 is faster, `unit` takes less time, and `done` comes no more often.");
    check_says("something else than that line sets the rate");
    check_says("`unit` takes longer, and `done` comes more often.");
    check_says("there are more of them at once");
}

static void nothing_is_said_where_they_agree_or_nobody_knows(void **state)
{
    (void)state;
    fclose(out);
    struct analysis_result latency = made(METRIC_LATENCY, VERDICT_IMPROVES),
                           throughput = made(METRIC_THROUGHPUT, VERDICT_IMPROVES);
    assert_false(latency_disagrees(&latency, &throughput));
    throughput.verdict = VERDICT_TOO_LITTLE;
    assert_false(latency_disagrees(&latency, &throughput));
    throughput.verdict = VERDICT_HARMFUL;
    assert_true(latency_disagrees(&latency, &throughput));
    assert_false(latency_disagrees(&throughput, &latency));
    throughput.location = "a.c:2";
    assert_false(latency_disagrees(&latency, &throughput));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(times_are_in_the_unit_that_a_person_would_use, begin, end),
        cmocka_unit_test_setup_teardown(rates_and_the_mean_are_told, begin, end),
        cmocka_unit_test_setup_teardown(quantiles_are_told_as_far_as_they_are_known, begin, end),
        cmocka_unit_test_setup_teardown(what_is_wrong_with_the_marks_or_the_load_is_said, begin, end),
        cmocka_unit_test_setup_teardown(why_they_differ_is_said, begin, end),
        cmocka_unit_test_setup_teardown(nothing_is_said_where_they_agree_or_nobody_knows, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
