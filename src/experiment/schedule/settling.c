#include "experiment/schedule/settling.h"

#include <math.h>
#include <string.h>

#define MS 1000000ull

/* docs/history/choices.md tells what was measured for each. */
static const uint64_t shortest_ns = 25 * MS, longest_ns = 400 * MS;
static const uint32_t least_windows = 6, least_long_windows = 3;
static const uint32_t least_freedom = 5; /* of the variance */
static const double surely = 4;          /* standard errors */
static const double least_difference = 0.02;

void settling_begin(struct settling *settling)
{
    memset(settling, 0, sizeof *settling);
    settling->time_ns = shortest_ns;
}

static struct settling_kind *kind_of(struct settling *settling, uint32_t site, int permille)
{
    struct settling_kind *kind = &settling->kinds[(site * 37 + (uint32_t)permille) % SETTLING_KINDS];
    if (kind->site != site || kind->permille != permille)
        *kind = (struct settling_kind){.site = site, .permille = permille};
    return kind;
}

/* The differences vary alike in all kinds of the same length: so few windows of each say how much. NAN: not
 * known. */
static double variance_of(const struct settling *settling, bool is_long)
{
    double squares = 0;
    uint32_t freedom = 0;
    for (int i = 0; i < SETTLING_KINDS; i++) {
        const struct settling_kind *kind = &settling->kinds[i];
        if (!kind->windows || (kind->permille != 0) != is_long)
            continue;
        squares += kind->squares - kind->sum * kind->sum / kind->windows;
        freedom += kind->windows - 1;
    }
    return freedom >= least_freedom ? squares / freedom : NAN;
}

bool settling_note(struct settling *settling, uint32_t site, int permille, bool is_long,
                   const double halves[2])
{
    double difference = halves[0] - halves[1];
    struct settling_kind *kind = kind_of(settling, site, is_long ? permille : 0);
    kind->windows++;
    kind->sum += difference;
    kind->squares += difference * difference;
    if (kind->windows < (is_long ? least_long_windows : least_windows) || settling->time_ns >= longest_ns)
        return false;
    double mean = kind->sum / kind->windows, variance = variance_of(settling, is_long);
    if (fabs(mean) < least_difference || !(mean * mean * kind->windows >= surely * surely * variance))
        return false;
    memset(settling->kinds, 0, sizeof settling->kinds);
    settling->time_ns *= 2;
    return true;
}
