#include "stats/input/strain.h"

#include "base/array.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static struct strain *find_strain(const struct strains *strains, speedup_t speedup)
{
    for (size_t i = 0; i < strains->count; i++)
        if (strains->items[i].speedup == speedup)
            return &strains->items[i];
    return NULL;
}

static struct strain *add_strain(struct strains *strains, speedup_t speedup)
{
    if (strains->count == strains->capacity) {
        struct strain *items = array_grown(strains->items, &strains->capacity, sizeof *items);
        if (!items)
            return NULL;
        strains->items = items;
    }
    struct strain *strain = &strains->items[strains->count++];
    *strain = (struct strain){.speedup = speedup};
    return strain;
}

int strains_add(struct strains *strains, speedup_t speedup, uint64_t duration_ns, uint64_t delay_ns,
                uint64_t paused_ns)
{
    struct strain *strain = find_strain(strains, speedup);
    if (!strain)
        strain = add_strain(strains, speedup);
    if (!strain)
        return -ENOMEM;
    /* Threads pause in parallel, so that the delay is the most that they can have made of it. */
    uint64_t pauses_ns = paused_ns < delay_ns ? paused_ns : delay_ns;
    strain->sum += duration_ns ? (double)pauses_ns / (double)duration_ns : 0;
    strain->windows++;
    return 0;
}

double strains_mean(const struct strains *strains, speedup_t speedup)
{
    const struct strain *strain = find_strain(strains, speedup);
    return strain ? strain->sum / (double)strain->windows : 0;
}

double strains_most(const struct strains *strains)
{
    double most = 0;
    for (size_t i = 0; i < strains->count; i++)
        most = fmax(most, strains->items[i].sum / (double)strains->items[i].windows);
    return most;
}

void strains_release(struct strains *strains)
{
    free(strains->items);
}
