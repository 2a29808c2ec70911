/* What is shown beside the answers: groups that cannot be told apart, how much longer until an impact is known,
 * single windows, and what was tried when. */
#include "stats/answers/details.h"
#include "stats/answers/story.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void assert_near(double value, double expected)
{
    assert_true(fabs(value - expected) < 1e-6);
}

static struct analysis_result answer(enum analysis_verdict verdict, double impact, double half)
{
    return (struct analysis_result){
        .verdict = verdict, .impact = impact, .low = impact - half, .high = impact + half};
}

static void test_groups(void **state)
{
    (void)state;
    const struct analysis_result results[] = {
        answer(VERDICT_IMPROVES, 0.5, 0.04),
        answer(VERDICT_IMPROVES, 0.46, 0.03), /* 4 points apart, 5 allowed */
        answer(VERDICT_IMPROVES, 0.44, 0.03), /* 6 from the first, and that is what counts */
        answer(VERDICT_NO_EFFECT, 0.44, 0.2),
        answer(VERDICT_TOO_LITTLE, NAN, NAN),
        answer(VERDICT_HARMFUL, -0.3, 0.05),
        answer(VERDICT_HARMFUL, -0.3, 0.05)};
    static const unsigned expected[] = {1, 1, 2, 0, 0, 3, 3};
    unsigned groups[7];
    analysis_group(results, 7, groups);
    for (size_t i = 0; i < 7; i++)
        assert_int_equal(groups[i], expected[i]);
}

static void test_longer(void **state)
{
    (void)state;
    struct analysis_result result = answer(VERDICT_IMPROVES, 0.5, 0.1);
    result.chance = 0.1; /* nothing but chance: half the width takes four times as long */
    assert_near(analysis_longer(&result, 0.05), 4);
    assert_near(analysis_longer(&result, 0.2), 0.25);
    result.chance = 0.06; /* and 0.08 that the method is off, which stays */
    assert_true(isnan(analysis_longer(&result, 0.07)));
    assert_near(analysis_longer(&result, 0.1), 1);
    result.high = INFINITY;
    assert_true(isnan(analysis_longer(&result, 0.05)));
}

static struct profile_record window(const char *line, uint64_t block, uint64_t place, double speedup)
{
    return (struct profile_record){.type = PROFILE_EXPERIMENT,
                                   .experiment = {.selected = line,
                                                  .speedup = speedup,
                                                  .duration_ns = 90,
                                                  .delay_ns = 8,
                                                  .settled_ns = 2,
                                                  .has_block = true,
                                                  .block = block,
                                                  .window = place}};
}

static void test_singles(void **state)
{
    (void)state;
    struct analysis *analysis = analysis_new();
    for (uint64_t block = 0; block < 4; block++) {
        for (uint64_t place = 1; place <= 3; place++) {
            struct profile_record record = window("a.c:1", block, place, place == 2 ? 0.5 : 0);
            assert_int_equal(analysis_add(analysis, &record), 0);
            record = (struct profile_record){.type = PROFILE_THROUGHPUT,
                                             .throughput = {"p", 100, place == 2 ? 800 + block : 1000}};
            assert_int_equal(analysis_add(analysis, &record), 0);
        }
    }
    struct profile_record sampled = {.type = PROFILE_SAMPLES,
                                     .samples = {.location = "a.c:1", .count = 30, .function = "work"}};
    assert_int_equal(analysis_add(analysis, &sampled), 0);
    sampled.samples.location = "a.c:2";
    sampled.samples.count = 10;
    assert_int_equal(analysis_add(analysis, &sampled), 0);
    assert_int_equal(analysis_finish(analysis), 0);

    const struct analysis_result *results;
    assert_int_equal(analysis_results(analysis, &results), 1);
    struct analysis_single singles[8];
    assert_int_equal(analysis_singles(analysis, results, singles, 8), 4);
    for (size_t i = 0; i < 4; i++) {
        assert_near(singles[i].speedup, 0.5);
        assert_near(singles[i].effect, 0.2 - (double)i / 1000);
        assert_int_equal(results[0].curve_count, 1);
        assert_near(singles[i].residual, singles[i].effect - results[0].curve[0].effect);
    }
    assert_int_equal(analysis_singles(analysis, results, singles, 3), 3);
    assert_string_equal(analysis_function_of(analysis, results), "work");
    assert_near(analysis_share_at(analysis, "a.c:2"), 0.25);
    assert_true(isnan(analysis_share_at(analysis, "a.c:3")));
    analysis_free(analysis);
}

