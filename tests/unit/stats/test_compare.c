/* Two builds compared: numbers from tables and by hand, lines found again after edits, and simulated runs whose
 * truth is known. bench/compare asks more of the same, through the command. */
#include "base/random.h"
#include "stats/compare/compare.h"
#include "stats/compare/matching.h"
#include "stats/numbers/tests.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "near.h"

static void test_tails(void **state)
{
    (void)state;
    /* From the tables, two-sided. */
    assert_near(tail_student(12.7062, 1), 0.05, 1e-5);
    assert_near(tail_student(4.30265, 2), 0.05, 1e-6);
    assert_near(tail_student(2.22814, 10), 0.05, 1e-6);
    assert_near(tail_student(-3.16927, 10), 0.01, 1e-6);
    assert_near(tail_student(1.959964, INFINITY), 0.05, 1e-7);
    assert_near(tail_student(1.9720, 199), 0.05, 1e-4);
    assert_near(tail_student(0, 7), 1, 1e-12);
    assert_true(tail_student(30, 12) < 1e-11 && tail_student(30, 12) > 0);
    assert_true(isnan(tail_student(NAN, 5)) && isnan(tail_student(1, 0)));
    /* Welch's: two of the same size and freedom have both; one that is known exactly adds none. */
    assert_near(freedom_of_sum((double[]){1, 1}, (double[]){10, 10}, 2), 20, 1e-12);
    assert_near(freedom_of_sum((double[]){1, 1}, (double[]){10, INFINITY}, 2), 40, 1e-12);
}

static void test_holm(void **state)
{
    (void)state;
    double chances[] = {0.04, NAN, 0.01, 0.03, 0.005};
    assert_int_equal(adjust_for_many(chances, 5), 0);
    /* 0.005 * 4, 0.01 * 3, 0.03 * 2; 0.04 * 1 is not less than the one before. */
    assert_near(chances[4], 0.02, 1e-12);
    assert_near(chances[2], 0.03, 1e-12);
    assert_near(chances[3], 0.06, 1e-12);
    assert_near(chances[0], 0.06, 1e-12);
    assert_true(isnan(chances[1]));
}

/* ---- Which line is which ---- */

enum { LINES_MOST = 8 };

static struct match_target line_at(const char *location, const char *function, const char *text)
{
    return (struct match_target){.kind = "line", .location = location, .function = function, .text = text};
}

static void assert_pair(const struct match_target *before, size_t i, size_t j, enum match_by by)
{
    assert_int_equal(before[i].by, by);
    assert_int_equal(before[i].other, j);
}

static void test_lines_move_with_their_text(void **state)
{
    (void)state;
    struct match_target before[] = {line_at("/a/w.c:10", "f", "x = g();"), line_at("/a/w.c:12", "f", "h(x);"),
                                    line_at("/a/w.c:30", "k", "x = g();")};
    /* Built elsewhere, five lines further down, and one more between; at 12 there is another line now. */
    struct match_target after[] = {line_at("/b/w.c:12", "g", "return 1;"),
                                   line_at("/b/w.c:15", "f", "x = g();"), line_at("/b/w.c:16", "f", "y = x;"),
                                   line_at("/b/w.c:18", "f", "h(x);"), line_at("/b/w.c:36", "k", "x = g();")};
    assert_int_equal(match_targets(before, 3, after, 5), 0);
    assert_pair(before, 0, 1, MATCH_TEXT);
    assert_pair(before, 1, 3, MATCH_TEXT);
    assert_pair(before, 2, 4, MATCH_TEXT);
    assert_int_equal(after[0].by, MATCH_NONE);
    assert_int_equal(after[2].by, MATCH_NONE);
}

static void test_edited_lines_keep_their_place(void **state)
{
    (void)state;
    struct match_target before[] = {line_at("w.c:10", "f", "begin();"),
                                    line_at("w.c:11", "f", "sum += slow(i);"),
                                    line_at("w.c:12", "f", "end();")};
    struct match_target after[] = {line_at("w.c:10", "f", "begin();"),
                                   line_at("w.c:11", "f", "sum += fast(i);"),
                                   line_at("w.c:12", "f", "end();")};
    assert_int_equal(match_targets(before, 3, after, 3), 0);
    assert_pair(before, 1, 1, MATCH_ORDER);
    /* Something else there is something else, number or not. */
    after[1].text = "qqqqqqqqq";
    assert_int_equal(match_targets(before, 3, after, 3), 0);
    assert_int_equal(before[1].by, MATCH_NONE);
    assert_int_equal(after[1].by, MATCH_NONE);
    assert_pair(before, 2, 2, MATCH_TEXT);
}

