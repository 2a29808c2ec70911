#include "regions/experiments.h"

#include <errno.h>
#ifdef __linux__
#include <sched.h>
#endif
#include <stdlib.h>
#include <unistd.h>

struct experiment experiment_for(enum trial_kind kind, bool is_simple, double share,
                                 const struct region *target)
{
    struct experiment experiment = {EXPERIMENT_COUNT, NULL, 0, 0, 0};
    if (kind == TRIAL_BASELINE)
        return experiment;
    experiment.kind = EXPERIMENT_SPIN;
    if (kind == TRIAL_REGION)
        experiment.target = target;
    if (share > 0) {
        experiment.in_target = share;
    } else if (is_simple) {
        /* All else takes 1 / (1 - share): as if only the target took (1 - share), on a slower machine. */
        experiment.elsewhere = -share / (1 + share);
    } else {
        experiment.kind = EXPERIMENT_OVERLAP;
        experiment.share = -share;
    }
    return experiment;
}

double experiment_time_ns(const struct experiment *experiment, const struct call *call)
{
    double waited = experiment->kind == EXPERIMENT_OVERLAP ? experiment->share * (double)call->on_ticks : 0;
    return ((double)call->ticks - waited) * call->tick_ns;
}

struct finding *find_all(const struct region_sum *before, size_t known, double tick_ns, size_t *count)
{
    size_t all = region_count();
    struct region_sum *sums = malloc((all + 1) * sizeof *sums);
    struct finding *findings = malloc((all + 1) * sizeof *findings);
    *count = 0;
    if (sums && findings)
        call_sums(sums, all);
    for (size_t i = 0; i < all && sums && findings; i++) {
        const struct region *region = region_at(i);
        struct region_sum old = i < known ? before[i] : (struct region_sum){0, 0};
        uint64_t left_open = __atomic_load_n(&region->left_open, __ATOMIC_RELAXED);
        uint64_t never_begun = __atomic_load_n(&region->never_begun, __ATOMIC_RELAXED);
        if (sums[i].count + never_begun > 0)
            findings[(*count)++] =
                (struct finding){region->name, sums[i].count - old.count,
                                 (double)(sums[i].ticks - old.ticks) * tick_ns, left_open, never_begun};
    }
    free(sums);
    return findings;
}

int book_findings(struct book *book, const struct finding *findings, size_t count, double time_ns,
                  unsigned cores)
{
    for (size_t i = 0; i < count; i++) {
        long at = book_region(book, findings[i].name);
        if (at < 0)
            return -ENOMEM;
        struct book_region *region = &book->regions[at];
        region->left_open = findings[i].left_open;
        region->never_begun = findings[i].never_begun;
        if (series_add(&region->counts, (double)findings[i].count) < 0 ||
            series_add(&region->shares, findings[i].time_ns / time_ns / cores) < 0)
            return -ENOMEM;
    }
    return 0;
}

unsigned count_cores(void)
{
#ifdef CPU_COUNT
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        return (unsigned)CPU_COUNT(&allowed);
#endif
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online > 0 ? (unsigned)online : 1;
}
