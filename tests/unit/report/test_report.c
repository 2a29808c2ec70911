/* From records to what is printed: verdicts, ranking, reasons, and the same numbers in all three formats. */
#include "report/advice.h"
#include "report/cells.h"
#include "report/report.h"
#include "report/text.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "made_analysis.h"

static void add_window(struct analysis *analysis, const char *line, uint64_t block, double speedup,
                       uint64_t elapsed, uint64_t visits)
{
    add_experiment(analysis, NULL, line, block, speedup, elapsed);
    add_visits(analysis, "insert", visits, elapsed);
}

/* Full speed saves the given share. */
static void add_line(struct analysis *analysis, const char *line, double saved, int blocks)
{
    static uint64_t block;
    for (int i = 0; i < blocks; i++, block++)
        for (int window = 0; window < MADE_WINDOWS; window++)
            add_window(analysis, line, block, made_speedup(window), made_elapsed(i, window, saved), 1000);
}

static struct analysis *example(void)
{
    struct analysis *analysis = analysis_new();
    assert_non_null(analysis);
    add(analysis, (struct profile_record){.type = PROFILE_STARTUP});
    add_line(analysis, "src/small.c:5", 0.1, 10);
    add_line(analysis, "src/big.c:1234", 0.4, 10);
    add_line(analysis, "src/none.c:1", 0, 10);
    add_line(analysis, "src/lock.c:7", -0.3, 10);
    add_line(analysis, "src/short.c:9", 0.5, 1);
    add(analysis, (struct profile_record){.type = PROFILE_RUNTIME, .runtime = {.time_ns = 41000000000 / 2}});
    add(analysis, (struct profile_record){.type = PROFILE_SAMPLES,
                                          .samples = {.location = "src/untried.c:3", .count = 5000}});
    add(analysis, (struct profile_record){.type = PROFILE_SAMPLES,
                                          .samples = {.location = "src/rare.c:3", .count = 1}});
    return analysis;
}

static void test_verdicts_and_ranking(void **state)
{
    (void)state;
    struct analysis *analysis = example();
    const struct analysis_result *results;
    assert_int_equal(analysis_results(analysis, &results), 5);
    static const struct {
        const char *location;
        enum analysis_verdict verdict;
        double impact;
    } expected[] = {{"src/big.c:1234", VERDICT_IMPROVES, 0.4},
                    {"src/small.c:5", VERDICT_IMPROVES, 0.1},
                    {"src/none.c:1", VERDICT_NO_EFFECT, 0},
                    {"src/lock.c:7", VERDICT_HARMFUL, -0.3}};
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(results[i].location, expected[i].location);
        assert_string_equal(results[i].kind, "line");
        assert_int_equal(results[i].verdict, expected[i].verdict);
        assert_true(fabs(results[i].impact - expected[i].impact) < 0.02);
        assert_true(results[i].low < results[i].impact && results[i].impact < results[i].high);
        assert_int_equal(results[i].curve_count, 2);
        assert_true(results[i].curve[0].speedup == 0.5 && results[i].curve[1].speedup == 1);
        assert_int_equal(results[i].curve[0].windows, 10);
    }
    /* Tried, but not enough: told last, without a number. */
    assert_string_equal(results[4].location, "src/short.c:9");
    assert_int_equal(results[4].verdict, VERDICT_TOO_LITTLE);
    assert_true(isnan(results[4].impact) && results[4].curve_count == 0);
    const struct analysis_hidden *hidden;
    assert_int_equal(analysis_hidden(analysis, &hidden), 2);
    assert_string_equal(hidden[0].location, "src/short.c:9");
    assert_non_null(strstr(hidden[0].why, "1 complete block,"));
    assert_string_equal(hidden[1].location, "src/untried.c:3");
    assert_non_null(strstr(hidden[1].why, "never tried"));
    assert_true(analysis_control_spread(analysis) > 0.01 && analysis_control_spread(analysis) < 0.1);
    analysis_free(analysis);
}