static void test_the_same_text_twice(void **state)
{
    (void)state;
    /* The first was not sampled any more: what has not moved is meant. */
    struct match_target before[] = {line_at("w.c:10", "f", "i++;"), line_at("w.c:14", "f", "g();"),
                                    line_at("w.c:20", "f", "i++;")};
    struct match_target after[] = {line_at("w.c:14", "f", "g();"), line_at("w.c:20", "f", "i++;")};
    assert_int_equal(match_targets(before, 3, after, 2), 0);
    assert_int_equal(before[0].by, MATCH_NONE);
    assert_pair(before, 1, 0, MATCH_TEXT);
    assert_pair(before, 2, 1, MATCH_TEXT);
}

static void test_without_texts(void **state)
{
    (void)state;
    struct match_target before[] = {line_at("w.c:10", "f", NULL), line_at("w.c:12", "f", NULL),
                                    line_at("w.c:15", "f", NULL), line_at("w.c:90", NULL, NULL)};
    struct match_target after[] = {line_at("w.c:20", "f", NULL), line_at("w.c:22", "f", NULL),
                                   line_at("w.c:27", "f", NULL), line_at("w.c:90", NULL, NULL)};
    assert_int_equal(match_targets(before, 4, after, 4), 0);
    assert_pair(before, 0, 0, MATCH_MOVED);
    assert_pair(before, 1, 1, MATCH_MOVED);
    assert_pair(before, 2, 2, MATCH_ORDER);
    assert_pair(before, 3, 3, MATCH_NUMBER);
    /* Functions of one name in two files are two. */
    struct match_target one[] = {line_at("a.c:10", "add", NULL)}, other[] = {line_at("b.c:10", "add", NULL)};
    assert_int_equal(match_targets(one, 1, other, 1), 0);
    assert_int_equal(one[0].by, MATCH_NONE);
    /* One side was killed, and tells no function. */
    other[0] = line_at("a.c:10", NULL, NULL);
    assert_int_equal(match_targets(one, 1, other, 1), 0);
    assert_pair(one, 0, 0, MATCH_NUMBER);
}

static void test_functions_and_nothing(void **state)
{
    (void)state;
    struct match_target before[] = {{.kind = "function", .location = "f"},
                                    {.kind = "function", .location = "g"}};
    struct match_target after[] = {{.kind = "function", .location = "g"}, {.kind = "line", .location = "f"}};
    assert_int_equal(match_targets(before, 2, after, 2), 0);
    assert_pair(before, 1, 0, MATCH_NAME);
    assert_int_equal(before[0].by, MATCH_NONE);
    assert_int_equal(match_targets(before, 2, after, 0), 0);
    assert_int_equal(match_targets(before, 0, after, 2), 0);
}

/* Whatever the names, every pair is one both ways. */
static void test_any_targets(void **state)
{
    (void)state;
    uint64_t random = 7;
    for (int round = 0; round < 3000; round++) {
        static const char *const words[] = {NULL, "f", "g", "i++;", "x = g();"};
        char names[2][LINES_MOST][32];
        struct match_target sides[2][LINES_MOST];
        size_t counts[2];
        for (int side = 0; side < 2; side++) {
            long line = 1;
            counts[side] = random_below(&random, LINES_MOST + 1);
            for (size_t i = 0; i < counts[side]; i++) {
                line += 1 + (long)random_below(&random, 3);
                snprintf(names[side][i], sizeof names[side][i], "w.c:%ld", line);
                sides[side][i] =
                    line_at(names[side][i], words[random_below(&random, 3)], words[random_below(&random, 5)]);
            }
        }
        assert_int_equal(match_targets(sides[0], counts[0], sides[1], counts[1]), 0);
        for (int side = 0; side < 2; side++) {
            for (size_t i = 0; i < counts[side]; i++) {
                const struct match_target *one = &sides[side][i];
                if (one->by == MATCH_NONE)
                    continue;
                assert_true(one->other < counts[!side]);
                assert_int_equal(sides[!side][one->other].other, i);
                assert_int_equal(sides[!side][one->other].by, one->by);
            }
        }
    }
}

/* ---- Simulated runs ---- */

enum { TARGETS = 4, BLOCKS = 27, PAIRS = 60 };

struct truth {
    double rate, impacts[TARGETS];
    const char *texts[TARGETS];
    int first_line;
};

static const struct truth usual = {2000, {0.45, 0.3, 0, 0}, {"a();", "b();", "c();", "d();"}, 10};

/* Of mean 0 and deviation 1, near enough. */
static double noise(uint64_t *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += random_unit(random);
    return sum;
}

static void begin(struct compare_side *side)
{
    side_begin(side, analysis_new(), story_new());
    assert_true(side->analysis && side->story);
}

