/* Conditions: what is understood, and whether it is met. */
#include "report/compare/condition.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_what_is_understood(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        enum condition_subject subject;
        const char *target, *point;
        bool is_above;
        int percent;
    } cases[] = {
        {"rate < -5%", CONDITION_RATE, NULL, NULL, false, -5},
        {"  rate<-5 ", CONDITION_RATE, NULL, NULL, false, -5},
        {"rate of request < -5 %", CONDITION_RATE, NULL, "request", false, -5},
        {"latency of `a of b` > 10%", CONDITION_LATENCY, NULL, "a of b", true, 10},
        {"worker.c:88 impact > 20%", CONDITION_IMPACT, "worker.c:88", NULL, true, 20},
        {"worker.c:88 change of round > 10%", CONDITION_CHANGE, "worker.c:88", "round", true, 10},
        {"std::less<int>::operator()(int const&, int) impact of p < 3", CONDITION_IMPACT,
         "std::less<int>::operator()(int const&, int)", "p", false, 3},
        {"rate of rate > 3", CONDITION_RATE, NULL, "rate", true, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct condition condition;
        struct coz_error err;
        if (condition_parse(&condition, cases[i].text, &err) < 0)
            fail_msg("%s", err.text);
        assert_int_equal(condition.subject, cases[i].subject);
        assert_int_equal(!condition.target, !cases[i].target);
        assert_string_equal(condition.target ? condition.target : "", cases[i].target ? cases[i].target : "");
        assert_int_equal(!condition.point, !cases[i].point);
        assert_string_equal(condition.point ? condition.point : "", cases[i].point ? cases[i].point : "");
        assert_int_equal(condition.is_above, cases[i].is_above);
        assert_int_equal(lround(100 * condition.limit), cases[i].percent);
        condition_release(&condition);
    }
}

