/* The estimators against numbers worked out by hand, and against 1,000 simulated runs each with a known
 * answer. */
#include "base/random.h"
#include "stats/answers/analysis.h"
#include "stats/estimate/estimate.h"
#include "stats/estimate/noise.h"
#include "stats/input/blocks.h"
#include "stats/input/phase.h"
#include "stats/numbers/quantile.h"
#include "stats/numbers/winsor.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "near.h"

/* ---- By hand ---- */

static void test_student_quantiles(void **state)
{
    (void)state;
    /* From the tables. */
    assert_near(quantile_normal(0.975), 1.959964, 1e-6);
    assert_near(quantile_student(0.975, 1), 12.7062, 0.001);
    assert_near(quantile_student(0.975, 2), 4.30265, 0.001);
    assert_near(quantile_student(0.975, 3), 3.18245, 0.03);
    assert_near(quantile_student(0.975, 10), 2.22814, 0.001);
    assert_near(quantile_student(0.975, 1000), 1.96234, 0.001);
}

static void test_winsorised_mean(void **state)
{
    (void)state;
    double ten[] = {-100, 1, 2, 3, 4, 5, 6, 7, 8, 1000};
    /* A fifth of ten is two: 2 2 2 3 4 5 6 7 7 7. */
    assert_near(winsorised_mean(ten, NULL, 10), 4.5, 1e-12);
    double four[] = {1, 2, 3, 10};
    assert_near(winsorised_mean(four, NULL, 4), 4, 1e-12); /* too few to cut */
    /* 1 1 2 2 2 2 3 3 3 50, cut two on either side: 2 2 2 2 2 2 3 3 3 3. */
    double values[] = {1, 2, 3, 40, 50};
    uint32_t weights[] = {2, 4, 3, 0, 1};
    assert_near(winsorised_mean(values, weights, 5), 2.4, 1e-12);
    uint32_t nothing[] = {0, 0, 0, 0, 0};
    assert_true(isnan(winsorised_mean(values, nothing, 5)));
    /* A mixture of 30 and 70 % keeps its mean, where a median would say 0. */
    double mixed[100];
    for (int i = 0; i < 100; i++)
        mixed[i] = i < 30 ? -0.3 : 0;
    assert_near(winsorised_mean(mixed, NULL, 100), -0.09, 1e-12);
}

static void test_estimate_centre(void **state)
{
    (void)state;
    struct estimate none = estimate_centre(NULL, 0, 0.95, 1);
    assert_true(isnan(none.value));
    double values[] = {3, 1, 2, 4};
    struct estimate one = estimate_centre(values, 1, 0.95, 1);
    assert_near(one.value, 3, 0);
    assert_true(isinf(one.low) && isinf(one.high));
    /* Nothing is cut from four: mean 2.5, standard error sqrt(5/3/4) = 0.6455, Student(3) = 3.182. */
    struct estimate four = estimate_centre(values, 4, 0.95, 1);
    assert_near(four.value, 2.5, 1e-12);
    assert_near(four.high - four.value, 0.6455 * 3.182, 0.25);
    assert_near(four.high - four.value, four.value - four.low, 1e-12);
    struct estimate again = estimate_centre(values, 4, 0.95, 1);
    assert_near(again.low, four.low, 0); /* the same seed, the same answer */
    assert_near(effect_of_log_ratio(log(0.75)), 0.25, 1e-12);
}

static void add_window(struct block *block, double speedup, uint64_t place, double elapsed, double visits)
{
    assert_int_equal(block_add_window(block, &(struct block_window){.speedup = speedup_of_double(speedup),
                                                                    .place = place,
                                                                    .exposure = visits}),
                     0);
    assert_int_equal(block_add_tally(block, &(struct tally){0, elapsed, visits}), 0);
}

