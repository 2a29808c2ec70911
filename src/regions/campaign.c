#include "regions/campaign.h"

#include "base/clock.h"
#include "base/random.h"
#include "regions/results/files.h"
#include "regions/results/table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct campaign {
    const struct campaign_options *options;
    const struct campaign_runner *runner;
    struct book *book;
    uint64_t began_ns, random;
    size_t made; /* trials, of complete iterations and this one */
    bool shows;  /* progress, on a terminal */
};

static bool is_faster(const struct book *book, size_t percent)
{
    return book->percents[percent] < 0;
}

/* All of an iteration, in order. *count becomes how many. NULL: no memory. */
static struct trial *list_trials(const struct book *book, size_t *count)
{
    size_t most = (book->region_count + 1) * book->percent_count + 1;
    struct trial *trials = malloc(most * sizeof *trials);
    *count = 0;
    if (!trials)
        return NULL;
    trials[(*count)++] = (struct trial){TRIAL_BASELINE, 0, 0};
    for (size_t i = 0; i < book->percent_count; i++) {
        if (is_faster(book, i))
            trials[(*count)++] = (struct trial){TRIAL_CONTROL, 0, i};
        for (size_t k = 0; k < book->region_count; k++)
            trials[(*count)++] = (struct trial){TRIAL_REGION, k, i};
    }
    return trials;
}

static void shuffle(struct trial *trials, size_t count, uint64_t *random)
{
    for (size_t i = count; i > 1; i--) {
        size_t k = random_below(random, i);
        struct trial swapped = trials[i - 1];
        trials[i - 1] = trials[k];
        trials[k] = swapped;
    }
}

static void show_progress(struct campaign *campaign, const struct trial *trial, size_t number, size_t count)
{
    const struct book *book = campaign->book;
    double passed = (double)(clock_wall_ns() - campaign->began_ns) * 1e-9;
    double all = (double)count * campaign->options->iterations;
    double left = campaign->made ? passed / (double)campaign->made * (all - (double)campaign->made) : 0;
    fprintf(campaign->options->out, "\r\033[Kiteration %u of %u, %s %zu of %zu", book->iterations + 1,
            campaign->options->iterations, campaign->options->call, number, count);
    if (trial->kind == TRIAL_REGION)
        fprintf(campaign->options->out, ": %.40s %+g %%", book->regions[trial->region].name,
                book->percents[trial->percent]);
    fprintf(campaign->options->out, "; %.0f s, about %.0f s to go", passed, left);
    fflush(campaign->options->out);
}

static void end_progress(struct campaign *campaign)
{
    if (campaign->shows)
        fputs("\r\033[K", campaign->options->out);
}

static int make_trial(struct campaign *campaign, const struct trial *trial)
{
    double time_ns = 0;
    if (campaign->options->stop && *campaign->options->stop)
        return -EINTR;
    int code = campaign->runner->make(campaign->runner->context, campaign->book, trial, &time_ns);
    if (code == 0)
        code = book_add(campaign->book, trial, time_ns);
    campaign->made += code == 0;
    return code;
}

/* Their times are not kept; the regions that they find are. */
static int warm_up(struct campaign *campaign)
{
    struct trial trial = {TRIAL_BASELINE, 0, 0};
    struct book *book = campaign->book;
    for (unsigned i = 0; i < campaign->options->warm_ups; i++) {
        int code = make_trial(campaign, &trial);
        if (code < 0)
            return code;
    }
    book->baselines.count = 0;
    for (size_t i = 0; i < book->region_count; i++)
        book->regions[i].counts.count = book->regions[i].shares.count = 0;
    campaign->made = 0;
    campaign->began_ns = clock_wall_ns();
    if (book->region_count > 0)
        return 0;
    fprintf(campaign->options->out,
            "coz regions: no region was entered. Mark some with COZ_REGION_BEGIN(name) and "
            "COZ_REGION_END(name) of coz.h.\n");
    return -ENOENT;
}

static int write_files(const struct campaign *campaign)
{
    const struct campaign_options *options = campaign->options;
    int code = options->csv ? file_write_csv(options->csv, campaign->book) : 0;
    const char *path = code < 0 ? options->csv : options->json;
    if (code == 0 && options->json)
        code = file_write_json(options->json, campaign->book);
    if (code < 0)
        fprintf(options->out, "coz regions: %s cannot be written: %s\n", path, strerror(-code));
    return code;
}

static int iterate(struct campaign *campaign)
{
    const struct campaign_options *options = campaign->options;
    size_t count;
    int code = 0;
    struct trial *trials = list_trials(campaign->book, &count);
    if (!trials)
        return -ENOMEM;
    shuffle(trials, count, &campaign->random);
    for (size_t i = 0; i < count && code == 0; i++) {
        if (campaign->shows)
            show_progress(campaign, &trials[i], i + 1, count);
        code = make_trial(campaign, &trials[i]);
    }
    free(trials);
    end_progress(campaign);
    if (code < 0)
        return code;
    campaign->book->iterations++;
    if (!options->is_quiet)
        table_print(options->out, campaign->book, options->iterations);
    code = write_files(campaign);
    return code == 0 && options->done ? options->done(options->context, campaign->book) : code;
}

int campaign_run(const struct campaign_options *options, const struct campaign_runner *runner,
                 struct book *book)
{
    struct campaign campaign = {.options = options,
                                .runner = runner,
                                .book = book,
                                .began_ns = clock_wall_ns(),
                                .random = options->seed,
                                .shows = !options->is_quiet && isatty(fileno(options->out))};
    int code = warm_up(&campaign);
    for (unsigned i = 0; i < options->iterations && code == 0; i++)
        code = iterate(&campaign);
    return code;
}