static void test_curve_between_points(void **state)
{
    (void)state;
    struct curve_point points[] = {{-0.5, -0.2, -0.3, -0.1, 5}, {0.5, 0.2, 0.1, 0.3, 5}, {0.8, 0.3, 0, 1, 5}};
    struct analysis_result result = {.curve = points, .curve_count = 3};
    struct effect_at at = curve_at(&result, 0.5);
    assert_true(at.known && !at.interpolated && at.effect == 0.2);
    at = curve_at(&result, 0.25);
    assert_true(at.known && at.interpolated && fabs(at.effect - 0.1) < 1e-12 && fabs(at.high - 0.15) < 1e-12);
    assert_false(curve_at(&result, 1).known);
}

enum printer { TEXT, JSON, CSV, EXPLAIN, TOP };

static char *print(struct analysis *analysis, enum printer printer, const struct report_options *options)
{
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    switch (printer) {
    case TEXT:
        report_text(out, analysis, options);
        break;
    case JSON:
        assert_int_equal(report_json(out, analysis, options, NULL), 0);
        break;
    case CSV:
        report_csv(out, analysis, options);
        break;
    case EXPLAIN:
        report_explain(out, analysis, options);
        break;
    case TOP:
        report_top(out, analysis, 2, 90);
        break;
    }
    assert_int_equal(fclose(out), 0);
    return text;
}

static void expect(char *text, const char *const *parts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!strstr(text, parts[i]))
            fail_msg("no \"%s\" in:\n%s", parts[i], text);
    free(text);
}

#define EXPECT(text, ...)                                                                                    \
    do {                                                                                                     \
        static const char *const parts_[] = {__VA_ARGS__};                                                   \
        expect(text, parts_, sizeof parts_ / sizeof parts_[0]);                                              \
    } while (0)

static void test_text(void **state)
{
    (void)state;
    struct analysis *analysis = example();
    struct report_options options = {.width = 100, .top = 20};
    EXPECT(print(analysis, TEXT, &options), "Run time 20.5 s, 205 windows",
           "control:", "Making src/big.c:1234 faster pays most: 50 % faster there makes `insert` 20 % (",
           "% less time for each visit", "  1 src/big.c:1234 ", "  2 src/small.c:5 ", "improves", "no effect",
           "x % faster means x % less time", "when the line is 50, 100 % faster",
           "   50 %  100 %  impact  at least", "Harmful:", "  1 src/lock.c:7 ",
           "Not ranked:", "src/untried.c:3: never tried");
    options.top = 1;
    EXPECT(print(analysis, TEXT, &options), "... and 2 more");
    EXPECT(print(analysis, TOP, &options), "src/big.c:1234", "pays most");
    options.wraps = true;
    for (int width = 60; width <= 200; width += 20) {
        options.width = width;
        char *text = print(analysis, TEXT, &options);
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
            if (strcspn(line, "\n") > (size_t)width)
                fail_msg("more than %d columns: %.*s", width, (int)strcspn(line, "\n"), line);
        free(text);
    }
    analysis_free(analysis);
}

/* Blocks of 0, a speedup, 0 at which the line's speedup is felt as is. */
static void add_speedup(struct analysis *analysis, double speedup, double wobble)
{
    static uint64_t block = 1000;
    for (int i = 0; i < 10; i++, block++)
        for (int window = 0; window < 3; window++) {
            double slower = 1 + wobble * ((i * 5 + window * 3) % 7 - 3);
            double left = window == 1 ? 1 - speedup : 1;
            add_window(analysis, "a.c:1", block, window == 1 ? speedup : 0, (uint64_t)(1e8 * left * slower),
                       1000);
        }
}