static void test_pairs_with_both_neighbours(void **state)
{
    (void)state;
    struct block block = {0};
    struct paired_window pairs[8];
    struct control_value controls[8];
    add_window(&block, 0, 0, 100, 10);   /* 10 a visit */
    add_window(&block, 0.5, 0, 100, 20); /* 5 */
    add_window(&block, 0, 0, 160, 10);   /* 16 */
    add_window(&block, 0.25, 0, 100, 10);
    assert_int_equal(block_pair(&block, 0, pairs), 2);
    assert_int_equal(pairs[0].speedup, 500);
    assert_near(pairs[0].log_time, log(5), 1e-6);
    const struct baseline *baseline = &pairs[0].baselines[BESIDE_NEIGHBOURS];
    assert_int_equal(baseline->windows, 2);
    assert_near(baseline->log_time, (log(10) + log(16)) / 2, 1e-6);
    assert_near(baseline->elapsed, 260, 0);
    assert_near(pairs[0].exposures[0] + pairs[0].exposures[1], 20, 0);
    assert_true(isnan(pairs[1].exposures[1]));
    baseline = &pairs[1].baselines[BESIDE_NEIGHBOURS];
    assert_int_equal(baseline->windows, 1); /* the block ends */
    assert_near(baseline->log_time, log(16), 1e-6);
    assert_int_equal(pairs[1].baselines[BESIDE_BLOCK].windows, 2);
    assert_int_equal(block_control(&block, 0, BESIDE_NEIGHBOURS, controls), 2);
    assert_near(controls[0].difference, log(10.0 / 16) * sqrt(1.5 / 2), 1e-6);
    assert_near(controls[1].difference, -controls[0].difference, 1e-6);
    assert_int_equal(block_pair(&block, 1, pairs), 0); /* a point that was not there */
    block_release(&block);
}

static void test_lost_windows_are_not_paired_over(void **state)
{
    (void)state;
    struct block block = {0};
    struct paired_window pairs[8];
    struct control_value controls[8];
    add_window(&block, 0, 1, 100, 10);
    add_window(&block, 0.5, 2, 100, 20);
    /* Windows 3 and 4 are lost: 5 is not beside 2. */
    add_window(&block, 0, 5, 100, 1);
    add_window(&block, 0.25, 6, 100, 1);
    add_window(&block, 0, 7, 0, 0); /* no visit: no time per visit either */
    assert_int_equal(block_pair(&block, 0, pairs), 2);
    assert_int_equal(pairs[0].baselines[BESIDE_NEIGHBOURS].windows, 1);
    assert_near(pairs[0].baselines[BESIDE_NEIGHBOURS].log_time, log(10), 1e-6);
    assert_int_equal(pairs[1].baselines[BESIDE_NEIGHBOURS].visited, 1);
    assert_near(pairs[1].baselines[BESIDE_NEIGHBOURS].log_time, log(100), 1e-6);
    assert_int_equal(block_control(&block, 0, BESIDE_NEIGHBOURS, controls), 0);
    /* They are of one block, all the same. */
    assert_int_equal(pairs[1].baselines[BESIDE_BLOCK].visited, 2);
    assert_int_equal(block_control(&block, 0, BESIDE_BLOCK, controls), 2);
    assert_near(controls[0].difference, log(0.1), 1e-6);
    assert_near(controls[1].difference, -controls[0].difference, 1e-6);
    /* A baseline window in which nobody came is time without visits all the same. */
    block_clear(&block);
    add_window(&block, 0, 1, 100, 0);
    add_window(&block, 0.5, 2, 100, 20);
    add_window(&block, 0, 3, 100, 10);
    assert_int_equal(block_pair(&block, 0, pairs), 1);
    for (int beside = 0; beside < BESIDE_KINDS; beside++) {
        assert_int_equal(pairs[0].baselines[beside].windows, 2);
        assert_near(pairs[0].baselines[beside].elapsed, 200, 0);
        assert_int_equal(pairs[0].baselines[beside].visited, 1);
        assert_near(pairs[0].baselines[beside].log_time, log(10), 1e-6);
    }
    block_clear(&block);
    add_window(&block, 0.5, 0, 100, 20);
    assert_int_equal(block_pair(&block, 0, pairs), 0); /* no baseline at all */
    block_release(&block);
}

/* Controls of a machine that steals up to a tenth of a window: `per_stolen` is what a visit takes longer for it. */
static struct noise noise_where_stolen(double per_stolen, double sigma)
{
    struct control controls[BESIDE_KINDS] = {{0}};
    uint64_t random = 1;
    for (int i = 0; i < 100; i++) {
        double stolen = 0.2 * (random_unit(&random) - 0.5);
        struct control_value value = {per_stolen * stolen + sigma * (2 * random_unit(&random) - 1), stolen};
        for (int beside = 0; beside < BESIDE_KINDS; beside++)
            assert_int_equal(control_add(&controls[beside], &value), 0);
    }
    struct noise noise = noise_of_controls(controls);
    for (int beside = 0; beside < BESIDE_KINDS; beside++)
        free(controls[beside].values);
    return noise;
}

