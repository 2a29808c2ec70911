#include "stats/answers/slices.h"

static const uint64_t shortest_ns = 50000000, longest_ns = UINT64_MAX / SLICES / 4;

static void double_length(struct slices *slices)
{
    for (size_t i = 0; i < SLICES; i++) {
        struct slice one = {0, 0};
        for (size_t j = 2 * i; j < 2 * i + 2 && j < SLICES; j++) {
            one.seen_ns += slices->all[j].seen_ns;
            one.stolen_ns += slices->all[j].stolen_ns;
        }
        slices->all[i] = one;
    }
    slices->length_ns *= 2;
    slices->count = (slices->count + 1) / 2;
}

void slices_add(struct slices *slices, uint64_t began_ns, uint64_t length_ns, uint64_t stolen_ns)
{
    uint64_t end_ns = began_ns + length_ns;
    if (length_ns == 0 || end_ns < began_ns || end_ns / SLICES >= longest_ns)
        return;
    if (!slices->length_ns)
        slices->length_ns = shortest_ns;
    while (end_ns > slices->length_ns * SLICES)
        double_length(slices);
    double share = (double)(stolen_ns < length_ns ? stolen_ns : length_ns) / (double)length_ns;
    for (uint64_t at = began_ns; at < end_ns;) {
        size_t i = (size_t)(at / slices->length_ns);
        uint64_t border = (i + 1) * slices->length_ns, until = border < end_ns ? border : end_ns;
        slices->all[i].seen_ns += (double)(until - at);
        slices->all[i].stolen_ns += share * (double)(until - at);
        if (i >= slices->count)
            slices->count = i + 1;
        at = until;
    }
}