/* The columns are what was measured, be it one speedup, one below zero, or more than fit. */
static void test_columns_are_what_was_measured(void **state)
{
    (void)state;
    struct report_options options = {.width = 100};
    struct analysis *analysis = analysis_new();
    add_speedup(analysis, 0.2, 0.001);
    analysis_finish(analysis);
    EXPECT(print(analysis, TEXT, &options), "pays most: 20 % faster there makes `insert` 20 % (",
           "when the line is 20 % faster\n", "   20 %  impact  at least   at most samples",
           "1 a.c:1         insert   20.0 ");
    add_speedup(analysis, -0.5, 0.001);
    add_speedup(analysis, 0.125, 0.001);
    analysis_finish(analysis);
    EXPECT(print(analysis, TEXT, &options), "when the line is -50, 12.5, 20 % faster (below zero: slower)\n",
           "  -50 % 12.5 %   20 %  impact", "-50.0   12.5   20.0 ");
    for (int percent = 30; percent <= 90; percent += 10)
        add_speedup(analysis, percent / 100.0, 0.001);
    analysis_finish(analysis);
    EXPECT(print(analysis, TEXT, &options), "  -50 %   30 %   60 %   90 %  impact");
    options.width = 60;
    EXPECT(print(analysis, TEXT, &options), "  90 %  impact");
    analysis_free(analysis);

    analysis = analysis_new();
    add_speedup(analysis, -0.5, 0.001);
    analysis_finish(analysis);
    EXPECT(print(analysis, TEXT, &options), "pays most: 50 % slower there makes `insert` 50 % (",
           ") slower.");
    analysis_free(analysis);
}

/* What is not known yet: how much longer it takes, in words and numbers. */
static void test_patience(void **state)
{
    (void)state;
    struct report_options options = {.width = 130};
    struct analysis *analysis = analysis_new();
    add_speedup(analysis, 0.02, 0.08);
    add(analysis, (struct profile_record){.type = PROFILE_RUNTIME, .runtime = {.time_ns = 10000000000}});
    const struct analysis_result *results;
    assert_int_equal(analysis_results(analysis, &results), 1);
    assert_int_equal(results[0].verdict, VERDICT_TOO_LITTLE);
    assert_true(results[0].more_ns > 1e9 && isfinite(results[0].more_ns));
    char *text = print(analysis, TEXT, &options);
    const char *told = strstr(text, "for the 1 line without enough data: about ");
    assert_non_null(told);
    assert_non_null(strstr(told, " more.\n"));
    EXPECT(text, "a.c:1: not enough data (", "of `insert`); run about ");
    char *csv = print(analysis, CSV, &options), number[40];
    snprintf(number, sizeof number, ",%.6g\n", results[0].more_ns);
    assert_non_null(strstr(csv, number));
    free(csv);
    EXPECT(print(analysis, JSON, &options), "\"more\": ");
    analysis_free(analysis);
}

/* What put_advice() says of lines that have no verdict, and put_limits() of any. To be freed. */
static char *said_of(void (*say)(FILE *, const struct analysis_result *, size_t),
                     const struct analysis_result *results, size_t count)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    say(out, results, count);
    fclose(out);
    return text;
}

/* Of a long name what tells is kept: the end of a path, and of a name that says where it belongs. */
static void test_which_end_of_a_name_tells(void **state)
{
    (void)state;
    assert_true(end_tells_more("line", "/src/a.c:3"));
    assert_true(end_tells_more("file", "/src/a.c"));
    assert_true(end_tells_more("function", "aho_corasick::packed::teddy::verify64"));
    assert_false(end_tells_more("function", "ns::sort(std::vector<int>&)"));
    assert_false(end_tells_more("function", "longest_match"));
    assert_false(end_tells_more("function", NULL));
}