static void test_what_was_stolen_is_taken_off(void **state)
{
    (void)state;
    struct noise noise = noise_where_stolen(2, 0.02);
    assert_near(noise.per_stolen, 2, 0.2);
    assert_true(noise.sigma < 0.02);
    struct paired_window window = {.log_time = 0.3f, .stolen = 0.1f};
    window.baselines[noise.beside] = (struct baseline){.log_time = 0.05f, .stolen = 0.025f};
    assert_near(noise_log_ratio(&noise, &window), 0.25 - noise.per_stolen * 0.075, 1e-6);
    assert_near(noise_where_stolen(0, 0.1).per_stolen, 0, 0);   /* not by more than chance */
    assert_near(noise_where_stolen(-1, 0.02).per_stolen, 0, 0); /* a visit is no shorter for it */
}

static void test_phase_factor(void **state)
{
    (void)state;
    double error;
    /* Sampled in all of its windows, in a quarter of the run. */
    struct exposure observed = {10e9, 10000, 0}, whole = {40e9, 10000, 0};
    assert_near(phase_factor(&observed, &whole, false, &error), 0.25, 1e-12);
    assert_near(error, sqrt(2e-4), 1e-12);
    /* A tenth more than expected, of 100 samples: noise. */
    observed = (struct exposure){10e9, 110, 0};
    whole = (struct exposure){10e9, 100, 0};
    assert_near(phase_factor(&observed, &whole, false, &error), 1, 0);
    assert_near(error, 0, 0);
    /* But not where phases were seen. */
    assert_near(phase_factor(&observed, &whole, true, &error), 100.0 / 110, 1e-12);
    assert_near(error, sqrt(1 / 110.0 + 1 / 100.0), 1e-12);
    /* Sampled four times as often in windows, for the same CPU time. */
    observed = (struct exposure){10e9, 4000, 1e9};
    whole = (struct exposure){40e9, 4000, 4e9};
    assert_near(phase_factor(&observed, &whole, false, &error), 1, 0);
    whole = (struct exposure){0, 0, 0}; /* the run goes on */
    assert_near(phase_factor(&observed, &whole, false, &error), 1, 0);
}

/* ---- Simulated runs ---- */

struct scenario {
    const char *name;
    int blocks;
    double sigma;    /* of a window's log time per visit */
    double drift;    /* of the log, over the run */
    double outliers; /* share of windows that something interrupts */
    double active;   /* share of the blocks in which the line matters */
    double slow;     /* share of visits that take ten times as long; only these get faster */
    double visits;   /* in a window, about */
    bool loose;      /* without blocks */
    bool latency;
    double impact;   /* of the line where it matters: log p = log(1 - impact s) */
    double bias;     /* allowed, in points */
    double coverage; /* wanted at least */
    /* Share of the run in which the line runs, and is tried, at all; 0: no account of samples. */
    double phase;
};

/* Samples of the line in a second while it runs, if they are accounted for. */
enum { SAMPLE_RATE = 600 };
#define PHASE_WINDOWS 24.0 /* from one phase's beginning to its next */

static double uniform(uint64_t *random)
{
    return random_unit(random);
}

static double normal(uint64_t *random)
{
    return sqrt(-2 * log(1 - uniform(random))) * cos(2 * M_PI * uniform(random));
}

/* Counts in the long run: the square root is their spread. */
static uint64_t count_samples(uint64_t *random, double mean)
{
    double count = mean + sqrt(mean) * normal(random);
    return count > 0 ? (uint64_t)(count + 0.5) : 0;
}