static void add(struct compare_side *side, const struct profile_record *record)
{
    assert_int_equal(analysis_add(side->analysis, record), 0);
    assert_int_equal(story_add(side->story, record), 0);
    assert_int_equal(side_add(side, record), 0);
}

static void end_file(struct compare_side *side)
{
    assert_int_equal(analysis_finish(side->analysis), 0);
    side_end_file(side);
}

static void release(struct compare_side *side)
{
    story_free(side->story);
    analysis_free(side->analysis);
    side_release(side);
}

static void add_window(struct compare_side *side, const struct truth *truth, size_t block, size_t place,
                       size_t target, double speedup, double log_time)
{
    char location[32];
    snprintf(location, sizeof location, "w.c:%d", truth->first_line + (int)target);
    struct profile_record window = {.type = PROFILE_EXPERIMENT};
    window.experiment.selected = location;
    window.experiment.speedup = speedup;
    window.experiment.duration_ns = 100000000;
    window.experiment.has_block = true;
    window.experiment.block = block;
    window.experiment.window = place;
    add(side, &window);
    double time = exp(log_time) * (1 - truth->impacts[target] * speedup) / truth->rate * 1e9;
    struct profile_record point = {.type = PROFILE_THROUGHPUT};
    point.throughput.name = "p";
    point.throughput.delta = (uint64_t)(1e8 / time) + 1;
    point.throughput.elapsed_ns = (uint64_t)((double)point.throughput.delta * time);
    add(side, &point);
}

/* Half a minute. Neighbouring blocks, and neighbouring windows, are alike; runs differ. */
static void simulate(struct compare_side *side, const struct truth *truth, uint64_t seed)
{
    uint64_t random = seed * 1000003;
    double run = 0.01 * noise(&random), mood = noise(&random), window = noise(&random);
    struct profile_record startup = {.type = PROFILE_STARTUP};
    startup.startup.time_ns = 1;
    add(side, &startup);
    for (size_t block = 0; block < BLOCKS; block++) {
        mood = 0.6 * mood + 0.8 * noise(&random);
        for (size_t place = 1; place <= 9; place++) {
            window = 0.5 * window + sqrt(0.75) * noise(&random);
            double speedup = place % 2 ? 0 : 0.25 * (double)((place / 2 + block) % 4 + 1);
            add_window(side, truth, block, place, block % TARGETS, speedup,
                       run + 0.03 * mood + 0.05 * window);
        }
    }
    for (int target = 0; target < TARGETS; target++) {
        char location[32];
        snprintf(location, sizeof location, "w.c:%d", truth->first_line + target);
        struct profile_record samples = {.type = PROFILE_SAMPLES};
        samples.samples.location = location;
        samples.samples.count = 1000;
        samples.samples.function = "f";
        samples.samples.text = truth->texts[target];
        add(side, &samples);
    }
}

struct pair {
    struct compare_side before, after;
    struct comparison comparison;
};

static void make_pair(struct pair *pair, const struct truth *before, const struct truth *after, uint64_t seed,
                      int runs)
{
    *pair = (struct pair){.before.analysis = NULL};
    begin(&pair->before);
    begin(&pair->after);
    for (int run = 0; run < runs; run++) {
        simulate(&pair->before, before, 2 * (seed * 10 + (uint64_t)run));
        simulate(&pair->after, after, 2 * (seed * 10 + (uint64_t)run) + 1);
    }
    end_file(&pair->before);
    end_file(&pair->after);
    assert_int_equal(comparison_make(&pair->comparison, &pair->before, &pair->after), 0);
    assert_int_equal(pair->comparison.rate_count, 1);
    assert_int_equal(pair->comparison.target_count, TARGETS);
}

static void release_pair(struct pair *pair)
{
    comparison_release(&pair->comparison);
    release(&pair->before);
    release(&pair->after);
}

static bool any_changed(const struct comparison *comparison)
{
    bool any = comparison->rates[0].verdict == COMPARE_CHANGED;
    for (size_t i = 0; i < comparison->target_count; i++)
        any |= comparison->targets[i].verdict == COMPARE_CHANGED;
    return any;
}

static void test_the_same_is_not_changed(void **state)
{
    (void)state;
    int changed = 0, inside = 0;
    for (uint64_t seed = 1; seed <= PAIRS; seed++) {
        struct pair pair;
        make_pair(&pair, &usual, &usual, seed, 1);
        changed += any_changed(&pair.comparison);
        inside += pair.comparison.rates[0].low <= 0 && pair.comparison.rates[0].high >= 0;
        release_pair(&pair);
    }
    /* 3 of 60 are meant; a tenth more than twice that is chance once in a thousand. */
    assert_in_range(changed, 0, 8);
    assert_in_range(inside, PAIRS - 9, PAIRS);
}