/* Lines that a longer run would tell of are counted apart from those that none will. */
static void test_patience_is_not_promised_to_the_hopeless(void **state)
{
    (void)state;
    struct analysis_result results[4];
    for (int i = 0; i < 4; i++)
        results[i] = (struct analysis_result){.kind = "line",
                                              .location = "a.c:1",
                                              .point = "insert",
                                              .verdict = VERDICT_TOO_LITTLE,
                                              .more_ns = i < 2 ? (i + 1) * 20e9 : INFINITY};
    char *text = said_of(put_advice, results, 4);
    assert_string_equal(
        text, "No line is shown to make `insert` faster. Run longer (or again: runs add up) for the 2 "
              "lines without enough data: about 20 s more for the first, 40 s for all. No length of "
              "run will tell of another 2 lines.\n");
    free(text);
    text = said_of(put_advice, results + 2, 2);
    assert_string_equal(text,
                        "No line is shown to make `insert` faster. No length of run will tell of the 2 lines "
                        "without enough data.\n");
    free(text);
    text = said_of(put_advice, results, 1);
    assert_string_equal(
        text, "No line is shown to make `insert` faster. Run longer (or again: runs add up) for the 1 "
              "line without enough data: about 20 s more.\n");
    free(text);
}

static void test_more_than_all_is_remarked_on(void **state)
{
    (void)state;
    struct analysis_result results[2] = {
        {.kind = "line", .location = "a.c:1", .point = "insert", .low = 1.08, .high = 1.2},
        {.kind = "line", .location = "a.c:2", .point = "insert", .low = 0.96, .high = 1.1}};
    char *text = said_of(put_limits, results, 2);
    assert_ptr_equal(strstr(text, "1 line has an impact above 100, which cannot be"), text);
    free(text);
    text = said_of(put_limits, results + 1, 1);
    assert_null(strstr(text, "above 100"));
    free(text);
}

/* A run that was killed: how much longer it takes is not known, and that is not the same as known well enough. */
static void test_runs_without_an_end(void **state)
{
    (void)state;
    struct report_options options = {.width = 100};
    struct analysis *analysis = analysis_new();
    add_speedup(analysis, 0.02, 0.08);
    EXPECT(print(analysis, JSON, &options), "\"to_5_points\": null");
    analysis_free(analysis);
}

static void test_json_and_csv_agree(void **state)
{
    (void)state;
    struct analysis *analysis = example();
    struct report_options options = {.width = 100};
    char *text = print(analysis, JSON, &options);
    json_t *root = json_loads(text, 0, NULL);
    free(text);
    assert_non_null(root);
    assert_int_equal(json_integer_value(json_object_get(root, "schema")), 1);
    assert_int_equal(json_integer_value(json_object_get(root, "runtime")), 20500000000);
    const char *kind, *location, *point, *metric, *verdict;
    double share, impact, low, high, chance;
    json_int_t samples;
    json_t *curve, *results = json_object_get(root, "results");
    assert_int_equal(json_array_size(results), 5);
    json_t *unknown = json_array_get(results, 4);
    assert_string_equal(json_string_value(json_object_get(unknown, "location")), "src/short.c:9");
    assert_true(json_is_null(json_object_get(unknown, "impact")));
    assert_int_equal(json_array_size(json_object_get(unknown, "curve")), 0);
    assert_int_equal(json_unpack(json_array_get(results, 0),
                                 "{s:s,s:s,s:s,s:s,s:I,s:F,s:s,s:F,s:F,s:F,s:F,s:o}", "kind", &kind,
                                 "location", &location, "point", &point, "metric", &metric, "samples",
                                 &samples, "share", &share, "verdict", &verdict, "impact", &impact, "low",
                                 &low, "high", &high, "chance", &chance, "curve", &curve),
                     0);
    assert_true(chance > 0 && 2 * chance < high - low); /* the rest is what the method is off */
    assert_string_equal(location, "src/big.c:1234");
    assert_string_equal(metric, "throughput");
    assert_string_equal(verdict, "improves");
    assert_int_equal(json_array_size(curve), 2);
    json_t *best = json_array_get(results, 0);
    assert_int_equal(json_integer_value(json_object_get(best, "group")), 1);
    assert_int_equal(json_integer_value(json_object_get(best, "to_5_points")), 0);
    assert_int_equal(json_array_size(json_object_get(best, "singles")), 2 * 20); /* 10 blocks of 2 */
    assert_true(json_is_null(json_object_get(unknown, "group")));
    assert_true(json_is_null(json_object_get(unknown, "to_5_points")));
    assert_int_equal(json_array_size(json_object_get(root, "hidden")), 2);
    double effect = json_real_value(json_object_get(json_array_get(curve, 0), "effect"));
    char row[200];
    snprintf(row, sizeof row, ",0.5,%.6g,", effect);
    json_decref(root);
    text = print(analysis, CSV, &options);
    assert_non_null(strstr(text, "\n1,\"line\",\"src/big.c:1234\",\"insert\",throughput,"));
    assert_non_null(strstr(text, row));
    assert_non_null(strstr(text, "\n5,\"line\",\"src/short.c:9\",\"insert\",throughput,"));
    assert_non_null(strstr(text, ",not enough data,,,,,,,,0,\n"));
    free(text);
    analysis_free(analysis);
}