/* One window, from a visit to the first visit after its length. */
static void simulate_window(struct analysis *analysis, const struct scenario *s, uint64_t *random, int block,
                            double speedup, double level, bool active)
{
    double factor = active ? 1 - s->impact * speedup : 1;
    double noise = exp(level + s->sigma * normal(random) - s->sigma * s->sigma / 2);
    if (uniform(random) < s->outliers)
        noise *= 1.5 + 2 * uniform(random);
    double mean_visit = 1e6 * (1 + 9 * s->slow), length = s->visits * mean_visit, elapsed = 0;
    uint64_t visits = 0;
    if (s->slow > 0) {
        while (elapsed < length || visits == 0) {
            bool slow = uniform(random) < s->slow;
            elapsed += noise * 1e6 * (slow ? 10 * factor : 1);
            visits++;
        }
    } else {
        visits = (uint64_t)ceil(length / (mean_visit * factor * noise));
        elapsed = (double)visits * mean_visit * factor * noise;
    }
    uint64_t samples = s->phase > 0 && active ? count_samples(random, SAMPLE_RATE * elapsed * 1e-9) : 0;
    struct profile_record record = {.type = PROFILE_EXPERIMENT,
                                    .experiment = {.selected = "a.c:1",
                                                   .speedup = speedup,
                                                   .duration_ns = (uint64_t)elapsed,
                                                   .selected_samples = samples,
                                                   .selected_ns = samples * 1000000000 / SAMPLE_RATE,
                                                   .has_block = !s->loose,
                                                   .block = (uint64_t)block}};
    assert_int_equal(analysis_add(analysis, &record), 0);
    if (s->latency)
        /* In progress: 3 requests, for as long as one takes. */
        record = (struct profile_record){.type = PROFILE_LATENCY,
                                         .latency = {.name = "p",
                                                     .arrivals = 1000,
                                                     .departures = 1000,
                                                     .difference = 3 * factor * noise,
                                                     .elapsed_ns = 1000000000}};
    else
        record = (struct profile_record){
            .type = PROFILE_THROUGHPUT,
            .throughput = {.name = "p", .delta = visits, .elapsed_ns = (uint64_t)elapsed}};
    assert_int_equal(analysis_add(analysis, &record), 0);
}

/* The run's last words: how long it was, and how often the line was sampled. */
static void simulate_end(struct analysis *analysis, const struct scenario *s, uint64_t *random)
{
    double seconds = 7 * s->blocks * s->visits * 1e-3 / s->phase;
    struct profile_record record = {.type = PROFILE_RUNTIME,
                                    .runtime = {.time_ns = (uint64_t)(seconds * 1e9)}};
    assert_int_equal(analysis_add(analysis, &record), 0);
    record = (struct profile_record){
        .type = PROFILE_SAMPLES,
        .samples = {.location = "a.c:1", .count = count_samples(random, SAMPLE_RATE * s->phase * seconds)}};
    record.samples.cpu_ns = record.samples.count * 1000000000 / SAMPLE_RATE;
    assert_int_equal(analysis_add(analysis, &record), 0);
}

static void simulate(struct analysis *analysis, const struct scenario *s, uint64_t *random)
{
    double speedups[] = {0.25, 0.5, 0.75};
    int windows = 0;
    double phases = uniform(random); /* where it begins */
    for (int block = 0; block < s->blocks; block++) {
        bool active = uniform(random) < s->active;
        for (size_t i = 3; i > 1; i--) {
            size_t j = random_below(random, i);
            double swap = speedups[j];
            speedups[j] = speedups[i - 1];
            speedups[i - 1] = swap;
        }
        for (int window = 0; window < 7; window++) {
            double level = s->drift * windows++ / (7.0 * s->blocks);
            if (s->phase > 0)
                active = fmod(phases + windows / PHASE_WINDOWS, 1) < s->active;
            simulate_window(analysis, s, random, block, window % 2 ? speedups[window / 2] : 0, level, active);
        }
    }
    if (s->phase > 0)
        simulate_end(analysis, s, random);
    assert_int_equal(analysis_finish(analysis), 0);
}

static double truth(const struct scenario *s, double speedup)
{
    if (s->slow > 0)
        return 10 * s->slow * s->impact * speedup / (1 + 9 * s->slow);
    return (s->phase > 0 ? s->phase : s->active) * s->impact * speedup;
}

/* A block that says `effect` at a speedup, of a program that had settled for so long, and in whose windows
 * threads paused for so large a part of the time. */
