#include "coz_regions.h"

#include "base/clock.h"
#include "regions/campaign.h"
#include "regions/experiments.h"
#include "regions/told.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { ITERATIONS = 10, WARM_UPS = 1 };

static const double usual_percents[] = {10, 5, -5, -10, -15, -20};

struct work {
    void (*function)(void *argument);
    void *argument;
    unsigned cores;
    FILE *out;
};

static int fail(FILE *out, int code, const char *why)
{
    fprintf(out, "coz regions: %s\n", why);
    return -code;
}

static int make_call(void *context, struct book *book, const struct trial *trial, double *time_ns)
{
    const struct work *work = context;
    double share = trial->kind == TRIAL_BASELINE ? 0 : book->percents[trial->percent] / 100;
    struct region *target =
        trial->kind == TRIAL_REGION ? region_named(book->regions[trial->region].name) : NULL;
    struct experiment experiment = experiment_for(trial->kind, book->is_simple, share, target);
    size_t known = region_count(), count;
    struct region_sum *before = malloc((known + 1) * sizeof *before);
    if (!before)
        return fail(work->out, ENOMEM, "out of memory");
    call_sums(before, known);
    struct call call;
    call_begin(&call, &experiment);
    work->function(work->argument);
    call_end(&call);
    *time_ns = experiment_time_ns(&experiment, &call);
    int code = 0;
    if (trial->kind == TRIAL_BASELINE) {
        struct finding *findings = find_all(before, known, call.tick_ns, &count);
        code = book_findings(book, findings, count, *time_ns, work->cores);
        free(findings);
    }
    free(before);
    return code < 0 ? fail(work->out, ENOMEM, "out of memory") : 0;
}

static int check_options(const struct coz_regions_options *options, FILE *out)
{
    if (options->method != COZ_REGIONS_FULL && options->method != COZ_REGIONS_SIMPLE)
        return fail(out, EINVAL, "options.method must be COZ_REGIONS_FULL or COZ_REGIONS_SIMPLE");
    for (size_t i = 0; options->percents && i < options->percent_count; i++) {
        double percent = options->percents[i];
        if (!(percent >= -90 && percent <= 1000) || percent == 0)
            return fail(out, EINVAL, "options.percents must be from -90 to 1000, and not 0");
        for (size_t k = 0; k < i; k++)
            if (options->percents[k] == percent)
                return fail(out, EINVAL, "options.percents names one percentage twice");
    }
    if (options->percents && options->percent_count == 0)
        return fail(out, EINVAL,
                    "options.percent_count is 0; leave options.percents NULL for the usual ones");
    return 0;
}

static int measure(const struct coz_regions_options *options, struct work *work)
{
    struct campaign_options plan = {.iterations = options->iterations ? options->iterations : ITERATIONS,
                                    .warm_ups = options->warm_ups ? options->warm_ups : WARM_UPS,
                                    .seed = options->seed ? options->seed : clock_wall_ns(),
                                    .is_quiet = options->is_quiet,
                                    .out = work->out,
                                    .call = "call",
                                    .csv = options->csv,
                                    .json = options->json};
    bool is_usual = !options->percents;
    struct book book;
    if (book_init(&book, options->method == COZ_REGIONS_SIMPLE, is_usual ? usual_percents : options->percents,
                  is_usual ? sizeof usual_percents / sizeof *usual_percents : options->percent_count) < 0)
        return fail(work->out, ENOMEM, "out of memory");
    int code = campaign_run(&plan, &(struct campaign_runner){make_call, work}, &book);
    if (region_names_refused() > 0)
        fprintf(work->out,
                "There are more than %d names of regions; those that came later were not measured.\n",
                REGION_LIMIT);
    book_release(&book);
    return code;
}

int coz_regions_run(const struct coz_regions_options *options, void (*function)(void *argument),
                    void *argument)
{
    static bool is_busy;
    static const struct coz_regions_options usual;
    options = options ? options : &usual;
    FILE *out = options->table ? options->table : stderr;
    int code = check_options(options, out);
    if (code < 0)
        return code;
    if (__atomic_exchange_n(&is_busy, true, __ATOMIC_ACQUIRE))
        return fail(out, EBUSY, "coz_regions_run() is already at work in this process");
    if (told_is())
        function(argument);
    else
        code = measure(options, &(struct work){function, argument, count_cores(), out});
    __atomic_store_n(&is_busy, false, __ATOMIC_RELEASE);
    return code;
}
