#include "stats/compare/rates.h"

#include "base/array.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long find_point(const struct rates *rates, const char *name, enum analysis_metric metric, char **key)
{
    if (asprintf(key, "%c%s", metric == METRIC_LATENCY ? 'l' : 't', name) < 0) {
        *key = NULL;
        return -1;
    }
    return names_find(&rates->names, *key);
}

static struct rate_point *add_point(struct rates *rates, const char *name, enum analysis_metric metric)
{
    char *key;
    long id = find_point(rates, name, metric, &key);
    void *room = array_zeroed(rates->points, &rates->capacity, rates->names.count + 1, sizeof *rates->points);
    if (room)
        rates->points = room;
    if (id < 0 && key && room) {
        id = names_add(&rates->names, key);
        if (id >= 0)
            rates->points[id] = (struct rate_point){.name = rates->names.text[id] + 1, .metric = metric};
    }
    free(key);
    return room && id >= 0 ? &rates->points[id] : NULL;
}

const struct rate_point *rates_find(const struct rates *rates, const char *name, enum analysis_metric metric)
{
    char *key;
    long id = find_point(rates, name, metric, &key);
    free(key);
    return id < 0 ? NULL : &rates->points[id];
}

static int add_visits(struct rates *rates, const char *name, enum analysis_metric metric, double elapsed,
                      double visits)
{
    struct rate_point *point = add_point(rates, name, metric);
    if (!point || !rates->is_baseline)
        return point ? 0 : -ENOMEM;
    struct rate_block *last = point->count > 0 ? &point->blocks[point->count - 1] : NULL;
    if (!last || last->run != rates->run || last->unit != rates->unit) {
        if (point->count == point->capacity) {
            void *more = array_grown(point->blocks, &point->capacity, sizeof *point->blocks);
            if (!more)
                return -ENOMEM;
            point->blocks = more;
        }
        last = &point->blocks[point->count++];
        *last = (struct rate_block){.run = rates->run, .unit = rates->unit};
    }
    last->elapsed += elapsed;
    last->visits += visits;
    last->windows++;
    return 0;
}

static void begin_run(struct rates *rates)
{
    rates->run++;
    rates->unit = 0;
    rates->is_open = true;
    rates->is_baseline = false;
}

static void begin_window(struct rates *rates, const struct profile_record *record)
{
    if (!rates->is_open)
        begin_run(rates); /* its beginning is lost */
    rates->unit = record->experiment.has_block ? record->experiment.block : rates->unit + 1;
    rates->is_baseline = record->experiment.speedup == 0;
    rates->duration_ns = record->experiment.duration_ns;
}

int rates_add(struct rates *rates, const struct profile_record *record)
{
    uint64_t elapsed;
    switch (record->type) {
    case PROFILE_STARTUP:
        begin_run(rates);
        return 0;
    case PROFILE_EXPERIMENT:
        begin_window(rates, record);
        return 0;
    case PROFILE_THROUGHPUT:
        elapsed = record->throughput.elapsed_ns ? record->throughput.elapsed_ns : rates->duration_ns;
        return add_visits(rates, record->throughput.name, METRIC_THROUGHPUT, (double)elapsed,
                          (double)record->throughput.delta);
    case PROFILE_LATENCY: /* Little's law */
        elapsed = record->latency.elapsed_ns ? record->latency.elapsed_ns : rates->duration_ns;
        return add_visits(rates, record->latency.name, METRIC_LATENCY,
                          record->latency.difference * (double)elapsed, (double)record->latency.arrivals);
    default:
        return 0;
    }
}

void rates_end_file(struct rates *rates)
{
    rates->is_open = rates->is_baseline = false;
}

void rates_release(struct rates *rates)
{
    for (size_t i = 0; i < rates->names.count && i < rates->capacity; i++)
        free(rates->points[i].blocks);
    free(rates->points);
    names_release(&rates->names);
}
