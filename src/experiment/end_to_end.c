#include "experiment/end_to_end.h"

#include "experiment/plan.h"
#include "profile/reader.h"

#include <stdlib.h>

struct drawing {
    const struct site_set *sites;
    uint64_t *seed;
    double seen;
    uint32_t chosen;
};

/* Draws one location in proportion to its samples, in one pass: each replaces the choice with probability own
 * / seen so far. */
static int draw_location(void *context, const struct profile_record *record)
{
    struct drawing *drawing = context;
    if (record->type != PROFILE_SAMPLES)
        return 0;
    uint32_t site = site_find(drawing->sites, record->samples.location, NULL);
    double own = site ? (double)record->samples.count : 0;
    drawing->seen += own;
    if (own > 0 && (double)(plan_random(drawing->seed) >> 11) * 0x1p-53 * drawing->seen < own)
        drawing->chosen = site;
    return 0;
}

void end_to_end_choose(struct end_to_end *choice, const char *profile, const struct site_set *sites,
                       struct targets *targets, const int *speedups, size_t speedup_count, uint64_t *seed)
{
    struct drawing drawing = {.sites = sites, .seed = seed};
    struct profile_visitor visitor = {.record = draw_location, .context = &drawing};
    if (targets->fixed_count)
        drawing.chosen = targets->fixed[plan_random(seed) % targets->fixed_count];
    else
        profile_read(profile, &visitor, NULL);
    *choice = (struct end_to_end){.site = drawing.chosen};
    if (plan_random(seed) % 2 && speedup_count)
        choice->permille = speedups[plan_random(seed) % speedup_count];
}

int end_to_end_write(const struct end_to_end *choice, const struct segment *segment, uint64_t real_ns,
                     const struct site_set *sites, window_sink sink, void *context)
{
    char name[4096];
    uint64_t delay = atomic_load(&segment->required_ns);
    struct profile_record record = {.type = PROFILE_EXPERIMENT};
    record.experiment.selected = site_name(sites, choice->site, name, sizeof name);
    record.experiment.kind = "line";
    record.experiment.speedup = choice->permille / 1000.0;
    record.experiment.duration_ns = real_ns - delay;
    record.experiment.selected_samples = atomic_load(&segment->sites[choice->site].count);
    record.experiment.selected_ns = atomic_load(&segment->sites[choice->site].cpu_ns);
    record.experiment.sampled_ns = atomic_load(&segment->samples_ns);
    record.experiment.delay_ns = delay;
    int rc = sink(context, &record);
    record = (struct profile_record){.type = PROFILE_THROUGHPUT};
    record.throughput.name = "end-to-end";
    record.throughput.delta = 1;
    return rc ? rc : sink(context, &record);
}
