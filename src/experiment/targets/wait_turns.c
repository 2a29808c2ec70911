#include "experiment/targets/wait_turns.h"

enum { DRAWS_FOR_WAIT = 8 };

/* It was tried, and not yet had blocks enough. */
static bool is_begun_wait(const struct targets *targets, uint32_t wait)
{
    return targets->blocks[wait] > 0 && targets->blocks[wait] < TARGETS_ENOUGH_BLOCKS;
}

/* Of two waits, whether the first is better worth the next block. */
static bool is_better_wait(const struct targets *targets, uint32_t a, uint32_t b)
{
    if (is_begun_wait(targets, a) != is_begun_wait(targets, b))
        return is_begun_wait(targets, a);
    uint32_t i = targets->blocks[a], j = targets->blocks[b];
    if (i != j && (i == 0 || j == 0))
        return i == 0;
    return targets->beside_ns[a] / (i + 1) > targets->beside_ns[b] / (j + 1);
}

bool wait_turns_are_due(const struct targets *targets)
{
    return (targets->wait_draws + 1) * (DRAWS_FOR_WAIT - 1) <= targets->draws;
}

uint32_t wait_turns_draw(struct targets *targets)
{
    uint32_t best = 0;
    if (!targets->waits_are_few || !targets->has_beside)
        return 0;
    for (uint32_t site = 1; site < targets->capacity; site++)
        if (targets->beside[site] == BESIDE_WAIT && targets->beside_ns[site] > 0 &&
            (!best || is_better_wait(targets, site, best)))
            best = site;
    if (best) {
        targets->wait_draws++;
        targets->blocks[best]++;
    }
    return best;
}
