/* One target for a terminal: which one is meant, and a picture whose every column is where it should be. */
#include "report/cells.h"
#include "report/target/canvas.h"
#include "report/target/find.h"
#include "report/target/plot.h"
#include "report/target/target.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "made_analysis.h"

/* Full speed saves the given share of the point insert, and none of the other. */
static void add_target(struct analysis *analysis, const char *kind, const char *name, double saved)
{
    static uint64_t block;
    for (int i = 0; i < 10; i++, block++)
        for (int window = 0; window < MADE_WINDOWS; window++) {
            uint64_t elapsed = made_elapsed(i, window, saved);
            add_experiment(analysis, kind, name, block, made_speedup(window), elapsed);
            add_visits(analysis, "insert", 1000, elapsed);
            add_visits(analysis, "other", 1000, made_elapsed(i, window, 0));
        }
}

static void add_samples(struct analysis *analysis, const char *location, const char *function)
{
    add(analysis,
        (struct profile_record){.type = PROFILE_SAMPLES,
                                .samples = {.location = location, .count = 100, .function = function}});
}

static struct analysis *example(void)
{
    struct analysis *analysis = analysis_new();
    add_target(analysis, NULL, "/src/app/worker.c:88", 0.4);
    add_target(analysis, NULL, "/src/app/worker.c:95", 0.1);
    add_target(analysis, NULL, "/src/lib/worker.c:95", 0.1);
    add_target(analysis, NULL, "/src/app/queue.c:7", -0.3);
    add_target(analysis, NULL, "/src/app/still.c:7", 0);
    add_samples(analysis, "/src/app/worker.c:88", "work");
    add_samples(analysis, "/src/app/worker.c:95", "work");
    add_samples(analysis, "/src/app/queue.c:7", "ns::Queue::push(int)");
    add_samples(analysis, "/src/app/untried.c:3", "idle");
    add(analysis, (struct profile_record){.type = PROFILE_RUNTIME, .runtime = {.time_ns = 20000000000}});
    return analysis;
}

static void test_which_is_meant(void **state)
{
    (void)state;
    static const struct {
        const char *wanted, *location, *function;
    } cases[] = {
        {"worker.c:88", "/src/app/worker.c:88", NULL},
        {"app/worker.c:95", "/src/app/worker.c:95", NULL},
        {"/src/lib/worker.c:95", "/src/lib/worker.c:95", NULL},
        {"work", "/src/app/worker.c:88", "work"},
        {"push", "/src/app/queue.c:7", "ns::Queue::push(int)"},
        {"Queue::push", "/src/app/queue.c:7", "ns::Queue::push(int)"},
    };
    struct analysis *analysis = example();
    const struct report_options options = {.width = 80};
    struct found_target found;
    struct coz_error error;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(find_target(&found, analysis, &options, cases[i].wanted, &error), 0);
        assert_int_equal(found.count, 2);
        assert_string_equal(found.answers[0]->location, cases[i].location);
        if (cases[i].function)
            assert_string_equal(found.function, cases[i].function);
        else
            assert_null(found.function);
    }
    const struct report_options one = {.width = 80, .point = "other"},
                                none = {.width = 80, .point = "absent"};
    assert_int_equal(find_target(&found, analysis, &one, "worker.c:88", &error), 0);
    assert_int_equal(found.count, 1);
    assert_string_equal(found.answers[0]->point, "other");
    assert_int_equal(find_target(&found, analysis, &none, "worker.c:88", &error), -ENOENT);
    assert_non_null(strstr(error.text, "absent"));
    analysis_free(analysis);
}

static void test_nearest_names(void **state)
{
    (void)state;
    struct analysis *analysis = example();
    const struct report_options options = {.width = 80};
    struct found_target found;
    struct coz_error error;
    assert_int_equal(find_target(&found, analysis, &options, "worker.c:95", &error), -EINVAL);
    assert_non_null(strstr(error.text, "/src/app/worker.c:95"));
    assert_non_null(strstr(error.text, "/src/lib/worker.c:95"));
    assert_int_equal(find_target(&found, analysis, &options, "worker.c:90", &error), -ENOENT);
    const char *first = strstr(error.text, "/src/app/worker.c:88"), *next = strstr(error.text, "worker.c:95");
    assert_true(first && next && first < next);
    assert_int_equal(find_target(&found, analysis, &options, "wrok", &error), -ENOENT);
    assert_non_null(strstr(error.text, "The nearest of what was: work,"));
    assert_int_equal(find_target(&found, analysis, &options, "untried.c:3", &error), -ENOENT);
    assert_non_null(strstr(error.text, "never tried"));
    assert_int_equal(find_target(&found, analysis, &options, "\033[2J", &error), -ENOENT);
    assert_null(strchr(error.text, '\033'));
    analysis_free(analysis);
}

static void test_callsites_and_functions(void **state)
{
    (void)state;
    struct analysis *analysis = analysis_new();
    const struct report_options options = {.width = 80};
    struct found_target found;
    struct coz_error error;
    add_target(analysis, "callsite", "/s/a.c:12 <- /s/b.c:3", 0.2);
    add_target(analysis, "callsite", "/s/a.c:12 <- /s/b.c:4", 0.3);
    add_target(analysis, "function", "ns::A::run(int)", 0.3);
    assert_int_equal(find_target(&found, analysis, &options, "a.c:12 <- b.c:3", &error), 0);
    assert_string_equal(found.answers[0]->location, "/s/a.c:12 <- /s/b.c:3");
    assert_int_equal(find_target(&found, analysis, &options, "A::run", &error), 0);
    assert_string_equal(found.answers[0]->location, "ns::A::run(int)");
    analysis_free(analysis);
}

