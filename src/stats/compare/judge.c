#include "stats/compare/judge.h"

#include <math.h>

#define SMALL 0.05               /* what no more than that differs is as good as the same */
#define HALF_OF_FALSE (0.05 / 2) /* rates may have one half of what may be wrong, impacts the other */

enum compare_verdict compare_judge(double chance, double low, double high)
{
    if (isnan(chance))
        return COMPARE_TOO_LITTLE;
    if (chance <= HALF_OF_FALSE)
        return COMPARE_CHANGED;
    return low >= -SMALL && high <= SMALL ? COMPARE_SAME : COMPARE_TOO_LITTLE;
}
