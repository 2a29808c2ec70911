/* Samples added up by function and by file, and shares in profiles of several kinds of targets. */
#include "stats/answers/analysis.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct analysis *analysis;

static int begin(void **state)
{
    (void)state;
    analysis = analysis_new();
    return analysis ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    analysis_free(analysis);
    return 0;
}

static void startup(const char *granularity)
{
    struct profile_record record = {.type = PROFILE_STARTUP};
    record.startup.granularity = granularity;
    assert_int_equal(analysis_add(analysis, &record), 0);
}

static void runtime(uint64_t samples)
{
    struct profile_record record = {.type = PROFILE_RUNTIME};
    record.runtime.time_ns = 1000000000;
    record.runtime.samples = samples;
    assert_int_equal(analysis_add(analysis, &record), 0);
}

/* kind NULL: a line, in the function `where`; else the file is `where`. */
static void samples(const char *kind, const char *location, uint64_t count, uint64_t own, const char *where)
{
    struct profile_record record = {.type = PROFILE_SAMPLES};
    bool is_function = kind && strcmp(kind, "function") == 0;
    record.samples.kind = kind;
    record.samples.location = location;
    record.samples.count = count;
    record.samples.cpu_ns = 1000 * count;
    record.samples.self_ns = is_function ? 1000 * own : 0;
    record.samples.function = is_function ? NULL : where;
    record.samples.file = is_function ? where : NULL;
    assert_int_equal(analysis_add(analysis, &record), 0);
}

static void is(enum analysis_sums what, size_t number, const char *name, double own, double with_called)
{
    const struct analysis_sum *sums;
    assert_true(number < analysis_sums(analysis, what, &sums));
    assert_string_equal(sums[number].name, name);
    assert_true(fabs(sums[number].own - own) < 1e-9);
    assert_true(isnan(with_called) ? isnan(sums[number].with_called)
                                   : fabs(sums[number].with_called - with_called) < 1e-9);
}

static void lines_add_up(void **state)
{
    (void)state;
    startup(NULL);
    runtime(100);
    samples(NULL, "/src/a.c:1", 30, 0, "f");
    samples(NULL, "/src/a.c:2", 20, 0, "f");
    samples(NULL, "/src/b.c:1", 40, 0, "g");
    samples(NULL, "/src/b.c:9", 10, 0, NULL);
    is(SUMS_FUNCTIONS, 0, "f", 0.5, NAN);
    is(SUMS_FUNCTIONS, 1, "g", 0.4, NAN);
    is(SUMS_FILES, 0, "/src/a.c", 0.5, NAN);
    is(SUMS_FILES, 1, "/src/b.c", 0.5, NAN);
    assert_int_equal(analysis_samples(analysis), 100);
}

static void functions_have_what_they_call(void **state)
{
    (void)state;
    startup("function");
    runtime(100);
    samples("function", "main", 100, 5, "/src/a.c");
    samples("function", "f", 80, 80, "/src/a.c");
    samples("function", "g", 15, 15, "");
    is(SUMS_FUNCTIONS, 0, "f", 0.8, 0.8);
    is(SUMS_FUNCTIONS, 1, "g", 0.15, 0.15);
    is(SUMS_FUNCTIONS, 2, "main", 0.05, 1);
    is(SUMS_FILES, 0, "/src/a.c", 0.85, NAN);
    assert_int_equal(analysis_samples(analysis), 100); /* though the counts come to 195 */
}

static void call_sites_are_their_lines(void **state)
{
    (void)state;
    startup("callsite");
    runtime(0); /* unknown */
    samples("callsite", "/src/a.c:1 <- /src/b.c:2", 30, 0, "f");
    samples("callsite", "/src/a.c:1", 10, 0, "f");
    is(SUMS_FUNCTIONS, 0, "f", 1, NAN);
    is(SUMS_FILES, 0, "/src/a.c", 1, NAN);
    assert_int_equal(analysis_samples(analysis), 40);
}

static void experiment(const char *kind, const char *selected)
{
    struct profile_record record = {.type = PROFILE_EXPERIMENT};
    record.experiment.kind = kind;
    record.experiment.selected = selected;
    record.experiment.duration_ns = 1000000;
    assert_int_equal(analysis_add(analysis, &record), 0);
    record = (struct profile_record){.type = PROFILE_THROUGHPUT};
    record.throughput.name = "p";
    record.throughput.delta = 10;
    assert_int_equal(analysis_add(analysis, &record), 0);
}

/* A share is of the samples that could have been the target's. */
static void kinds_have_shares_of_their_own(void **state)
{
    (void)state;
    startup(NULL);
    experiment(NULL, "/src/a.c:1");
    runtime(1000);
    samples(NULL, "/src/a.c:1", 250, 0, "f");
    samples(NULL, "/src/a.c:2", 750, 0, "f");
    startup("function");
    experiment("function", "f");
    runtime(100);
    samples("function", "f", 90, 90, "/src/a.c");
    const struct analysis_result *results;
    assert_int_equal(analysis_results(analysis, &results), 2);
    for (size_t i = 0; i < 2; i++)
        assert_true(fabs(results[i].share - (strcmp(results[i].kind, "line") == 0 ? 0.25 : 0.9)) < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lines_add_up, begin, end),
        cmocka_unit_test_setup_teardown(functions_have_what_they_call, begin, end),
        cmocka_unit_test_setup_teardown(call_sites_are_their_lines, begin, end),
        cmocka_unit_test_setup_teardown(kinds_have_shares_of_their_own, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