static void add_block_of(struct analysis *analysis, const char *line, uint64_t block, uint64_t settled_ns,
                         double speedup, double effect, double strain)
{
    for (int window = 0; window < 3; window++) {
        double length = (window == 1 ? 1 - effect : 1) * 1e9;
        struct profile_record record = {.type = PROFILE_EXPERIMENT,
                                        .experiment = {.selected = line,
                                                       .speedup = window == 1 ? speedup : 0,
                                                       .duration_ns = (uint64_t)length,
                                                       .selected_samples = 600,
                                                       .selected_ns = 300000000,
                                                       .has_block = true,
                                                       .block = block,
                                                       .settled_ns = settled_ns,
                                                       .delay_ns = (uint64_t)(strain * length),
                                                       .paused_ns = (uint64_t)(2 * strain * length)}};
        assert_int_equal(analysis_add(analysis, &record), 0);
        record = (struct profile_record){
            .type = PROFILE_THROUGHPUT,
            .throughput = {.name = "p", .delta = 1000, .elapsed_ns = (uint64_t)length}};
        assert_int_equal(analysis_add(analysis, &record), 0);
    }
}

static void add_strained_block(struct analysis *analysis, uint64_t block, uint64_t settled_ns, double speedup,
                               double effect, double strain)
{
    add_block_of(analysis, "a.c:1", block, settled_ns, speedup, effect, strain);
}

static void add_settled_block(struct analysis *analysis, uint64_t block, uint64_t settled_ns, double effect)
{
    add_strained_block(analysis, block, settled_ns, 0.5, effect, 0);
}

static struct curve_point only_point(struct analysis *analysis)
{
    const struct analysis_result *results;
    assert_int_equal(analysis_finish(analysis), 0);
    assert_int_equal(analysis_results(analysis, &results), 1);
    assert_int_equal(results[0].curve_count, 1);
    return results[0].curve[0];
}

static void add_end(struct analysis *analysis, uint64_t baseline_ns, uint64_t in_baseline_ns)
{
    struct profile_record record = {
        .type = PROFILE_RUNTIME,
        .runtime = {.time_ns = 100000000000, .baseline_ns = baseline_ns, .samples = 60000}};
    assert_int_equal(analysis_add(analysis, &record), 0);
    record = (struct profile_record){
        .type = PROFILE_SAMPLES,
        .samples = {
            .location = "a.c:1", .count = 60000, .cpu_ns = 30000000000, .baseline_ns = in_baseline_ns}};
    assert_int_equal(analysis_add(analysis, &record), 0);
}

/* A profile may hold runs that tell what they were at no speedup, and runs that do not. */
static void test_runs_that_tell_less(void **state)
{
    (void)state;
    struct analysis *analysis = analysis_new();
    assert_non_null(analysis);
    for (uint64_t block = 0; block < 20; block++)
        add_settled_block(analysis, block, 25, 0.4);
    for (int run = 0; run < 99; run++)
        add_end(analysis, 0, 0);
    add_end(analysis, 50000000000, 15000000000);
    assert_near(only_point(analysis).effect, 0.4, 0.01);
    analysis_free(analysis);
}

static void test_blocks_that_came_to_rest(void **state)
{
    (void)state;
    struct analysis *analysis = analysis_new();
    assert_non_null(analysis);
    uint64_t block = 0;
    while (block < 20)
        add_settled_block(analysis, block++, 25, 0.4);
    /* A few that settled for longer do not make the others unsaid... */
    while (block < 23)
        add_settled_block(analysis, block++, 50, 0.3);
    assert_int_equal(only_point(analysis).windows, 23);
    /* ...but as many do, and what had more than that counts with them. */
    while (block < 30)
        add_settled_block(analysis, block++, 100, 0.3);
    assert_int_equal(only_point(analysis).windows, 30);
    while (block < 40)
        add_settled_block(analysis, block++, 50, 0.3);
    assert_int_equal(only_point(analysis).windows, 20);
    assert_near(only_point(analysis).effect, 0.3, 1e-6);
    analysis_free(analysis);
}

/* Runs begin anew: a short profile of several has a few blocks of each length. */
static void test_too_few_that_came_to_rest(void **state)
{
    (void)state;
    struct analysis *analysis = analysis_new();
    assert_non_null(analysis);
    for (uint64_t block = 0; block < 2; block++)
        add_settled_block(analysis, block, 50, 0.3);
    for (uint64_t block = 2; block < 4; block++)
        add_settled_block(analysis, block, 25, 0.4);
    assert_int_equal(only_point(analysis).windows, 4);
    add_settled_block(analysis, 4, 50, 0.3);
    assert_int_equal(only_point(analysis).windows, 3);
    analysis_free(analysis);
}

