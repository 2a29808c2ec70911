#include "stats/answers/estimates.h"

#include "base/hash.h"
#include "stats/answers/state.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { THREADS_MOST = 16 };

struct job {
    struct analysis *analysis;
    size_t point_id;
    const struct noise *noise;
    atomic_size_t next; /* target that nobody has begun */
    atomic_int code;
};

static struct target_cell *stale_cell(const struct target_state *target, size_t point_id)
{
    struct target_cell *cell = point_id < target->cell_count ? target->cells[point_id] : NULL;
    return cell && !cell->fresh ? cell : NULL;
}

static int refresh(struct target_cell *cell, const struct target_state *target, const struct job *job)
{
    /* Of the names alone: a report is the same each time, and however many threads there are. */
    uint64_t seed = hash_text(target->location) ^ hash_text(job->analysis->points[job->point_id].name) << 1;
    struct target_part part = {target->observed.cpu_ns / target->observed.time_ns, NAN};
    if (job->analysis->points[job->point_id].metric == METRIC_THROUGHPUT)
        part.share = part.exposure; /* a latency may shrink by more: its queue, too, is shorter */
    free(cell->curve.points);
    int code = curve_estimate(&cell->curve, &cell->cell, &target->strains, job->noise, part, seed);
    /* What is no answer yet may be one without more blocks, as soon as the control tells the noise. */
    bool noise_is_known = !isnan(job->noise->sigma);
    cell->fresh = code == 0 && (noise_is_known || curve_is_answer(&cell->curve));
    return code;
}

static void *refresh_some(void *context)
{
    struct job *job = context;
    size_t id;
    while (job->code == 0 && (id = job->next++) < job->analysis->target_names.count) {
        const struct target_state *target = &job->analysis->targets[id];
        struct target_cell *cell = stale_cell(target, job->point_id);
        int code = cell ? refresh(cell, target, job) : 0;
        if (code < 0)
            job->code = code;
    }
    return NULL;
}

static size_t count_stale(const struct analysis *analysis, size_t point_id)
{
    size_t count = 0;
    for (size_t id = 0; id < analysis->target_names.count; id++)
        count += stale_cell(&analysis->targets[id], point_id) != NULL;
    return count;
}

int estimates_refresh(struct analysis *analysis, size_t point_id, const struct noise *noise)
{
    struct job job = {.analysis = analysis, .point_id = point_id, .noise = noise};
    pthread_t threads[THREADS_MOST];
    size_t wanted = analysis->threads < THREADS_MOST ? analysis->threads : THREADS_MOST;
    size_t stale = count_stale(analysis, point_id), started = 0;
    wanted = wanted < stale ? wanted : stale;
    /* This one works too; where no other can be had, alone. */
    while (started + 1 < wanted && pthread_create(&threads[started], NULL, refresh_some, &job) == 0)
        started++;
    refresh_some(&job);
    for (size_t i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    return job.code;
}
