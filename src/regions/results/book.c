#include "regions/results/book.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int series_add(struct series *series, double value)
{
    if (series->count == series->capacity) {
        size_t more = series->capacity ? 2 * series->capacity : 8;
        double *values = realloc(series->values, more * sizeof *values);
        if (!values)
            return -ENOMEM;
        series->values = values;
        series->capacity = more;
    }
    series->values[series->count++] = value;
    return 0;
}

int book_init(struct book *book, bool is_simple, const double *percents, size_t count)
{
    *book = (struct book){.is_simple = is_simple, .percents = percents, .percent_count = count};
    book->controls = calloc(count, sizeof *book->controls);
    return book->controls ? 0 : -ENOMEM;
}

static void release_all(struct series *series, size_t count)
{
    for (size_t i = 0; series && i < count; i++)
        free(series[i].values);
    free(series);
}

void book_release(struct book *book)
{
    for (size_t i = 0; i < book->region_count; i++) {
        struct book_region *region = &book->regions[i];
        free(region->name);
        free(region->counts.values);
        free(region->shares.values);
        release_all(region->times, book->percent_count);
    }
    free(book->regions);
    free(book->baselines.values);
    release_all(book->controls, book->percent_count);
    *book = (struct book){0};
}

static long add_region(struct book *book, const char *name)
{
    if (book->region_count == book->region_capacity) {
        size_t more = book->region_capacity ? 2 * book->region_capacity : 8;
        struct book_region *regions = realloc(book->regions, more * sizeof *regions);
        if (!regions)
            return -ENOMEM;
        book->regions = regions;
        book->region_capacity = more;
    }
    struct book_region region = {.name = strdup(name),
                                 .times = calloc(book->percent_count, sizeof *region.times)};
    if (!region.name || !region.times) {
        free(region.name);
        free(region.times);
        return -ENOMEM;
    }
    book->regions[book->region_count] = region;
    return (long)book->region_count++;
}

long book_region(struct book *book, const char *name)
{
    for (size_t i = 0; i < book->region_count; i++)
        if (strcmp(book->regions[i].name, name) == 0)
            return (long)i;
    return add_region(book, name);
}

static struct series *controls_of(const struct book *book, size_t percent)
{
    return &book->controls[book->is_simple ? percent : 0];
}

const struct series *book_beside(const struct book *book, size_t percent)
{
    return book->percents[percent] < 0 ? controls_of(book, percent) : &book->baselines;
}

int book_add(struct book *book, const struct trial *trial, double time_ns)
{
    if (trial->kind == TRIAL_BASELINE)
        return series_add(&book->baselines, time_ns);
    if (trial->kind == TRIAL_CONTROL)
        return series_add(controls_of(book, trial->percent), time_ns);
    return series_add(&book->regions[trial->region].times[trial->percent], time_ns);
}

struct figure book_figure(const struct series *series)
{
    double *copy = malloc((series->count + 1) * sizeof *copy);
    if (!copy)
        return (struct figure){NAN, NAN, 0, series->count};
    if (series->count > 0)
        memcpy(copy, series->values, series->count * sizeof *copy);
    struct figure figure = figure_median(copy, series->count);
    free(copy);
    return figure;
}

struct figure book_effect(const struct book *book, size_t region, size_t percent)
{
    return figure_change(book_figure(&book->regions[region].times[percent]),
                         book_figure(book_beside(book, percent)));
}
