/* The parts of coz verify: where a line is in the next build, what was promised, how fast a program is, and what is
 * kept. */
#include "fake_segment.h"
#include "profile/verified.h"
#include "verify/costs.h"
#include "verify/meter.h"
#include "verify/promise.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/coz-test-verify-XXXXXX";

static char *place(const char *name)
{
    char *path;
    assert_true(asprintf(&path, "%s/%s", folder, name) > 0);
    return path;
}

static void write_file(const char *name, const char *text)
{
    char *path = place(name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    free(path);
}

/* A profile of samples, in which % is the folder. */
static struct costs read_costs(const char *records)
{
    char text[2000] = "", *end = text, *path = place("profile.jsonl");
    for (; *records; records++)
        end += *records == '%' ? sprintf(end, "%s", folder) : sprintf(end, "%c", *records);
    write_file("profile.jsonl", text);
    struct costs costs = {0};
    assert_int_equal(costs_read(&costs, path, NULL), 0);
    free(path);
    return costs;
}

#define SAMPLES(location, function, ns)                                                                      \
    "{\"type\":\"samples\",\"location\":\"" location "\",\"count\":1,\"cpu_ns\":" #ns                        \
    ",\"function\":\"" function "\"}\n"

#define TOGETHER(location, ns)                                                                               \
    "{\"type\":\"samples\",\"location\":\"" location "\",\"count\":1,\"cpu_ns\":" #ns                        \
    ",\"kind\":\"together\"}\n"

static void expect_match(const struct costs *after, const struct cost *before, const char *end, bool is_guess)
{
    bool guess;
    const struct cost *match = costs_match(after, before, &guess);
    if (!end) {
        assert_null(match);
        return;
    }
    assert_non_null(match);
    assert_non_null(strstr(match->location, end));
    assert_int_equal(guess, is_guess);
}

static void test_lines_are_matched(void **state)
{
    (void)state;
    write_file("old.c", "void f(void)\n{\n    work();\n    rest();\n}\n");
    write_file("new.c", "#include <x.h>\n\nvoid f(void)\n{\n    rest();\n\twork();\n}\n");
    struct costs before = read_costs(SAMPLES("%/old.c:3", "f", 50) SAMPLES("%/old.c:4", "f", 7));
    struct costs after = read_costs(SAMPLES("%/new.c:3", "f", 1) SAMPLES("%/new.c:5", "f", 7)
                                        SAMPLES("%/new.c:6", "f", 30) SAMPLES("%/other.c:3", "g", 9));
    const struct cost *work = costs_find(&before, "old.c:3"), *rest = costs_find(&before, "old.c:4");
    assert_non_null(work);
    assert_true(work->cpu_ns == 50);
    expect_match(&after, work, "/new.c:6", false); /* by its text, though line 3 has samples, too */
    expect_match(&after, rest, "/new.c:5", false);
    assert_null(costs_find(&before, "old.c:9"));

    /* In the same file only numbers can tell. */
    struct costs same = read_costs(SAMPLES("%/old.c:3", "f", 5) SAMPLES("%/old.c:4", "f", 6));
    expect_match(&same, work, "/old.c:3", false);
    struct costs moved = read_costs(SAMPLES("%/old.c:8", "f", 5) SAMPLES("%/old.c:20", "f", 6));
    expect_match(&moved, work, "/old.c:8", true);
    struct costs gone = read_costs(SAMPLES("%/old.c:3", "g", 5));
    expect_match(&gone, work, NULL, false);
    assert_true(costs_of(&moved, work) == 0 && costs_of(&before, work) == 50);
    costs_release(&before);
    costs_release(&after);
    costs_release(&same);
    costs_release(&moved);
    costs_release(&gone);
}

static void test_costs_add_up(void **state)
{
    (void)state;
    struct costs all = {0}, one = read_costs(SAMPLES("/a.c:1", "f", 5) SAMPLES("/a.c:2", "f", 6));
    assert_int_equal(costs_add_all(&all, &one), 0);
    assert_int_equal(costs_add_all(&all, &one), 0);
    assert_int_equal(all.count, 2);
    assert_true(costs_find(&all, "a.c:2")->cpu_ns == 12);
    costs_release(&all);
    costs_release(&one);
}

/* A run that was asked for them tells what they cost together. */
static void test_costs_of_several_at_once(void **state)
{
    (void)state;
    struct costs costs =
        read_costs(SAMPLES("/c++/a.c:1", "f", 5) SAMPLES("/a.c:2", "f", 6) TOGETHER("/c++/a.c:1 + a.c:2", 7));
    const struct cost *both = costs_find(&costs, "/c++/a.c:1 + a.c:2");
    assert_true(both && both->cpu_ns == 7);
    expect_match(&costs, both, "/c++/a.c:1 + a.c:2", false);
    costs_release(&costs);
}

static void expect_promise(const struct analysis_result *result, double value, double low, double high,
                           double promised, double least, double most)
{
    const struct verified_effect speedup = {value, low, high};
    struct verified_effect promise = promise_at(result, &speedup);
    assert_true(fabs(promise.value - promised) < 1e-9);
    assert_true(fabs(promise.low - least) < 1e-9);
    assert_true(fabs(promise.high - most) < 1e-9);
}

static void test_promises(void **state)
{
    (void)state;
    struct curve_point points[] = {
        {0.25, 0.2, 0.1, 0.3, 5}, {0.5, 0.3, 0.2, 0.4, 5}, {0.75, 0.2, 0.1, 0.25, 5}};
    const struct analysis_result result = {
        .curve = points, .curve_count = 3, .impact = 0.4, .low = 0.2, .high = 0.6};
    expect_promise(&result, 0.25, 0.25, 0.25, 0.2, 0.1, 0.3);
    expect_promise(&result, 0.375, 0.25, 0.5, 0.25, 0.1, 0.4); /* as wide as the speedup is unsure */
    expect_promise(&result, 0.5, 0.25, 0.75, 0.3, 0.1, 0.4);
    expect_promise(&result, 0.7, 0.2, 0.8, 0.22, 0.08, 0.4); /* with what lies between */
    expect_promise(&result, 0.9, 0.9, 0.9, 0.2, 0.1, 0.25);  /* no further than what was tried */
    expect_promise(&result, 0, -0.1, 0.05, 0, -0.06, 0.06);  /* a slowdown: the slope */
    assert_true(isnan(promise_at(&result, &(struct verified_effect){NAN, NAN, NAN}).value));
    const struct analysis_result empty = {.curve_count = 0};
    assert_true(isnan(promise_at(&empty, &(struct verified_effect){0.5, 0.4, 0.6}).value));
}

static void test_outcomes(void **state)
{
    (void)state;
    static const struct {
        struct verified_effect gain, promise;
        enum verified_outcome outcome;
    } cases[] = {
        {{0.01, -0.01, 0.03}, {0.1, 0.05, 0.2}, VERIFIED_NOTHING},
        {{-0.1, -0.2, -0.01}, {NAN, NAN, NAN}, VERIFIED_LOST},
        {{0.1, 0.05, 0.15}, {NAN, NAN, NAN}, VERIFIED_GAINED},
        {{0.1, 0.05, 0.15}, {0.2, 0.14, 0.3}, VERIFIED_KEPT},
        {{0.1, 0.05, 0.15}, {0.2, 0.16, 0.3}, VERIFIED_LESS},
        {{0.4, 0.35, 0.5}, {0.2, 0.16, 0.3}, VERIFIED_MORE},
        {{0.1, -INFINITY, INFINITY}, {0.2, 0.16, 0.3}, VERIFIED_NOTHING},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(
            verified_outcome(&(struct verified){.gain = cases[i].gain, .promise = cases[i].promise}),
            cases[i].outcome);
}

struct kept {
    size_t count;
};

static int expect_kept(void *context, const struct verified *verified)
{
    struct kept *kept = context;
    kept->count++;
    assert_string_equal(verified->point, "p \"quoted\"\n");
    assert_string_equal(verified->before, "./a --x 'y'");
    assert_null(verified->profile);
    assert_true(verified->is_latency);
    assert_int_equal(verified->time_ns, 1700000000000000001);
    assert_int_equal(verified->rounds, 7);
    assert_true(fabs(verified->gain.low - 0.05) < 1e-6);
    assert_true(isnan(verified->line.value) && isnan(verified->promise.value));
    return 0;
}

static void test_what_is_kept(void **state)
{
    (void)state;
    const struct verified_effect unknown = {NAN, NAN, NAN};
    const struct verified verified = {.time_ns = 1700000000000000001,
                                      .before = "./a --x 'y'",
                                      .after = "./b \xff",
                                      .point = "p \"quoted\"\n",
                                      .is_latency = true,
                                      .rounds = 7,
                                      .gain = {0.1, 0.05, 0.15},
                                      .line = unknown,
                                      .promise = unknown};
    struct kept kept = {0};
    char *profile = place("x.jsonl"), *path = verified_path(profile), *expected = place(VERIFIED_FILE);
    assert_string_equal(path, expected);
    assert_int_equal(verified_read(path, expect_kept, &kept), 0);
    assert_int_equal(kept.count, 0);
    assert_int_equal(verified_append(path, &verified, NULL), 0);
    FILE *file = fopen(path, "a");
    fputs("nonsense\n{\"type\":\"else\"}\n{\"type\":\"verified\",\"point\":1}\n[]\n", file);
    fclose(file);
    assert_int_equal(verified_append(path, &verified, NULL), 0);
    assert_int_equal(verified_read(path, expect_kept, &kept), 0);
    assert_int_equal(kept.count, 2);
    struct coz_error error;
    assert_true(verified_append(folder, &verified, &error) < 0);
    assert_non_null(strstr(error.text, folder));
    char *alone = verified_path("profile.jsonl");
    assert_string_equal(alone, VERIFIED_FILE);
    free(profile);
    free(path);
    free(expected);
    free(alone);
}

static void set_point(struct segment *segment, uint32_t index, enum segment_point_type type, const char *name,
                      uint64_t count, uint64_t sum_ns)
{
    struct segment_point *point = &segment->points[index];
    point->type = type;
    snprintf(point->name, sizeof point->name, "%s", name);
    atomic_store(&point->key, index + 1);
    atomic_store(&point->precise, 1);
    atomic_store(&point->count, count);
    atomic_store(&point->entered, count);
    atomic_store(&point->sum_ns, sum_ns);
    atomic_store(&point->state, SLOT_READY);
}

/* 100 visits a look of 1 ms, between a start and an end in which nothing happens; of each that begins 0.4 ms pass
 * until it ends. */
static void test_rates_and_latencies(void **state)
{
    (void)state;
    struct segment *segment = fake_segment();
    struct meter *meter = calloc(1, sizeof *meter);
    struct metered metered;
    assert_true(segment && meter);
    set_point(segment, 0, POINT_THROUGHPUT, "p", 0, 0);
    set_point(segment, 1, POINT_BEGIN, "q", 0, 0);
    set_point(segment, 2, POINT_END, "q", 0, 0);
    set_point(segment, 3, POINT_END, "alone", 0, 0);
    for (uint64_t look = 0; look < 100; look++) {
        uint64_t done = look < 20 ? 0 : look < 80 ? look - 19 : 60;
        uint64_t begun_ns = 1000000 * 100 * (20 * done + done * (done + 1) / 2);
        set_point(segment, 0, POINT_THROUGHPUT, "p", 100 * done, 0);
        set_point(segment, 1, POINT_BEGIN, "q", 100 * done, begun_ns);
        set_point(segment, 2, POINT_END, "q", 100 * done, begun_ns + 400000 * 100 * done);
        meter_look(meter, segment, look * 1000000);
    }
    assert_true(meter_point(meter, segment, 0, &metered));
    assert_false(metered.is_latency);
    assert_int_equal(metered.visits, 6000);
    assert_true(fabs(metered.time_ns - 10000) < 1);
    assert_true(meter_point(meter, segment, 2, &metered));
    assert_true(metered.is_latency);
    assert_true(fabs(metered.time_ns - 400000) < 1);
    assert_false(meter_point(meter, segment, 1, &metered));
    assert_false(meter_point(meter, segment, 3, &metered));
    fake_segment_release(segment);
    free(meter);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"old.c", "new.c", "profile.jsonl", VERIFIED_FILE};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = place(names[i]);
        unlink(path);
        free(path);
    }
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_are_matched),
        cmocka_unit_test(test_costs_add_up),
        cmocka_unit_test(test_costs_of_several_at_once),
        cmocka_unit_test(test_promises),
        cmocka_unit_test(test_outcomes),
        cmocka_unit_test(test_what_is_kept),
        cmocka_unit_test(test_rates_and_latencies),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
