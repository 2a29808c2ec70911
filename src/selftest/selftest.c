#include "selftest/selftest.h"

#include "selftest/parts.h"

#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const char *const programs[SELFTEST_PROGRAMS] = {"serial", "forkjoin", "lock", "handover"};

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

/* Of the whole machine, since it was started; zero where that cannot be read. */
struct machine_time {
    double used_s;   /* CPU seconds, of all cores */
    double stolen_s; /* that a virtual machine's cores waited for real ones */
};

static struct machine_time machine_time(void)
{
    unsigned long long user, nice, system, idle, wait, irq, soft, steal;
    struct machine_time time = {0, 0};
    FILE *file = fopen("/proc/stat", "re");
    if (!file)
        return time;
    double tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
    if (fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &system, &idle, &wait, &irq,
               &soft, &steal) == 8) {
        time.used_s = (double)(user + nice + system + irq + soft) * tick_s;
        time.stolen_s = (double)steal * tick_s;
    }
    fclose(file);
    return time;
}

static double own_cpu_s(void)
{
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        struct rusage usage;
        getrusage(i ? RUSAGE_CHILDREN : RUSAGE_SELF, &usage);
        sum += (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
               (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
    }
    return sum;
}

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int selftest_run(struct selftest *selftest, const struct selftest_options *options, struct coz_error *err)
{
    *selftest = (struct selftest){.cores = sysconf(_SC_NPROCESSORS_ONLN)};
    struct workplace workplace;
    struct plan plan = make_plan(options->seconds);
    struct machine_time before = machine_time();
    double own = own_cpu_s(), began = now_s();
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
    struct machine_time after = machine_time();
    double all_s = (now_s() - began) * (double)selftest->cores;
    selftest->strangers = fmax(0, (after.used_s - before.used_s - (own_cpu_s() - own)) / all_s);
    selftest->stolen = fmax(0, (after.stolen_s - before.stolen_s) / all_s);
    selftest_judge(selftest);
    return 0;
}
