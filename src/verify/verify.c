#include "verify/verify.h"

#include "base/clock.h"
#include "debuginfo/names/function_name.h"
#include "experiment/targets/target_spec.h"
#include "verify/promise.h"
#include "verify/rounds.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The point that both builds visit, and the old one most. */
static const struct run_point *busiest_point(const struct verify_runs *runs)
{
    const struct run_result *before = &runs->results[0][BEFORE][NATIVE],
                            *after = &runs->results[0][AFTER][NATIVE];
    const struct run_point *busiest = NULL;
    for (size_t i = 0; i < before->count; i++)
        if (run_find(after, before->points[i].name, before->points[i].is_latency) &&
            (!busiest || before->points[i].visits > busiest->visits))
            busiest = &before->points[i];
    return busiest;
}

/* The one that was asked for or that the answer is about; else the busiest. */
static int choose_point(struct verify *verify, const struct verify_options *options, struct coz_error *err)
{
    struct verify_runs *runs = verify->runs;
    const struct analysis_result *answer = verify->promises ? verify->promises->result : NULL;
    const char *name = answer ? answer->point : options->point;
    const struct run_result *first = &runs->results[0][BEFORE][NATIVE];
    bool is_latency = answer && answer->metric == METRIC_LATENCY;
    const struct run_point *point = name ? run_find(first, name, is_latency) : busiest_point(runs);
    if (!point && name && !answer)
        point = run_find(first, name, true);
    if (!point && first->count == 0)
        return error_set(
            err, ENODATA,
            "No progress point was reached in the first run of --before. Each run lasts %.2g s: give more --seconds, or put COZ_PROGRESS (coz.h) where a unit of work ends.",
            options->seconds / (BUILDS * KINDS) / options->rounds);
    if (!point)
        return error_set(err, ENODATA, "The progress point %.100s was not reached by %s.", name ? name : "",
                         name ? "--before" : "both builds");
    snprintf(runs->point, sizeof runs->point, "%s", point->name);
    verify->verified.point = runs->point;
    verify->verified.is_latency = point->is_latency;
    return 0;
}

static const struct run_point *point_of(const struct verify *verify, size_t round, int build, int kind)
{
    return run_find(&verify->runs->results[round][build][kind], verify->verified.point,
                    verify->verified.is_latency);
}

static double time_of(const void *context, size_t round, int build)
{
    const struct verify *verify = context;
    const struct run_point *point = point_of(verify, round, build, NATIVE);
    return point ? point->time_ns : NAN;
}

static int measure_gain(struct verify *verify, struct coz_error *err)
{
    size_t rounds =
        rounds_compare(verify->runs->rounds, time_of, verify, &verify->verified.gain, verify->time_ns);
    verify->verified.rounds = (unsigned)rounds;
    if (rounds >= VERIFY_ROUNDS_LEAST)
        return 0;
    return error_set(
        err, ENODATA,
        "Both builds visited %.100s often enough in %zu of %zu rounds only, and %d are needed. Give more --seconds, or fewer --rounds.",
        verify->verified.point, rounds, verify->runs->rounds, VERIFY_ROUNDS_LEAST);
}

static double line_cost(const void *context, size_t round, int build)
{
    const struct verify *verify = context;
    const struct run_point *point = point_of(verify, round, build, SAMPLED);
    if (!point)
        return NAN;
    return costs_of(&verify->runs->results[round][build][SAMPLED].costs, verify->runs->lines[build]) /
           (double)point->visits;
}

static int add_up_costs(struct verify_runs *runs, struct coz_error *err)
{
    for (size_t i = 0; i < runs->rounds; i++)
        for (int build = 0; build < BUILDS; build++)
            if (costs_add_all(&runs->costs[build], &runs->results[i][build][SAMPLED].costs))
                return error_set(err, ENOMEM, "out of memory");
    return 0;
}

static const char *wanted_line(const struct verify *verify, const struct verify_options *options)
{
    const struct analysis_result *answer = verify->promises ? verify->promises->result : NULL;
    return answer ? answer->location : options->line;
}

/* The target in either build. False, and a note: it is not to be found. */
static bool find_line(struct verify *verify, const struct verify_options *options)
{
    const struct costs *costs = verify->runs->costs;
    const struct analysis_result *answer = verify->promises ? verify->promises->result : NULL;
    const char *wanted = wanted_line(verify, options);
    const struct cost *before = costs_find(&costs[BEFORE], wanted), *after = NULL;
    const char *slash = strrchr(wanted, '/');
    if (!before && slash && strcmp(answer ? answer->kind : "line", "line") == 0)
        before = costs_find(&costs[BEFORE], slash + 1); /* the old build may have been made elsewhere */
    if (!before) {
        snprintf(verify->note, sizeof verify->note, "%.200s has no samples in the old build.", wanted);
        return false;
    }
    verify->verified.kind = before->kind;
    verify->verified.location = answer ? answer->location : before->location;
    if (options->after_line)
        after = costs_find(&costs[AFTER], options->after_line);
    else
        after = costs_match(&costs[AFTER], before, &verify->line_is_guess);
    if (!after) {
        snprintf(verify->note, sizeof verify->note,
                 "%.200s has no samples in the new build; name its line there with --after-line.",
                 options->after_line ? options->after_line : before->location);
        return false;
    }
    verify->verified.after_location = after->location;
    verify->runs->lines[BEFORE] = before;
    verify->runs->lines[AFTER] = after;
    return true;
}

