#include "experiment/schedule/disturbed.h"

#include <stdlib.h>

/* Only the pages of sites that were sampled are ever written to. */
static bool has_room(struct disturbed *disturbed)
{
    if (!disturbed->begun_ns)
        disturbed->begun_ns = calloc(SEGMENT_SITES, sizeof *disturbed->begun_ns);
    if (!disturbed->lost_ns)
        disturbed->lost_ns = calloc(SEGMENT_SITES, sizeof *disturbed->lost_ns);
    return disturbed->begun_ns && disturbed->lost_ns;
}

static uint64_t baseline_of(const struct segment_owner *owner, uint32_t site)
{
    return atomic_load_explicit(&owner->segment->sites[site].baseline_ns, memory_order_relaxed);
}

void disturbed_open(struct disturbed *disturbed, const struct segment_owner *owner)
{
    disturbed->is_open = has_room(disturbed);
    if (!disturbed->is_open)
        return;
    for (uint32_t site = 0, end; segment_next_counted(owner, &site, &end); site = end)
        for (; site < end; site++)
            disturbed->begun_ns[site] = baseline_of(owner, site);
}

void disturbed_leave_out(struct disturbed *disturbed, const struct segment_owner *owner, uint64_t real_ns)
{
    if (!disturbed->is_open)
        return;
    disturbed->is_open = false;
    disturbed->time_ns += real_ns;
    for (uint32_t site = 0, end; segment_next_counted(owner, &site, &end); site = end)
        for (; site < end; site++)
            disturbed->lost_ns[site] += baseline_of(owner, site) - disturbed->begun_ns[site];
}

static bool is_how_the_machine_is(const struct disturbed *disturbed, uint64_t baseline_ns)
{
    return disturbed->time_ns > baseline_ns / 4 * 3;
}

uint64_t disturbed_rest_of_run(const struct disturbed *disturbed, uint64_t baseline_ns)
{
    return is_how_the_machine_is(disturbed, baseline_ns) ? baseline_ns : baseline_ns - disturbed->time_ns;
}

uint64_t disturbed_rest_of_site(const struct disturbed *disturbed, const struct segment_owner *owner,
                                uint32_t site, uint64_t baseline_ns)
{
    uint64_t all = baseline_of(owner, site);
    if (!disturbed->time_ns || is_how_the_machine_is(disturbed, baseline_ns))
        return all;
    return all - disturbed->lost_ns[site];
}

void disturbed_release(struct disturbed *disturbed)
{
    free(disturbed->begun_ns);
    free(disturbed->lost_ns);
}
