#include "selftest/selftest.h"

#include "base/clock.h"
#include "base/machine.h"
#include "selftest/judge.h"
#include "selftest/said.h"
#include "selftest/truth.h"

#include <math.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static const char *const programs[SELFTEST_PROGRAMS] = {"serial", "forkjoin", "lock", "handover", "company"};

/* The truth is simpler to know than to profile: it gets the smaller part of the time. */
static const double truth_share = 0.4, longest_run_s = 0.15, shortest_run_s = 0.04;
static const double shortest_profile_s = 1;
enum { LEAST_ROUNDS = 4, WANTED_ROUNDS = 12 };

struct plan {
    size_t rounds;
    double run_s, profile_s;
};

/* Three runs a round, for each program. */
static struct plan make_plan(double seconds)
{
    double own = seconds / SELFTEST_PROGRAMS, truth = own * truth_share;
    struct plan plan = {.run_s = truth / WANTED_ROUNDS / 3, .profile_s = own - truth};
    plan.run_s = fmin(fmax(plan.run_s, shortest_run_s), longest_run_s);
    double rounds = floor(truth / plan.run_s / 3);
    plan.rounds = rounds < LEAST_ROUNDS   ? LEAST_ROUNDS
                  : rounds > TRUTH_ROUNDS ? TRUTH_ROUNDS
                                          : (size_t)rounds;
    plan.profile_s = fmax(plan.profile_s, shortest_profile_s);
    return plan;
}

/* Half of the rounds are run before the profile and half after it: a machine's mood may change. */
static int test_program(struct selftest *selftest, struct selftest_line lines[2],
                        const struct workplace *workplace, const struct plan *plan,
                        const struct selftest_options *options, struct coz_error *err)
{
    struct truth truth = {.rounds = 0};
    size_t before = plan->rounds / 2;
    int rc = truth_measure(&truth, before, plan->run_s, workplace->workload, lines, options, err);
    if (rc == 0)
        rc = said_measure(selftest, workplace, plan->profile_s, lines, options, err);
    if (rc == 0)
        rc = truth_measure(&truth, plan->rounds - before, plan->run_s, workplace->workload, lines, options,
                           err);
    for (size_t i = 0; rc == 0 && i < 2; i++)
        lines[i].truth = truth_effect(&truth, i);
    return rc;
}

int selftest_run(struct selftest *selftest, const struct selftest_options *options, struct coz_error *err)
{
    *selftest = (struct selftest){.cores = sysconf(_SC_NPROCESSORS_ONLN)};
    struct workplace workplace;
    struct plan plan = make_plan(options->seconds);
    struct machine_watch watch = machine_watch_begin();
    int rc = workplace_make(&workplace, err);
    for (unsigned i = 0; rc == 0 && i < SELFTEST_PROGRAMS; i++) {
        struct selftest_line *lines = &selftest->lines[2 * i];
        lines[0].program = lines[1].program = programs[i];
        options->progress(programs[i], i + 1);
        rc = test_program(selftest, lines, &workplace, &plan, options, err);
    }
    workplace_remove(&workplace);
    if (rc)
        return rc;
    struct machine_use use = machine_watch_end(&watch);
    selftest->strangers = use.others;
    selftest->stolen = use.stolen;
    selftest_judge(selftest);
    return 0;
}