static int measure_line(struct verify *verify, const struct verify_options *options, struct coz_error *err)
{
    int rc = add_up_costs(verify->runs, err);
    if (rc || !find_line(verify, options))
        return rc;
    if (rounds_compare(verify->runs->rounds, line_cost, verify, &verify->verified.line, verify->line_ns) <
        VERIFY_ROUNDS_LEAST) {
        verify->verified.line = (struct verified_effect){NAN, NAN, NAN};
        snprintf(verify->note, sizeof verify->note,
                 "The line has too few samples to tell how much faster it became: give more --seconds.");
    }
    if (verify->promises && verify->promises->result)
        verify->verified.promise = promise_at(verify->promises->result, &verify->verified.line);
    return 0;
}

static enum granularity granularity_of(const char *line, const struct analysis_result *answer)
{
    const char *kind = answer ? answer->kind : "";
    if (strcmp(kind, "function") == 0)
        return GRANULARITY_FUNCTION;
    if (strcmp(kind, "callsite") == 0)
        return GRANULARITY_CALLSITE;
    if (strcmp(kind, "thread") == 0 || (line && strncmp(line, "thread:", strlen("thread:")) == 0))
        return GRANULARITY_THREAD;
    if (strcmp(kind, "file") == 0 && answer->location[0] == '/')
        return GRANULARITY_FILE;
    return !answer && line && !strchr(line, ':') ? GRANULARITY_FUNCTION : GRANULARITY_LINE;
}

/* What sampled runs are to tell of the line, which may be several at once. */
static int want_costs(struct costs_wanted *wanted, const struct verify *verify,
                      const struct verify_options *options, struct coz_error *err)
{
    const struct analysis_result *answer = verify->promises ? verify->promises->result : NULL;
    const char *line = wanted_line(verify, options);
    const char *lines[BUILDS] = {line, options->after_line ? options->after_line : line};
    *wanted = (struct costs_wanted){.granularity = granularity_of(options->line, answer)};
    int rc = 0;
    for (int build = 0; build < BUILDS && rc == 0; build++)
        if (*function_name_plus(lines[build]))
            rc = target_spec_parse(&wanted->together[build], lines[build], err);
    if (wanted->together[BEFORE].count > 0)
        wanted->granularity = target_spec_granularity(&wanted->together[BEFORE]);
    return rc;
}

static int read_promises(struct verify *verify, const struct verify_options *options, struct coz_error *err)
{
    if (!options->profile)
        return 0;
    verify->promises = calloc(1, sizeof *verify->promises);
    if (!verify->promises)
        return error_set(err, ENOMEM, "out of memory");
    struct coz_error why = {""};
    int rc = promises_read(verify->promises, options->profile, options->line, options->point, &why);
    if (rc == -ENOENT && verify->promises->analysis && analysis_windows(verify->promises->analysis) > 0) {
        snprintf(verify->note, sizeof verify->note, "%.390s",
                 why.text); /* nothing is known of that line, then */
        return 0;
    }
    if (rc)
        return error_set(err, -rc, "%s", why.text);
    if (!verify->promises->result)
        snprintf(verify->note, sizeof verify->note,
                 "%.250s says of nothing that it improves: there is no promise. Name a line with --line.",
                 options->profile);
    return 0;
}

int verify_run(struct verify *verify, const struct verify_options *options, struct coz_error *err)
{
    static const struct verified_effect unknown = {NAN, NAN, NAN};
    *verify = (struct verify){.verified = {.profile = options->profile,
                                           .gain = unknown,
                                           .line = unknown,
                                           .promise = unknown,
                                           .time_ns = clock_read_ns(CLOCK_REALTIME)},
                              .time_ns = {NAN, NAN},
                              .line_ns = {NAN, NAN}};
    verify->runs = calloc(1, sizeof *verify->runs);
    int rc = verify->runs ? read_promises(verify, options, err) : error_set(err, ENOMEM, "out of memory");
    bool has_line = options->line || (verify->promises && verify->promises->result);
    struct costs_wanted wanted;
    if (rc == 0 && has_line)
        rc = want_costs(&wanted, verify, options, err);
    if (rc == 0)
        rc = rounds_run(verify->runs, options, has_line ? &wanted : NULL, err);
    if (rc == 0)
        rc = choose_point(verify, options, err);
    if (rc == 0)
        rc = measure_gain(verify, err);
    if (rc == 0) {
        verify->verified.before_build = verify->runs->results[0][BEFORE][NATIVE].build_id;
        verify->verified.after_build = verify->runs->results[0][AFTER][NATIVE].build_id;
        verify->is_other_build =
            verify->promises && promises_are_of_another(verify->promises, verify->verified.before_build);
        rc = has_line ? measure_line(verify, options, err) : 0;
    }
    return rc;
}

void verify_release(struct verify *verify)
{
    if (verify->runs)
        rounds_release(verify->runs);
    free(verify->runs);
    if (verify->promises)
        promises_release(verify->promises);
    free(verify->promises);
}