/* A latency's windows are as long as so many requests take, and settle for half of that. */
static void test_blocks_that_settled_nearly_as_long(void **state)
{
    (void)state;
    struct analysis *analysis = analysis_new();
    assert_non_null(analysis);
    for (uint64_t block = 0; block < 20; block++)
        add_settled_block(analysis, block, 50000000 + block * 100000, 0.4);
    assert_int_equal(only_point(analysis).windows, 20);
    analysis_free(analysis);
}

static size_t points_of_second_line(struct analysis *analysis)
{
    const struct analysis_result *results;
    assert_int_equal(analysis_finish(analysis), 0);
    assert_int_equal(analysis_results(analysis, &results), 2);
    return strcmp(results[0].location, "a.c:2") == 0 ? results[0].curve_count : results[1].curve_count;
}

static void test_two_blocks_answer_where_the_control_tells_noise(void **state)
{
    (void)state;
    struct analysis *analysis = analysis_new();
    assert_non_null(analysis);
    uint64_t block = 0;
    while (block < 2)
        add_block_of(analysis, "a.c:2", block++, 0, 0.5, 0.2, 0);
    while (block < 5)
        add_strained_block(analysis, block++, 0, 0.5, 0.4, 0);
    assert_int_equal(points_of_second_line(analysis), 0);
    while (block < 20)
        add_strained_block(analysis, block++, 0, 0.5, 0.4, 0);
    assert_int_equal(points_of_second_line(analysis), 1);
    analysis_free(analysis);
}

/* A program with slow visits has few blocks, too few controls, and one window at each speedup. */
static void test_one_window_at_each_speedup(void **state)
{
    static const double effects[] = {0.17, 0.36, 0.52};
    (void)state;
    struct analysis *analysis = analysis_new();
    assert_non_null(analysis);
    for (uint64_t block = 0; block < 3; block++)
        add_strained_block(analysis, block, 0, 0.25 * (double)(block + 1), effects[block], 0);
    const struct analysis_result *results;
    assert_int_equal(analysis_finish(analysis), 0);
    assert_int_equal(analysis_results(analysis, &results), 1);
    assert_int_equal(results[0].curve_count, 3);
    for (size_t i = 0; i < 3; i++) {
        const struct curve_point *point = &results[0].curve[i];
        assert_near(point->effect, effects[i], 0.02);
        assert_true(point->low < effects[i] && effects[i] < point->high);
        assert_true(point->low > -0.2);
    }
    analysis_free(analysis);
}

/* Windows that all say the same leave nothing to chance, but the method may be off. */
static void test_pauses_widen_the_interval(void **state)
{
    static const double strains[] = {0, 0.5, 1};
    double wide[3], chance = NAN;
    (void)state;
    for (int i = 0; i < 3; i++) {
        const struct analysis_result *results;
        struct analysis *analysis = analysis_new();
        assert_non_null(analysis);
        for (uint64_t block = 0; block < 20; block++)
            add_strained_block(analysis, block, 25, 0.5, block % 2 ? 0.39 : 0.41, strains[i]);
        struct curve_point point = only_point(analysis);
        assert_near(point.effect, 0.4, 0.001);
        wide[i] = (log1p(-point.low) - log1p(-point.high)) / 2;
        analysis_results(analysis, &results);
        assert_true(i == 0 || results[0].chance == chance);
        assert_near(results[0].impact - results[0].low, wide[i] * 0.6 / 0.5, 0.001); /* of the slope */
        assert_near(results[0].high - results[0].impact, 0.6 * -expm1(-wide[i]) / 0.5, 0.001);
        chance = results[0].chance;
        analysis_free(analysis);
    }
    double method = wide[2] * wide[2] - wide[0] * wide[0]; /* the square of the method's part */
    assert_true(method > 0);
    assert_near(wide[1] * wide[1] - wide[0] * wide[0], method / 4, 1e-5);
}

