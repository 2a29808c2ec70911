/* "No effect" is a claim of its own: that whatever effect there is, it is small. So the whole interval has to
 * be small, and not only hold 0, which an interval of few windows nearly always does. */
#include "stats/answers/verdict.h"

#include <math.h>
#include <stdbool.h>

/* Impacts within this of 0 (5 points for a full speedup of the target) are as good as none. */
#define SMALL 0.05

enum analysis_verdict verdict_of(const struct analysis_result *result, double allowed)
{
    bool holds_zero = !(result->low > 0) && !(result->high < 0);
    if (isnan(result->impact))
        return VERDICT_TOO_LITTLE;
    if (!holds_zero && fabs(result->impact) >= allowed)
        return result->impact > 0 ? VERDICT_IMPROVES : VERDICT_HARMFUL;
    return result->low >= -SMALL && result->high <= SMALL ? VERDICT_NO_EFFECT : VERDICT_TOO_LITTLE;
}

double verdict_more(const struct analysis_result *result, double taken)
{
    double half = (result->high - result->low) / 2, impact = fabs(result->impact);
    if (result->verdict != VERDICT_TOO_LITTLE)
        return 0;
    if (!isfinite(half) || isnan(impact) || !(result->chance > 0) || !(taken > 0))
        return NAN;
    /* An interval of half that width either leaves 0 out or lies within SMALL of it. */
    double wanted = fmin(SMALL, fmax(impact, SMALL - impact));
    double method = half * half - result->chance * result->chance;
    double chance = wanted * wanted - fmax(method, 0);
    if (!(chance > 0))
        return INFINITY;
    return taken * fmax(result->chance * result->chance / chance - 1, 0);
}
