/* Kinks at 0, against simulated runs with a known answer: the interval holds the truth, a straight line and one
 * that bends elsewhere are not said to bend at 0, and a large kink is found. */
#include "base/random.h"
#include "stats/answers/analysis.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { REPETITIONS = 500, BLOCKS = 12 };

/* Effects of 1 - factor: by so much for each unit of speedup on either side, on the faster one up to a bend. */
struct program {
    const char *name;
    double slower, faster, bend;
    double least_shown, most_shown; /* of the runs, in which there is said to be a kink */
};

static double normal(uint64_t *random)
{
    return sqrt(-2 * log(1 - random_unit(random))) * cos(2 * M_PI * random_unit(random));
}

static double effect_at(const struct program *program, double speedup)
{
    return speedup < 0 ? program->slower * speedup : program->faster * fmin(speedup, program->bend);
}

static void add_window(struct analysis *analysis, uint64_t block, uint64_t place, double speedup,
                       double elapsed_ns)
{
    struct profile_record record = {.type = PROFILE_EXPERIMENT,
                                    .experiment = {.selected = "a.c:1",
                                                   .speedup = speedup,
                                                   .duration_ns = (uint64_t)elapsed_ns,
                                                   .has_block = true,
                                                   .block = block,
                                                   .window = place}};
    assert_int_equal(analysis_add(analysis, &record), 0);
    record = (struct profile_record){
        .type = PROFILE_THROUGHPUT,
        .throughput = {.name = "p", .delta = 1000, .elapsed_ns = (uint64_t)elapsed_ns}};
    assert_int_equal(analysis_add(analysis, &record), 0);
}

/* Windows whose logarithms are 0.03 off. */
static const struct analysis_result *simulate(struct analysis *analysis, const struct program *program,
                                              const double *speedups, size_t count, uint64_t *random)
{
    for (uint64_t block = 0; block < BLOCKS; block++)
        for (uint64_t place = 1; place <= 2 * count + 1; place++) {
            double speedup = place % 2 ? 0 : speedups[place / 2 - 1];
            double factor = 1 - effect_at(program, speedup);
            add_window(analysis, block, place, speedup, 1e9 * factor * exp(0.03 * normal(random)));
        }
    assert_int_equal(analysis_finish(analysis), 0);
    const struct analysis_result *results;
    assert_int_equal(analysis_results(analysis, &results), 1);
    return results;
}

static const struct program programs[] = {
    {"straight", 0.5, 0.5, 1, 0, 0.06},
    {"nobody waits for it", 0, 0, 1, 0, 0.06},
    {"as slow as another", 0.6, 0, 1, 0.95, 1},
    {"bends at a half", 0.5, 0.5, 0.5, 0, 0.06},
    {"as slow as another, in part", 0.6, 0.2, 1, 0.9, 1},
};

static void test_simulated_kinks(void **state)
{
    (void)state;
    static const double speedups[] = {-0.5, -0.25, 0.25, 0.5, 0.75, 1};
    uint64_t random = 5;
    bool failed = false;
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        const struct program *program = &programs[i];
        double change = program->faster - program->slower, bias = 0;
        int covered = 0, shown = 0;
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            struct analysis *analysis = analysis_new();
            assert_non_null(analysis);
            const struct analysis_result *result = simulate(analysis, program, speedups, 6, &random);
            const struct kink *kink = &result->kink;
            covered += kink->low <= change && change <= kink->high;
            shown += result->has_kink;
            bias += (kink->change - change) / REPETITIONS;
            assert_true(fabs(kink->faster - kink->slower - kink->change) < 1e-9);
            analysis_free(analysis);
        }
        double holds = (double)covered / REPETITIONS, says = (double)shown / REPETITIONS;
        bool wrong =
            holds < 0.93 || says < program->least_shown || says > program->most_shown || fabs(bias) > 0.02;
        print_message("%-28s bias %+.3f, holds %4.1f %%, says so %4.1f %%%s\n", program->name, bias,
                      100 * holds, 100 * says, wrong ? "  <-- wrong" : "");
        failed = failed || wrong;
    }
    assert_false(failed);
}

/* What making it slower costs says nothing of what making it faster gains. */
static void test_slowdowns_are_no_impact(void **state)
{
    (void)state;
    static const double speedups[] = {-0.5, -0.25, 0.25, 0.5}, slower[] = {-0.5, -0.25};
    uint64_t random = 11;
    struct analysis *analysis = analysis_new();
    assert_non_null(analysis);
    const struct analysis_result *result = simulate(analysis, &programs[2], speedups, 4, &random);
    assert_true(fabs(result->impact) < 0.05);
    assert_int_not_equal(result->verdict, VERDICT_IMPROVES);
    assert_true(result->curve[0].effect < -0.2 && fabs(result->curve[3].effect) < 0.05);
    analysis_free(analysis);
    analysis = analysis_new();
    assert_non_null(analysis);
    result = simulate(analysis, &programs[2], slower, 2, &random);
    assert_true(fabs(result->impact - 0.6) < 0.1); /* all that is known */
    analysis_free(analysis);
}

/* The answer of a run in which only those speedups were tried. */
static void assert_no_kink(const double *speedups, size_t count)
{
    uint64_t random = 3;
    struct analysis *analysis = analysis_new();
    assert_non_null(analysis);
    const struct analysis_result *result = simulate(analysis, &programs[2], speedups, count, &random);
    assert_true(isnan(result->kink.change));
    assert_false(result->has_kink);
    analysis_free(analysis);
}

static void test_one_side_only(void **state)
{
    (void)state;
    assert_no_kink((const double[]){0.25, 0.5}, 2);
    assert_no_kink((const double[]){-0.5, -0.25}, 2);
    assert_no_kink((const double[]){-0.5, 1}, 2); /* full speed says nothing of what is near 0 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slowdowns_are_no_impact),
        cmocka_unit_test(test_simulated_kinks),
        cmocka_unit_test(test_one_side_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