/* A window in or out of the phase in which the line is half of all that runs. */
static void add_window_in_phase(struct analysis *analysis, uint64_t block, double speedup, bool active,
                                uint64_t delay_ns)
{
    uint64_t length = (uint64_t)((active ? 1 - speedup / 2 : 1) * 1e9);
    struct profile_record record = {.type = PROFILE_EXPERIMENT,
                                    .experiment = {.selected = "a.c:1",
                                                   .speedup = speedup,
                                                   .duration_ns = length,
                                                   .delay_ns = delay_ns,
                                                   .selected_samples = active ? 500 : 0,
                                                   .selected_ns = active ? 500000000 : 0,
                                                   .has_block = true,
                                                   .block = block}};
    assert_int_equal(analysis_add(analysis, &record), 0);
    record = (struct profile_record){.type = PROFILE_THROUGHPUT,
                                     .throughput = {.name = "p", .delta = 1000, .elapsed_ns = length}};
    assert_int_equal(analysis_add(analysis, &record), 0);
}

/* 15 blocks in the phase and 15 out of it at one speedup, 10 in it at another. */
static void add_phases(struct analysis *analysis, double speedup, double another)
{
    for (uint64_t block = 0; block < 40; block++) {
        bool is_first = block % 20 < 15, active = !is_first || block < 20;
        double here = is_first ? speedup : another;
        add_window_in_phase(analysis, block, 0, active, 0);
        add_window_in_phase(analysis, block, here, active, 0);
        add_window_in_phase(analysis, block, 0, active, 0);
    }
}

/* Each speedup meets the phase more or less often; that does not change what is said of it. */
static void test_phases_met_unevenly(void **state)
{
    (void)state;
    const struct analysis_result *results;
    struct analysis *analysis = analysis_new();
    assert_non_null(analysis);
    add_phases(analysis, 0.5, 0.25);
    assert_int_equal(analysis_finish(analysis), 0);
    assert_int_equal(analysis_results(analysis, &results), 1);
    assert_int_equal(results[0].curve_count, 2);
    assert_near(results[0].curve[1].effect, 2 * results[0].curve[0].effect, 0.01);
    assert_near(results[0].impact, results[0].curve[1].effect / 0.5, 0.01);
    analysis_free(analysis);
}

/* Full speedup alone has nothing better beside it. */
static void test_phases_at_full_speedup_only(void **state)
{
    (void)state;
    struct analysis *analysis = analysis_new();
    assert_non_null(analysis);
    add_phases(analysis, 1, 1);
    assert_true(only_point(analysis).effect > 0.1);
    analysis_free(analysis);
}

/* A line that is half of all that runs, where our own work takes 0.3 s in each second of the program's. */
static void test_own_cost_is_no_phase(void **state)
{
    (void)state;
    struct analysis *analysis = analysis_new();
    assert_non_null(analysis);
    for (uint64_t block = 0; block < 20; block++) {
        add_window_in_phase(analysis, block, 0, true, 300000000);
        add_window_in_phase(analysis, block, 0.5, true, 550000000);
        add_window_in_phase(analysis, block, 0, true, 300000000);
    }
    add_end(analysis, 52000000000, 20000000000);
    assert_near(only_point(analysis).effect, 0.25, 0.001);
    analysis_free(analysis);
}

enum { REPETITIONS = 1000 };

