#include "experiment/schedule/plan.h"

#include "base/random.h"

void plan_block(struct plan *plan, const int *permille, size_t count, size_t most, size_t turn,
                uint64_t *seed)
{
    int usable[PLAN_SPEEDUPS], order[PLAN_SPEEDUPS];
    size_t n = 0;
    for (size_t i = 0; i < count && n < PLAN_SPEEDUPS; i++)
        if (permille[i] != 0)
            usable[n++] = permille[i];
    size_t taken = n < most ? n : most;
    for (size_t i = 0; i < taken; i++) {
        size_t at = random_next(seed) % (i + 1); /* Fisher-Yates, inside out */
        order[i] = order[at];
        order[at] = usable[(turn * taken + i) % n];
    }
    plan->windows = 0;
    plan->permille[plan->windows++] = 0;
    for (size_t i = 0; i < taken; i++) {
        plan->permille[plan->windows++] = order[i];
        plan->permille[plan->windows++] = 0;
    }
}
