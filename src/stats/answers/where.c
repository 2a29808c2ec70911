/* Where the samples fell, by function and by file. */
#include "base/array.h"
#include "stats/answers/analysis.h"
#include "stats/answers/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int compare_sums(const void *a, const void *b)
{
    const struct analysis_sum *x = a, *y = b;
    if (x->own != y->own)
        return x->own > y->own ? -1 : 1;
    return strcmp(x->name, y->name);
}

size_t analysis_sums(struct analysis *analysis, enum analysis_sums what, const struct analysis_sum **sums)
{
    const struct sums *from = what == SUMS_FUNCTIONS ? &analysis->functions : &analysis->files;
    double all = (double)analysis_samples(analysis), functions = 0;
    long kind = names_find(&analysis->kinds, "function");
    if (kind >= 0)
        functions = analysis->of_kind[kind].samples;
    void *room =
        array_zeroed(analysis->sums, &analysis->sum_capacity, from->names.count, sizeof *analysis->sums);
    if (!room)
        return 0;
    analysis->sums = room;
    for (size_t i = 0; i < from->names.count; i++) {
        const struct sum *sum = &from->items[i];
        analysis->sums[i] = (struct analysis_sum){
            .name = from->names.text[i],
            .own = all > 0 ? sum->own / all : 0,
            .with_called = sum->called > 0 && functions > 0 ? sum->called / functions : NAN,
        };
    }
    if (from->names.count > 0)
        qsort(analysis->sums, from->names.count, sizeof *analysis->sums, compare_sums);
    *sums = analysis->sums;
    return from->names.count;
}
