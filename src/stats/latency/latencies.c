#include "stats/latency/latencies.h"

#include "base/array.h"
#include "base/hash.h"
#include "stats/input/names.h"
#include "stats/input/target_key.h"
#include "stats/latency/unit_cell.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* More came than went (or less) when the difference is so many standard errors, and such a part of what came. */
#define FLOW_SURELY 3.5
#define FLOW_SHARE 0.01

/* In windows at no speedup: in others a queue that grows may drain. squares: of the difference in each window. */
struct point_sums {
    double windows, elapsed_ns, arrivals, departures, squares, integral;
    uint64_t unmatched, refused;
    struct unit_cell still; /* whatever the target */
};

struct target_units {
    struct strains strains;  /* of its windows */
    struct unit_cell *cells; /* by point */
    size_t cell_count;
};

struct latencies {
    struct names points, targets;
    struct point_sums *sums;
    struct target_units *units; /* by target */
    size_t point_capacity, target_capacity;
    bool in_window;
    size_t target;
    speedup_t speedup;
    uint64_t block, runs, duration_ns;
};

struct latencies *latencies_new(void)
{
    return calloc(1, sizeof(struct latencies));
}

void latencies_free(struct latencies *latencies)
{
    if (!latencies)
        return;
    for (size_t i = 0; i < latencies->points.count; i++)
        unit_cell_release(&latencies->sums[i].still);
    for (size_t i = 0; i < latencies->targets.count; i++) {
        for (size_t p = 0; p < latencies->units[i].cell_count; p++)
            unit_cell_release(&latencies->units[i].cells[p]);
        free(latencies->units[i].cells);
        strains_release(&latencies->units[i].strains);
    }
    free(latencies->sums);
    free(latencies->units);
    names_release(&latencies->points);
    names_release(&latencies->targets);
    free(latencies);
}

static int begin_window(struct latencies *latencies, const struct profile_record *record)
{
    void *units = array_zeroed(latencies->units, &latencies->target_capacity, latencies->targets.count + 1,
                               sizeof *latencies->units);
    if (!units)
        return -ENOMEM;
    latencies->units = units;
    long target = target_key_add(&latencies->targets, record->experiment.kind, record->experiment.selected);
    if (target < 0)
        return -ENOMEM;
    latencies->target = (size_t)target;
    latencies->in_window = true;
    latencies->speedup = speedup_of_double(record->experiment.speedup);
    latencies->block = record->experiment.block + (latencies->runs << 40);
    latencies->duration_ns = record->experiment.duration_ns;
    return strains_add(&latencies->units[target].strains, latencies->speedup, record->experiment.duration_ns,
                       record->experiment.delay_ns, record->experiment.paused_ns);
}

static long find_point(struct latencies *latencies, const char *name)
{
    void *sums = array_zeroed(latencies->sums, &latencies->point_capacity, latencies->points.count + 1,
                              sizeof *latencies->sums);
    if (!sums)
        return -1;
    latencies->sums = sums;
    return names_add(&latencies->points, name);
}

static int add_flow(struct latencies *latencies, const struct profile_record *record)
{
    long point = find_point(latencies, record->latency.name);
    if (point < 0)
        return -ENOMEM;
    struct point_sums *sums = &latencies->sums[point];
    double elapsed =
        (double)(record->latency.elapsed_ns ? record->latency.elapsed_ns : latencies->duration_ns);
    double arrivals = (double)record->latency.arrivals, departures = (double)record->latency.departures;
    sums->windows++;
    if (latencies->speedup != 0)
        return 0;
    sums->arrivals += arrivals;
    sums->departures += departures;
    sums->squares += (arrivals - departures) * (arrivals - departures);
    sums->elapsed_ns += elapsed;
    sums->integral += record->latency.difference * elapsed;
    return 0;
}

static int add_times(struct latencies *latencies, const struct profile_record *record)
{
    const char *counts = record->latency_times.counts ? record->latency_times.counts : "";
    uint64_t bucket = record->latency_times.bucket;
    struct target_units *units = &latencies->units[latencies->target];
    long point = find_point(latencies, record->latency_times.name);
    void *cells =
        point < 0 ? NULL
                  : array_zeroed(units->cells, &units->cell_count, (size_t)point + 1, sizeof *units->cells);
    if (!cells)
        return -ENOMEM;
    units->cells = cells;
    struct point_sums *sums = &latencies->sums[point];
    sums->unmatched += record->latency_times.unmatched;
    sums->refused += record->latency_times.refused;
    int rc = unit_cell_add(&units->cells[point], latencies->speedup, latencies->block, bucket, counts);
    if (rc == 0 && latencies->speedup == 0)
        rc = unit_cell_add(&sums->still, 0, latencies->block, bucket, counts);
    return rc == -EINVAL ? 0 : rc; /* as far as it made sense */
}

int latencies_add(struct latencies *latencies, const struct profile_record *record)
{
    switch (record->type) {
    case PROFILE_EXPERIMENT:
        return begin_window(latencies, record);
    case PROFILE_LATENCY:
        return latencies->in_window ? add_flow(latencies, record) : 0;
    case PROFILE_LATENCY_TIMES:
        return latencies->in_window ? add_times(latencies, record) : 0;
    case PROFILE_STARTUP:
        latencies->runs++;
        latencies->in_window = false;
        return 0;
    default:
        return 0;
    }
}

/* In a steady queue a window's difference is as often above 0 as below. */
static enum latency_flow flow_of(const struct point_sums *sums)
{
    double difference = sums->arrivals - sums->departures;
    bool is_sure = difference * difference > FLOW_SURELY * FLOW_SURELY * sums->squares;
    if (!is_sure || fabs(difference) < FLOW_SHARE * sums->arrivals)
        return FLOW_STEADY;
    return difference > 0 ? FLOW_GROWS : FLOW_UNMATCHED;
}

int latencies_point(const struct latencies *latencies, const char *name, struct latency_point *point)
{
    static const struct strains none;
    long id = names_find(&latencies->points, name);
    if (id < 0 || !(latencies->sums[id].windows > 0))
        return 0;
    const struct point_sums *sums = &latencies->sums[id];
    *point = (struct latency_point){
        .name = latencies->points.text[id],
        .arrivals_s = 1e9 * sums->arrivals / sums->elapsed_ns,
        .departures_s = 1e9 * sums->departures / sums->elapsed_ns,
        .mean_ns = sums->arrivals > 0 ? sums->integral / sums->arrivals : NAN,
        .in_progress = sums->elapsed_ns > 0 ? sums->integral / sums->elapsed_ns : NAN,
        .flow = flow_of(sums),
        .unmatched = sums->unmatched,
        .refused = sums->refused,
    };
    unit_cell_estimate(&sums->still, &none, hash_text(name), &point->at, 1);
    return 1;
}

size_t latencies_of(const struct latencies *latencies, const char *kind, const char *location,
                    const char *name, struct latency_at *all, size_t most)
{
    long target = target_key_find(&latencies->targets, kind, location),
         point = names_find(&latencies->points, name);
    if (target < 0 || point < 0 || (size_t)point >= latencies->units[target].cell_count)
        return 0;
    const struct target_units *units = &latencies->units[target];
    uint64_t seed = hash_text(location) ^ hash_text(name) << 1;
    return unit_cell_estimate(&units->cells[point], &units->strains, seed, all, most);
}