static void test_hostile_names(void **state)
{
    (void)state;
    struct analysis *analysis = analysis_new();
    add_line(analysis, "\033[31mred\xff\n.c:1", 0.4, 10);
    analysis_finish(analysis);
    struct report_options options = {.width = 100, .utf8 = true};
    char *text = print(analysis, TEXT, &options);
    assert_null(strchr(text, '\033'));
    assert_non_null(strstr(text, "\\x1b[31mred\xef\xbf\xbd\\n.c:1"));
    free(text);
    text = print(analysis, JSON, &options);
    json_t *root = json_loads(text, 0, NULL);
    assert_non_null(root);
    json_decref(root);
    free(text);
    analysis_free(analysis);
}

static void test_empty_profiles_explain_themselves(void **state)
{
    (void)state;
    struct report_options options = {.width = 100};
    struct analysis *analysis = analysis_new();
    EXPECT(print(analysis, EXPLAIN, &options), "no experiments", "coz run");
    add(analysis, (struct profile_record){.type = PROFILE_RUNTIME, .runtime = {.time_ns = 5}});
    EXPECT(print(analysis, EXPLAIN, &options), "no samples", "-g");
    add(analysis,
        (struct profile_record){.type = PROFILE_SAMPLES, .samples = {.location = "a.c:1", .count = 5}});
    EXPECT(print(analysis, EXPLAIN, &options), "reached no progress point", "run it again");
    add(analysis, (struct profile_record){.type = PROFILE_EXPERIMENT, .experiment = {.selected = "a.c:1"}});
    EXPECT(print(analysis, EXPLAIN, &options), "No progress point was reached", "COZ_PROGRESS");
    add(analysis, (struct profile_record){.type = PROFILE_THROUGHPUT, .throughput = {"p", 3, 0}});
    EXPECT(print(analysis, EXPLAIN, &options), "Nothing has enough windows");
    assert_int_equal(report_answers(analysis, &options), 0);
    options.point = "q";
    EXPECT(print(analysis, EXPLAIN, &options), "progress point named q");
    char *text = print(analysis, JSON, &options);
    EXPECT(text, "\"results\": []");
    analysis_free(analysis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_verdicts_and_ranking),
        cmocka_unit_test(test_curve_between_points),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_columns_are_what_was_measured),
        cmocka_unit_test(test_patience),
        cmocka_unit_test(test_which_end_of_a_name_tells),
        cmocka_unit_test(test_patience_is_not_promised_to_the_hopeless),
        cmocka_unit_test(test_more_than_all_is_remarked_on),
        cmocka_unit_test(test_runs_without_an_end),
        cmocka_unit_test(test_json_and_csv_agree),
        cmocka_unit_test(test_hostile_names),
        cmocka_unit_test(test_empty_profiles_explain_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