static void test_scales(void **state)
{
    (void)state;
    for (double low = -3; low <= 0; low += 0.013)
        for (double high = 0; high <= 1.5; high += 0.017) {
            struct plot_scale scale = plot_scale_around(low, high);
            assert_true(scale.low <= fmax(low, -3) + 1e-9 && scale.high >= high - 1e-9);
            assert_true(scale.steps >= 2 && scale.steps <= 6);
            assert_true(fabs(scale.low + scale.steps * scale.step - scale.high) < 1e-9);
            double zero = -scale.low / scale.step;
            assert_true(fabs(zero - round(zero)) < 1e-9);
        }
}

static char *row_of(const struct canvas *canvas, int row, const struct report_options *options)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    canvas_put_row(out, canvas, row, INK_GOOD, options);
    fclose(out);
    return text;
}

static void expect_row(const struct canvas *canvas, int row, const struct report_options *options,
                       const char *expected)
{
    char *text = row_of(canvas, row, options);
    assert_string_equal(text, expected);
    free(text);
}

static void test_canvas(void **state)
{
    (void)state;
    const struct report_options braille = {.utf8 = true}, ascii = {.utf8 = false},
                                colour = {.utf8 = true, .colour = true};
    struct canvas canvas;
    assert_int_equal(canvas_init(&canvas, 6, 2), 0);
    for (int y = 0; y < DOTS_DOWN; y++) {
        canvas_dot(&canvas, CANVAS_LINE, 0, y);
        canvas_dot(&canvas, CANVAS_BAND, 3, y);
        canvas_dot(&canvas, CANVAS_BAND, 0, y); /* behind the line */
    }
    canvas_mark(&canvas, 2, 0, MARK_SINGLE);
    canvas_mark(&canvas, 2, 0, MARK_SINGLE);
    canvas_mark(&canvas, 3, 0, MARK_POINT);
    canvas_mark(&canvas, 3, 0, MARK_ZERO);
    canvas_dot(&canvas, CANVAS_LINE, -1, 0);
    canvas_dot(&canvas, CANVAS_LINE, 12, 0);
    canvas_dot(&canvas, CANVAS_LINE, 0, 8);
    canvas_mark(&canvas, 6, 1, MARK_POINT);
    canvas_mark(&canvas, 5, 1, MARK_SINGLE);
    expect_row(&canvas, 0, &braille, "⡇⢸○●");
    expect_row(&canvas, 0, &ascii, "*.XO");
    expect_row(&canvas, 1, &ascii, "     x");
    expect_row(&canvas, 0, &colour, "\033[32m⡇\033[0m\033[2m⢸\033[0m○\033[32m●\033[0m");
    canvas_release(&canvas);
}

/* All lines of what is printed fit, whatever the width, with and without single windows. */
static void test_widths(void **state)
{
    (void)state;
    struct analysis *analysis = example();
    struct coz_error error;
    static const char *const targets[] = {"worker.c:88", "queue.c:7", "still.c:7"};
    for (int width = 60; width <= 200; width += 7)
        for (size_t i = 0; i < 3 * 2 * 2; i++) {
            const struct report_options options = {.width = width, .utf8 = i & 1, .wraps = true, .source = 9};
            char *text;
            size_t size;
            FILE *out = open_memstream(&text, &size);
            assert_int_equal(report_target(out, analysis, &options, targets[i / 4], i & 2, &error), 1);
            fclose(out);
            for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
                if (text_columns(line) > (size_t)width)
                    fail_msg("%zu columns instead of %d: %s", text_columns(line), width, line);
            free(text);
        }
    analysis_free(analysis);
}

/* Each point's mark stands in the row of its tick, and above its numbers. */
static void test_points_are_where_the_axes_say(void **state)
{
    (void)state;
    struct curve_point points[] = {
        {-0.5, -0.2, -0.2, -0.2, 5}, {0.5, 0.2, 0.2, 0.2, 5}, {1, 0.4, 0.4, 0.4, 7}};
    const struct analysis_result result = {.curve = points, .curve_count = 3, .verdict = VERDICT_IMPROVES};
    const struct report_options options = {.width = 80};
    char *text, *rows[40] = {0};
    size_t size, count = 0, outside = 0;
    const struct analysis_single singles[] = {{0.5, 3, 0}, {0.5, -1e300, 0}, {1, 0.4, 0}};
    FILE *out = open_memstream(&text, &size);
    assert_int_equal(put_plot(out, &result, singles, 3, &outside, &options), 0);
    fclose(out);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        rows[count++] = line;
    static const struct {
        const char *tick, *label;
    } expected[] = {{"   40 % +", "100 %"}, {"   20 % +", " 50 %"}, {"  -20 % +", "-50 %"}};
    const char *faster = rows[count - 5];
    for (size_t i = 0; i < 3; i++) {
        size_t row = 0;
        while (row < count && strncmp(rows[row], expected[i].tick, strlen(expected[i].tick)) != 0)
            row++;
        assert_true(row < count);
        const char *mark = strchr(rows[row], 'O'), *label = strstr(faster, expected[i].label);
        assert_non_null(mark);
        assert_non_null(label);
        long column = mark - rows[row], centre = label - faster + ((long)strlen(expected[i].label) - 1) / 2;
        assert_true(labs(column - centre) <= 2); /* at the left edge there is no room for half of it */
    }
    assert_int_equal(outside, 2);
    assert_non_null(strstr(faster, "  faster -50 %"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which_is_meant),
        cmocka_unit_test(test_nearest_names),
        cmocka_unit_test(test_callsites_and_functions),
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_canvas),
        cmocka_unit_test(test_widths),
        cmocka_unit_test(test_points_are_where_the_axes_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
