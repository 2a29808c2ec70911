#include "verify/rounds.h"

#include "base/clock.h"
#include "base/random.h"
#include "stats/estimate/estimate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int make_scratch(struct verify_runs *runs, struct coz_error *err)
{
    const char *temporary = getenv("TMPDIR");
    snprintf(runs->folder, sizeof runs->folder, "%.1000s/coz-verify-XXXXXX",
             temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(runs->folder)) {
        int rc = error_set(err, errno, "%s cannot be made: %s. Set TMPDIR to a folder that can be written.",
                           runs->folder, strerror(errno));
        runs->folder[0] = '\0';
        return rc;
    }
    snprintf(runs->scratch, sizeof runs->scratch, "%s/profile.jsonl", runs->folder);
    return 0;
}

/* Each build of each kind once, in an order of its own. */
static int run_round(struct verify_runs *runs, size_t round, const struct verify_options *options,
                     const struct costs_wanted *wanted, uint64_t *seed, struct coz_error *err)
{
    int order[BUILDS * KINDS], count = BUILDS * (wanted ? KINDS : KINDS - 1);
    for (int i = 0; i < count; i++) {
        int at = (int)random_below(seed, (size_t)i + 1);
        order[i] = order[at];
        order[at] = i;
    }
    for (int i = 0; i < count; i++) {
        int build = order[i] % BUILDS, kind = order[i] / BUILDS;
        bool tells = kind == SAMPLED && wanted->together[build].count > 0;
        const struct run_request request = {.argv = build == AFTER ? options->after : options->before,
                                            .seconds = options->seconds / count / options->rounds,
                                            .scratch = kind == SAMPLED ? runs->scratch : NULL,
                                            .granularity = wanted ? wanted->granularity : GRANULARITY_LINE,
                                            .together = tells ? &wanted->together[build] : NULL,
                                            .scope = options->scope,
                                            .interrupts = options->interrupts};
        if (options->progress)
            options->progress(options->context, (unsigned)round + 1, build == AFTER, kind == SAMPLED);
        int rc = run_build(&runs->results[round][build][kind], &request, err);
        if (rc)
            return rc;
    }
    return 0;
}

int rounds_run(struct verify_runs *runs, const struct verify_options *options,
               const struct costs_wanted *wanted, struct coz_error *err)
{
    uint64_t seed = options->seed ? options->seed : clock_read_ns(CLOCK_REALTIME);
    runs->results = calloc(options->rounds, sizeof *runs->results);
    if (!runs->results)
        return error_set(err, ENOMEM, "out of memory");
    int made = make_scratch(runs, err);
    if (made)
        return made;
    for (; runs->rounds < options->rounds; runs->rounds++) {
        int rc = run_round(runs, runs->rounds, options, wanted, &seed, err);
        if (rc) {
            runs->rounds++; /* what it has is to be released, too */
            return rc;
        }
    }
    return 0;
}

/* From the logarithms of the ratios of all pairs to a share that is saved. */
static struct verified_effect effect_of(const double *thetas, size_t count)
{
    struct estimate centre = estimate_centre(thetas, count, 0.95, 1);
    if (count == 0)
        return (struct verified_effect){NAN, NAN, NAN};
    return (struct verified_effect){effect_of_log_ratio(centre.value), effect_of_log_ratio(centre.high),
                                    effect_of_log_ratio(centre.low)};
}

static double mean_of(const double *logs, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += logs[i];
    return count ? exp(sum / (double)count) : NAN;
}

size_t rounds_compare(size_t rounds, measure_fn measure, const void *context, struct verified_effect *effect,
                      double means[BUILDS])
{
    size_t count = 0;
    double *thetas = calloc(3 * rounds, sizeof *thetas),
           *logs[BUILDS] = {thetas + rounds, thetas + 2 * rounds};
    for (size_t i = 0; thetas && i < rounds; i++) {
        double before = measure(context, i, BEFORE), after = measure(context, i, AFTER);
        if (!(before > 0 && after > 0 && isfinite(before) && isfinite(after)))
            continue;
        logs[BEFORE][count] = log(before);
        logs[AFTER][count] = log(after);
        thetas[count++] = log(after / before);
    }
    *effect = effect_of(thetas, count);
    for (int build = 0; thetas && build < BUILDS; build++)
        means[build] = mean_of(logs[build], count);
    free(thetas);
    return count;
}

void rounds_release(struct verify_runs *runs)
{
    for (size_t i = 0; runs->results && i < runs->rounds; i++)
        for (int build = 0; build < BUILDS; build++)
            for (int kind = 0; kind < KINDS; kind++)
                run_release(&runs->results[i][build][kind]);
    if (runs->folder[0])
        rmdir(runs->folder);
    free(runs->results);
    costs_release(&runs->costs[BEFORE]);
    costs_release(&runs->costs[AFTER]);
}
