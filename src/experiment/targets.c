#include "experiment/targets.h"

#include "experiment/plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Half of a block's weight is gone after three more blocks: soon enough to follow a program's phases. */
static const double decay = 0.8;
static const double least_share = 0.001, floor_share = 0.01;

void targets_release(struct targets *targets)
{
    free(targets->recent_ns);
    free(targets->seen_ns);
}

static int reserve(struct targets *targets, uint32_t count)
{
    if (count <= targets->capacity)
        return 0;
    double *recent = realloc(targets->recent_ns, count * sizeof *recent);
    if (recent)
        targets->recent_ns = recent;
    uint64_t *seen = realloc(targets->seen_ns, count * sizeof *seen);
    if (seen)
        targets->seen_ns = seen;
    if (!recent || !seen)
        return -ENOMEM;
    memset(recent + targets->capacity, 0, (count - targets->capacity) * sizeof *recent);
    memset(seen + targets->capacity, 0, (count - targets->capacity) * sizeof *seen);
    targets->capacity = count;
    return 0;
}

int targets_update(struct targets *targets, const struct segment *segment, uint32_t site_count)
{
    int rc = reserve(targets, site_count);
    if (rc)
        return rc;
    for (uint32_t site = 1; site < site_count; site++) {
        uint64_t total = atomic_load_explicit(&segment->sites[site].cpu_ns, memory_order_relaxed);
        targets->recent_ns[site] =
            targets->recent_ns[site] * decay + (double)(total - targets->seen_ns[site]);
        targets->seen_ns[site] = total;
    }
    return 0;
}

static double weight(double ns, double all_ns)
{
    double share = ns / all_ns;
    return share < least_share ? 0 : share < floor_share ? floor_share : share;
}

uint32_t targets_draw(struct targets *targets, uint64_t *seed)
{
    if (targets->fixed_count)
        return targets->fixed[targets->fixed_next++ % targets->fixed_count];
    double all_ns = 0, all = 0;
    for (uint32_t site = 1; site < targets->capacity; site++)
        all_ns += targets->recent_ns[site];
    if (all_ns <= 0)
        return 0;
    for (uint32_t site = 1; site < targets->capacity; site++)
        all += weight(targets->recent_ns[site], all_ns);
    double left = (double)(plan_random(seed) >> 11) * 0x1p-53 * all;
    uint32_t last = 0;
    for (uint32_t site = 1; site < targets->capacity; site++) {
        double own = weight(targets->recent_ns[site], all_ns);
        if (own <= 0)
            continue;
        last = site;
        if ((left -= own) < 0)
            break;
    }
    return last;
}