static void test_what_is_not(void **state)
{
    (void)state;
    static const struct {
        const char *text, *where;
    } cases[] = {
        {"", "no < or > at column 1"},
        {"rate", "no < or > at column 5"},
        {"rate < ", "no number at column 8"},
        {"rate < nan", "no number at column 8"},
        {"rate <= 5%", "`=`, at column 7"},
        {"rate < 5% today", "follows the number at column 11"},
        {"speed < 5%", "is named at column 1"},
        {"< 5%", "is named at column 1"},
        {"impact > 5%", "no line or function is named at column 1"},
        {"worker.c:88 rate < 5%", "not a line's, at column 1"},
        {"accelerate < 5%", "is named at column 1"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct condition condition;
        struct coz_error err;
        assert_true(condition_parse(&condition, cases[i].text, &err) < 0);
        if (!strstr(err.text, cases[i].where) || !strstr(err.text, "understood is"))
            fail_msg("'%s': %s", cases[i].text, err.text);
        condition_release(&condition);
    }
}

static enum condition_outcome judge(const char *text, const struct comparison *comparison)
{
    struct condition condition;
    assert_int_equal(condition_parse(&condition, text, NULL), 0);
    assert_int_equal(condition_judge(&condition, comparison, NULL), 0);
    assert_true(*condition.why);
    condition_release(&condition);
    return condition.outcome;
}

static void test_rates_are_judged(void **state)
{
    (void)state;
    struct compare_rate rates[] = {
        {.point = "p", .metric = METRIC_THROUGHPUT, .change = -0.1, .low = -0.14, .high = -0.06},
        {.point = "q", .metric = METRIC_THROUGHPUT, .change = 0, .low = -0.03, .high = 0.03},
        {.point = "r", .metric = METRIC_THROUGHPUT, .change = NAN, .low = NAN, .high = NAN},
        {.point = "p", .metric = METRIC_LATENCY, .change = 0.2, .low = 0.1, .high = 0.3},
    };
    struct comparison comparison = {.rates = rates, .rate_count = 4};
    assert_int_equal(judge("rate of p < -5%", &comparison), CONDITION_MET);
    assert_int_equal(judge("rate of p < -10%", &comparison), CONDITION_UNKNOWN);
    assert_int_equal(judge("rate of p < -20%", &comparison), CONDITION_NOT_MET);
    assert_int_equal(judge("rate of q < -5%", &comparison), CONDITION_NOT_MET);
    assert_int_equal(judge("rate of r < -5%", &comparison), CONDITION_UNKNOWN);
    assert_int_equal(judge("rate of s < -5%", &comparison), CONDITION_UNKNOWN);
    assert_int_equal(judge("rate < -5%", &comparison), CONDITION_MET); /* of one of them */
    assert_int_equal(judge("rate < -20%", &comparison), CONDITION_UNKNOWN);
    assert_int_equal(judge("latency > 5%", &comparison), CONDITION_MET);
    assert_int_equal(judge("latency > 15%", &comparison), CONDITION_UNKNOWN);
}

static void test_targets_are_judged(void **state)
{
    (void)state;
    struct analysis_result olds[] = {{.kind = "line",
                                      .location = "/a/worker.c:88",
                                      .point = "p",
                                      .impact = 0.5,
                                      .low = 0.45,
                                      .high = 0.55}};
    struct analysis_result news[] = {
        {.kind = "line",
         .location = "/b/worker.c:90",
         .point = "p",
         .impact = 0.3,
         .low = 0.25,
         .high = 0.35},
        {.kind = "line",
         .location = "/b/other/worker.c:90",
         .point = "p",
         .impact = 0.3,
         .low = 0.2,
         .high = 0.4},
        {.kind = "function",
         .location = "ns::parse(int)",
         .point = "p",
         .impact = NAN,
         .low = NAN,
         .high = NAN},
    };
    struct compare_target targets[] = {
        {.before = &olds[0],
         .after = &news[0],
         .by = MATCH_TEXT,
         .change = -0.2,
         .low = -0.27,
         .high = -0.13},
        {.after = &news[1], .change = NAN, .low = NAN, .high = NAN},
        {.after = &news[2], .change = NAN, .low = NAN, .high = NAN},
    };
    struct comparison comparison = {.targets = targets, .target_count = 3};
    assert_int_equal(judge("b/worker.c:90 impact > 20%", &comparison), CONDITION_MET);
    assert_int_equal(judge("b/worker.c:90 impact > 40%", &comparison), CONDITION_NOT_MET);
    assert_int_equal(judge("b/worker.c:90 change < -10%", &comparison), CONDITION_MET);
    assert_int_equal(judge("worker.c:88 impact > 20%", &comparison), CONDITION_MET); /* what it was called */
    assert_int_equal(judge("worker.c:9 impact > 20%", &comparison), CONDITION_UNKNOWN);
    assert_int_equal(judge("orker.c:88 impact > 20%", &comparison), CONDITION_UNKNOWN);
    assert_int_equal(judge("parse impact > 20%", &comparison), CONDITION_UNKNOWN);
    assert_int_equal(judge("worker.c:88 impact of q > 20%", &comparison), CONDITION_UNKNOWN);
    /* Two are called so. */
    struct condition condition;
    struct coz_error err;
    assert_int_equal(condition_parse(&condition, "worker.c:90 impact > 1%", NULL), 0);
    assert_true(condition_judge(&condition, &comparison, &err) < 0);
    assert_non_null(strstr(err.text, "stands for"));
    condition_release(&condition);
}

static void test_one_profile(void **state)
{
    (void)state;
    struct analysis_result result = {
        .location = "w.c:1", .point = "p", .impact = 0.3, .low = 0.25, .high = 0.35};
    struct condition condition;
    struct coz_error err;
    assert_int_equal(condition_parse(&condition, "w.c:1 impact > 20%", NULL), 0);
    assert_int_equal(condition_judge_results(&condition, &result, 1, NULL), 0);
    assert_int_equal(condition.outcome, CONDITION_MET);
    condition_release(&condition);
    assert_int_equal(condition_parse(&condition, "rate < 1%", NULL), 0);
    assert_true(condition_judge_results(&condition, &result, 1, &err) < 0);
    assert_non_null(strstr(err.text, "coz compare"));
    condition_release(&condition);
}

static void test_status(void **state)
{
    (void)state;
    struct condition conditions[] = {
        {.outcome = CONDITION_NOT_MET}, {.outcome = CONDITION_UNKNOWN}, {.outcome = CONDITION_MET}};
    assert_int_equal(conditions_status(conditions, 0), 0);
    assert_int_equal(conditions_status(conditions, 1), 0);
    assert_int_equal(conditions_status(conditions, 2), 3);
    assert_int_equal(conditions_status(conditions, 3), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_understood), cmocka_unit_test(test_what_is_not),
        cmocka_unit_test(test_rates_are_judged),   cmocka_unit_test(test_targets_are_judged),
        cmocka_unit_test(test_one_profile),        cmocka_unit_test(test_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
