#include "experiment/schedule/stolen.h"

static const double tolerated_share = 0.10;
static const size_t enough_windows = 8; /* a short run needs all it has */

double stolen_share(struct machine_ticks from, struct machine_ticks to)
{
    if (to.all <= from.all || to.stolen <= from.stolen)
        return 0;
    return (double)(to.stolen - from.stolen) / (double)(to.all - from.all);
}

bool stolen_is_too_much(struct stolen *stolen, double share)
{
    size_t count = stolen->seen < STOLEN_WINDOWS ? stolen->seen : STOLEN_WINDOWS, less = 0;
    for (size_t i = 0; i < count; i++)
        less += (double)stolen->shares[i] < share;
    stolen->shares[stolen->seen++ % STOLEN_WINDOWS] = (float)share;
    return count >= enough_windows && share > tolerated_share && 2 * less >= count;
}
