#include "experiment/settling.h"

#include <math.h>
#include <string.h>

#define MS 1000000ull

/* docs/accuracy.md tells what was measured for each. */
static const uint64_t shortest_ns = 25 * MS, longest_ns = 400 * MS;
static const uint32_t least_windows = 6;
static const double surely = 4; /* standard errors */
static const double least_difference = 0.02;

void settling_begin(struct settling *settling)
{
    memset(settling, 0, sizeof *settling);
    settling->time_ns = shortest_ns;
}

static struct settling_target *target_of(struct settling *settling, uint32_t site)
{
    struct settling_target *target = &settling->targets[site % SETTLING_TARGETS];
    if (target->site != site)
        *target = (struct settling_target){.site = site};
    return target;
}

bool settling_note(struct settling *settling, uint32_t site, double log_first, double log_second)
{
    double difference = log_first - log_second;
    struct settling_target *target = target_of(settling, site);
    target->windows++;
    target->sum += difference;
    target->squares += difference * difference;
    if (target->windows < least_windows || settling->time_ns >= longest_ns)
        return false;
    double mean = target->sum / target->windows;
    double variance = (target->squares - mean * target->sum) / (target->windows - 1);
    if (fabs(mean) < least_difference || mean * mean * target->windows < surely * surely * variance)
        return false;
    uint64_t longer_ns = 2 * settling->time_ns;
    memset(settling->targets, 0, sizeof settling->targets);
    settling->time_ns = longer_ns;
    return true;
}