static void test_what_changed_is_found(void **state)
{
    (void)state;
    /* The first line is worth 20 points less, the program goes 20 % faster, and all of it stands elsewhere. */
    struct truth changed = usual;
    changed.impacts[0] -= 0.2;
    changed.rate *= 1.2;
    changed.first_line = 200;
    int found = 0, found_rate = 0;
    for (uint64_t seed = 1; seed <= PAIRS; seed++) {
        struct pair pair;
        make_pair(&pair, &usual, &changed, seed, 1);
        const struct compare_target *first = &pair.comparison.targets[0];
        assert_int_equal(first->by, MATCH_TEXT);
        bool right = first->verdict == COMPARE_CHANGED && strcmp(first->before->location, "w.c:10") == 0 &&
                     strcmp(first->after->location, "w.c:200") == 0 && first->change < 0;
        found += right;
        found_rate +=
            pair.comparison.rates[0].verdict == COMPARE_CHANGED && pair.comparison.rates[0].change > 0.1;
        release_pair(&pair);
    }
    assert_in_range(found, PAIRS * 9 / 10, PAIRS);
    assert_in_range(found_rate, PAIRS * 9 / 10, PAIRS);
}

static void test_no_change_is_shown(void **state)
{
    (void)state;
    /* Ten runs each: what is the same can be said to be. */
    struct pair pair;
    make_pair(&pair, &usual, &usual, 5, 10);
    assert_int_equal(pair.comparison.rates[0].verdict, COMPARE_SAME);
    assert_int_equal(pair.comparison.rates[0].runs[0], 10);
    size_t same = 0;
    for (size_t i = 0; i < TARGETS; i++)
        same += pair.comparison.targets[i].verdict == COMPARE_SAME;
    assert_in_range(same, 2, TARGETS);
    release_pair(&pair);
}

/* Runs that differ more than their blocks tell are no better known for having many blocks. */
static void test_runs_that_differ(void **state)
{
    (void)state;
    struct compare_side sides[2] = {{.analysis = NULL}, {.analysis = NULL}};
    static const double rates[2][3] = {{2000, 2600, 3200}, {2600, 3100, 3900}};
    for (int side = 0; side < 2; side++) {
        begin(&sides[side]);
        for (int run = 0; run < 3; run++) {
            struct truth truth = usual;
            truth.rate = rates[side][run];
            simulate(&sides[side], &truth, (uint64_t)(side * 3 + run + 1));
        }
        end_file(&sides[side]);
    }
    struct comparison comparison;
    assert_int_equal(comparison_make(&comparison, &sides[0], &sides[1]), 0);
    assert_int_equal(comparison.rates[0].verdict, COMPARE_TOO_LITTLE);
    assert_true(comparison.rates[0].change > 0.1 && comparison.rates[0].low < 0);
    comparison_release(&comparison);
    release(&sides[0]);
    release(&sides[1]);
}

static void test_empty_sides(void **state)
{
    (void)state;
    struct compare_side empty = {.analysis = NULL}, full = {.analysis = NULL};
    struct comparison comparison;
    begin(&empty);
    begin(&full);
    simulate(&full, &usual, 3);
    end_file(&empty);
    end_file(&full);
    assert_int_equal(comparison_make(&comparison, &empty, &empty), 0);
    assert_int_equal(comparison.rate_count + comparison.target_count, 0);
    comparison_release(&comparison);
    for (int turn = 0; turn < 2; turn++) {
        assert_int_equal(comparison_make(&comparison, turn ? &full : &empty, turn ? &empty : &full), 0);
        assert_int_equal(comparison.rate_count, 1);
        assert_int_equal(comparison.rates[0].verdict, COMPARE_TOO_LITTLE);
        assert_true(isnan(comparison.rates[0].change));
        assert_int_equal(comparison.target_count, TARGETS);
        for (size_t i = 0; i < TARGETS; i++)
            assert_int_equal(comparison.targets[i].by, MATCH_NONE);
        comparison_release(&comparison);
    }
    release(&empty);
    release(&full);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tails),
        cmocka_unit_test(test_holm),
        cmocka_unit_test(test_lines_move_with_their_text),
        cmocka_unit_test(test_edited_lines_keep_their_place),
        cmocka_unit_test(test_the_same_text_twice),
        cmocka_unit_test(test_without_texts),
        cmocka_unit_test(test_functions_and_nothing),
        cmocka_unit_test(test_any_targets),
        cmocka_unit_test(test_the_same_is_not_changed),
        cmocka_unit_test(test_what_changed_is_found),
        cmocka_unit_test(test_no_change_is_shown),
        cmocka_unit_test(test_runs_that_differ),
        cmocka_unit_test(test_empty_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
