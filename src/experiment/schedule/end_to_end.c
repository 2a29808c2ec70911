#include "experiment/schedule/end_to_end.h"

#include "base/random.h"
#include "experiment/targets/history.h"

void end_to_end_choose(struct end_to_end *choice, const char *profile, const struct target_names *names,
                       struct targets *targets, const int *speedups, size_t speedup_count, uint64_t *seed)
{
    choice->permille = 0;
    choice->site = targets->fixed_count  ? targets->fixed[random_next(seed) % targets->fixed_count]
                   : targets->only_fixed ? 0
                                         : history_draw_target(profile, names, seed);
    if (random_next(seed) % 2 && speedup_count)
        choice->permille = speedups[random_next(seed) % speedup_count];
}

int end_to_end_write(const struct end_to_end *choice, const struct segment *segment, uint64_t real_ns,
                     const struct target_names *names, window_sink sink, void *context)
{
    char name[4096];
    uint64_t delay = atomic_load(&segment->due.required_ns);
    struct profile_record record = {.type = PROFILE_EXPERIMENT};
    record.experiment.selected = target_name(names, choice->site, name, sizeof name);
    record.experiment.kind = target_kind(names, choice->site);
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