static void add(struct story *story, struct profile_record record)
{
    assert_int_equal(story_add(story, &record), 0);
}

static void test_story(void **state)
{
    (void)state;
    struct story *story = story_new();
    assert_non_null(story);
    add(story,
        (struct profile_record){.type = PROFILE_STARTUP, .startup = {.time_ns = 7, .program = "/bin/p"}});
    for (uint64_t block = 0; block < 10; block++)
        for (uint64_t place = 1; place <= 3; place++)
            add(story, window(block % 3 ? "a.c:1" : "b.c:2", block, place, 0));
    add(story, (struct profile_record){.type = PROFILE_RUNTIME, .runtime = {.time_ns = 4000}});
    add(story, (struct profile_record){.type = PROFILE_STARTUP});
    add(story, window("a.c:1", 0, 1, 0));

    const struct story_run *runs;
    assert_int_equal(story_runs(story, &runs), 2);
    assert_string_equal(runs[0].program, "/bin/p");
    assert_int_equal(runs[0].windows, 30);
    assert_int_equal(runs[0].tried_ns, 3000);
    assert_int_equal(runs[0].runtime_ns, 4000);
    assert_null(runs[1].program);
    assert_int_equal(runs[1].runtime_ns, 0);

    struct story_piece pieces[16];
    assert_int_equal(story_pieces(story, pieces, 16), 8); /* b aa b aa b aa b, a */
    assert_string_equal(pieces[1].location, "a.c:1");
    assert_string_equal(pieces[1].kind, "line");
    assert_int_equal(pieces[1].start_ns, 300);
    assert_int_equal(pieces[1].length_ns, 600);
    assert_int_equal(pieces[1].windows, 6);
    assert_int_equal(pieces[7].run, 1);
    assert_int_equal(pieces[7].start_ns, 0);

    /* With room for fewer: neighbours together, none of the time lost, the one with most of it named. */
    size_t count = story_pieces(story, pieces, 4);
    assert_in_range(count, 2, 4);
    uint64_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += pieces[i].length_ns;
    assert_string_equal(pieces[0].location, "a.c:1"); /* of b aa b aa */
    assert_int_equal(length, 3100);
    story_free(story);
}

static void test_remarks(void **state)
{
    (void)state;
    struct story *story = story_new();
    assert_non_null(story);
    add(story, (struct profile_record){.type = PROFILE_STARTUP});
    add(story, (struct profile_record){.type = PROFILE_REMARK, .remark = {0, "No lines.", "Build with -g."}});
    add(story, (struct profile_record){.type = PROFILE_REMARK, .remark = {5, "It sleeps.", NULL}});
    add(story, (struct profile_record){.type = PROFILE_STARTUP});

    const struct story_run *runs;
    assert_int_equal(story_runs(story, &runs), 2);
    assert_int_equal(runs[0].remark_count, 2);
    assert_string_equal(runs[0].remarks[0].remedy, "Build with -g.");
    assert_string_equal(runs[0].remarks[1].text, "It sleeps.");
    assert_null(runs[0].remarks[1].remedy);
    assert_int_equal(runs[0].remarks[1].at_ns, 5);
    assert_int_equal(runs[1].remark_count, 0);
    story_free(story);
}

static struct profile_record window_at(const char *line, uint64_t began, uint64_t stolen)
{
    struct profile_record record = window(line, 0, 1, 0);
    record.experiment.began_ns = began;
    record.experiment.stolen_ns = stolen;
    return record;
}