static const struct scenario scenarios[] = {
    {"plain", 12, 0.05, 0, 0, 1, 0, 1000, false, false, 0.4, 0.2, 0.93, 0},
    {"no effect", 12, 0.05, 0, 0, 1, 0, 1000, false, false, 0, 0.2, 0.93, 0},
    {"drift", 12, 0.05, 0.5, 0, 1, 0, 1000, false, false, 0.4, 0.2, 0.93, 0},
    {"outliers", 20, 0.05, 0, 0.05, 1, 0, 1000, false, false, 0.4, 0.8, 0.93, 0},
    {"noise", 40, 0.3, 0, 0, 1, 0, 1000, false, false, 0.4, 0.7, 0.93, 0},
    {"phases", 40, 0.05, 0, 0, 0.5, 0, 1000, false, false, 0.8, 0.7, 0.90, 0},
    {"few blocks", 4, 0.05, 0, 0, 1, 0, 1000, false, false, 0.4, 0.3, 0.93, 0},
    {"few visits", 12, 0.05, 0, 0, 1, 0, 3, false, false, 0.4, 0.3, 0.93, 0},
    {"slow visits", 60, 0.02, 0, 0, 1, 0.1, 6, false, false, 0.8, 1.5, 0.90, 0},
    {"slow, more", 40, 0.02, 0, 0, 1, 0.1, 30, false, false, 0.8, 1.0, 0.92, 0},
    {"loose", 12, 0.05, 0, 0, 1, 0, 1000, true, false, 0.4, 0.3, 0.92, 0},
    {"latency", 12, 0.05, 0.5, 0, 1, 0, 1000, false, true, 0.4, 0.2, 0.93, 0},
    {"all at once", 60, 0.05, 0.5, 0.05, 0.5, 0, 1000, false, false, 0.8, 1.5, 0.90, 0},
    {"equation 8", 20, 0.05, 0, 0, 1, 0, 1000, false, false, 0.8, 0.4, 0.93, 0.5},
    {"8, few blocks", 5, 0.05, 0, 0, 1, 0, 200, false, false, 0.8, 0.5, 0.93, 0.3},
    /* Wide intervals, and a line that saves 0.8 of its share: it is drawn a little towards all of it (smooth.h). */
    {"8, many phases", 10, 0.05, 0, 0, 0.5, 0, 1000, false, false, 0.8, 1.2, 0.93, 0.5},
    {"8, no phase", 20, 0.05, 0, 0, 1, 0, 1000, false, false, 0.8, 0.4, 0.93, 1},
};

static void test_simulated_runs(void **state)
{
    (void)state;
    bool failed = false;
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        const struct scenario *s = &scenarios[i];
        uint64_t random = i + 1;
        double sum = 0, squares = 0, width = 0;
        int count = 0, covered = 0, claims = 0;
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            struct analysis *analysis = analysis_new();
            assert_non_null(analysis);
            simulate(analysis, s, &random);
            const struct analysis_result *results;
            if (analysis_results(analysis, &results) != 1 || results[0].curve_count != 3)
                fail_msg("%s: no answer in repetition %d", s->name, repetition);
            for (size_t c = 0; c < 3; c++) {
                const struct curve_point *point = &results[0].curve[c];
                double expected = truth(s, point->speedup);
                sum += point->effect - expected;
                squares += (point->effect - expected) * (point->effect - expected);
                width += (point->high - point->low) / 2;
                covered += point->low <= expected && expected <= point->high;
                count++;
            }
            claims += results[0].verdict == VERDICT_IMPROVES || results[0].verdict == VERDICT_HARMFUL;
            analysis_free(analysis);
        }
        double bias = 100 * sum / count, coverage = (double)covered / count;
        bool wrong = fabs(bias) > s->bias || coverage < s->coverage ||
                     (s->impact == 0 && claims > REPETITIONS * 6 / 100);
        print_message(
            "%-12s bias %+5.2f, error %5.2f, interval +-%5.2f points, holds %4.1f %%, claims %d%s\n", s->name,
            bias, 100 * sqrt(squares / count), 100 * width / count, 100 * coverage, claims,
            wrong ? "  <-- wrong" : "");
        failed = failed || wrong;
    }
    assert_false(failed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_student_quantiles),
        cmocka_unit_test(test_winsorised_mean),
        cmocka_unit_test(test_estimate_centre),
        cmocka_unit_test(test_pairs_with_both_neighbours),
        cmocka_unit_test(test_lost_windows_are_not_paired_over),
        cmocka_unit_test(test_what_was_stolen_is_taken_off),
        cmocka_unit_test(test_phase_factor),
        cmocka_unit_test(test_blocks_that_came_to_rest),
        cmocka_unit_test(test_two_blocks_answer_where_the_control_tells_noise),
        cmocka_unit_test(test_too_few_that_came_to_rest),
        cmocka_unit_test(test_blocks_that_settled_nearly_as_long),
        cmocka_unit_test(test_one_window_at_each_speedup),
        cmocka_unit_test(test_pauses_widen_the_interval),
        cmocka_unit_test(test_phases_met_unevenly),
        cmocka_unit_test(test_phases_at_full_speedup_only),
        cmocka_unit_test(test_own_cost_is_no_phase),
        cmocka_unit_test(test_runs_that_tell_less),
        cmocka_unit_test(test_simulated_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
