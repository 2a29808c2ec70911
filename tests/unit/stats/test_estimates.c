/* However many threads work the answers out, they are the same. */
#include "base/random.h"
#include "stats/answers/analysis.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { TARGETS = 100, BLOCKS = 6, WINDOWS = 5 };

static void add_window(struct analysis *analysis, const char *location, uint64_t block, double speedup,
                       uint64_t visits)
{
    struct profile_record experiment = {.type = PROFILE_EXPERIMENT,
                                        .experiment = {.selected = location,
                                                       .speedup = speedup,
                                                       .duration_ns = 1000000000,
                                                       .selected_samples = 100,
                                                       .selected_ns = 100000000,
                                                       .has_block = true,
                                                       .block = block}};
    struct profile_record visited = {.type = PROFILE_THROUGHPUT,
                                     .throughput = {.name = "p", .delta = visits, .elapsed_ns = 1000000000}};
    assert_int_equal(analysis_add(analysis, &experiment), 0);
    assert_int_equal(analysis_add(analysis, &visited), 0);
}

static struct analysis *analysis_of_many(unsigned threads)
{
    struct analysis *analysis = analysis_new();
    uint64_t random = 1;
    assert_non_null(analysis);
    analysis_use_threads(analysis, threads);
    for (uint64_t block = 0; block < TARGETS * BLOCKS; block++) {
        char location[32];
        snprintf(location, sizeof location, "a.c:%d", (int)(block % TARGETS) + 1);
        for (int window = 0; window < WINDOWS; window++)
            add_window(analysis, location, block + 1, window % 2 ? 0.25 * window : 0,
                       900 + random_below(&random, 200));
    }
    assert_int_equal(analysis_finish(analysis), 0);
    return analysis;
}

static void the_same_in_any_number_of_threads(void **state)
{
    (void)state;
    struct analysis *alone = analysis_of_many(1);
    const struct analysis_result *expected;
    assert_int_equal(analysis_results(alone, &expected), TARGETS);
    for (unsigned threads = 0; threads <= 40; threads += 4) {
        struct analysis *analysis = analysis_of_many(threads);
        const struct analysis_result *results;
        assert_int_equal(analysis_results(analysis, &results), TARGETS);
        for (size_t i = 0; i < TARGETS; i++) {
            assert_string_equal(results[i].location, expected[i].location);
            assert_memory_equal(&results[i].impact, &expected[i].impact, sizeof results[i].impact);
            assert_memory_equal(&results[i].low, &expected[i].low, sizeof results[i].low);
            assert_memory_equal(&results[i].high, &expected[i].high, sizeof results[i].high);
            assert_int_equal(results[i].curve_count, 2);
            assert_int_equal(expected[i].curve_count, 2);
            for (size_t c = 0; c < 2; c++)
                assert_memory_equal(&results[i].curve[c].effect, &expected[i].curve[c].effect,
                                    sizeof results[i].curve[c].effect);
        }
        analysis_free(analysis);
    }
    analysis_free(alone);
}

/* What is known already stays as it is; what has become known since does not. */
static void asked_again_after_more(void **state)
{
    (void)state;
    struct analysis *analysis = analysis_of_many(8);
    const struct analysis_result *results;
    assert_int_equal(analysis_results(analysis, &results), TARGETS);
    double before[2] = {0, 0};
    for (size_t i = 0; i < TARGETS; i++)
        for (int line = 0; line < 2; line++)
            if (strcmp(results[i].location, line ? "a.c:2" : "a.c:1") == 0)
                before[line] = results[i].impact;
    for (uint64_t block = TARGETS * BLOCKS; block < TARGETS * BLOCKS + 10; block++)
        for (int window = 0; window < WINDOWS; window++)
            add_window(analysis, "a.c:1", block + 1, window % 2 ? 0.25 * window : 0,
                       window % 2 ? 2000 : 1000);
    assert_int_equal(analysis_finish(analysis), 0);
    assert_int_equal(analysis_results(analysis, &results), TARGETS);
    assert_string_equal(results[0].location, "a.c:1");
    assert_true(results[0].impact > before[0] + 0.2);
    for (size_t i = 0; i < TARGETS; i++)
        if (strcmp(results[i].location, "a.c:2") == 0)
            assert_true(results[i].impact == before[1]);
    analysis_free(analysis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_in_any_number_of_threads),
        cmocka_unit_test(asked_again_after_more),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