static void test_course(void **state)
{
    (void)state;
    struct story *story = story_new();
    assert_non_null(story);
    add(story, (struct profile_record){.type = PROFILE_STARTUP,
                                       .startup = {.cores = 8, .allowed = 2, .model = "m", .load = 0.5}});
    add(story, window_at("a.c:1", 1000, 0));
    add(story, window_at("a.c:1", 1200, 49)); /* of 98 */
    add(story, (struct profile_record){.type = PROFILE_DISCARDED, .discarded = {1300, 100, 60, "stolen"}});
    add(story, window_at("b.c:1", 1500, 0));
    add(story, (struct profile_record){.type = PROFILE_RUNTIME,
                                       .runtime = {.time_ns = 4000, .others = 0.1, .stolen = 0.2}});
    add(story, (struct profile_record){.type = PROFILE_STARTUP}); /* of a profile that does not tell */
    add(story, window("a.c:1", 0, 1, 0));
    add(story, (struct profile_record){.type = PROFILE_RUNTIME, .runtime = {.time_ns = 4000}});

    const struct story_run *runs;
    assert_int_equal(story_runs(story, &runs), 2);
    assert_int_equal(runs[0].cores, 8);
    assert_int_equal(runs[0].allowed, 2);
    assert_string_equal(runs[0].model, "m");
    assert_near(runs[0].load, 0.5);
    assert_near(runs[0].others, 0.1);
    assert_near(runs[0].stolen, 0.2);
    assert_int_equal(runs[0].discarded, 1);
    assert_int_equal(runs[0].slices->count, 1);
    assert_near(runs[0].slices->all[0].seen_ns, 3 * 98 + 100);
    assert_near(runs[0].slices->all[0].stolen_ns, 49 + 60);
    assert_int_equal(runs[1].cores, 0);
    assert_null(runs[1].model);
    assert_null(runs[1].slices);
    assert_true(isnan(runs[1].load) && isnan(runs[1].others) && isnan(runs[1].stolen));

    struct story_piece pieces[8];
    assert_int_equal(story_pieces(story, pieces, 8), 3);
    assert_int_equal(pieces[0].began_ns, 1000);
    assert_int_equal(pieces[0].lasted_ns, 298);
    assert_near(pieces[0].stolen, 0.25);
    assert_int_equal(pieces[1].began_ns, 1500);
    assert_near(pieces[1].stolen, 0);
    assert_int_equal(pieces[2].lasted_ns, 0);
    assert_true(isnan(pieces[2].stolen));
    story_free(story);
}

static void test_hashes_of_sources(void **state)
{
    (void)state;
    struct story *story = story_new();
    assert_non_null(story);
    for (int run = 0; run < 2; run++) {
        add(story, (struct profile_record){.type = PROFILE_SOURCE, .source = {"a.c", "0a", "1a"}});
        add(story,
            (struct profile_record){.type = PROFILE_SOURCE, .source = {"b.c", NULL, run ? "0b" : "0c"}});
    }
    assert_string_equal(story_source(story, "a.c").sha256, "0a");
    assert_string_equal(story_source(story, "a.c").md5, "1a");
    assert_null(story_source(story, "b.c").sha256);
    assert_string_equal(story_source(story, "b.c").md5, "");
    assert_null(story_source(story, "c.c").md5);
    story_free(story);
}

static void add_stack(struct analysis *analysis, const char *location, const char *frames, uint64_t count)
{
    const struct profile_record record = {.type = PROFILE_STACK,
                                          .stack = {.location = location, .frames = frames, .count = count}};
    assert_int_equal(analysis_add(analysis, &record), 0);
}

/* Those of several runs are added up, and the most frequent one comes first. */
static void test_stacks(void **state)
{
    (void)state;
    struct analysis *analysis = analysis_new();
    const struct analysis_result line = {.kind = "line", .location = "a.c:1"},
                                 other = {.kind = "line", .location = "a.c:2"};
    const struct analysis_stack *stacks;
    uint64_t samples;
    add_stack(analysis, "a.c:1", "f\ta.c:1\ng\ta.c:9\n", 3);
    add_stack(analysis, "a.c:1", "f\ta.c:1\nh\ta.c:8\n", 4);
    add_stack(analysis, "a.c:1", "f\ta.c:1\ng\ta.c:9\n", 2);
    assert_int_equal(analysis_stacks(analysis, &line, &stacks, &samples), 2);
    assert_int_equal(samples, 9);
    assert_int_equal(stacks[0].count, 5);
    assert_string_equal(stacks[0].frames, "f\ta.c:1\ng\ta.c:9\n");
    assert_int_equal(stacks[1].count, 4);
    assert_int_equal(analysis_stacks(analysis, &other, &stacks, &samples), 0);
    analysis_free(analysis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),
        cmocka_unit_test(test_longer),
        cmocka_unit_test(test_singles),
        cmocka_unit_test(test_story),
        cmocka_unit_test(test_remarks),
        cmocka_unit_test(test_course),
        cmocka_unit_test(test_hashes_of_sources),
        cmocka_unit_test(test_stacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
