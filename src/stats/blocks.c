#include "stats/blocks.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

speedup_t speedup_of_double(double speedup)
{
    return (speedup_t)lround(speedup * 1000);
}

static void *grown(void *array, size_t *capacity, size_t size)
{
    size_t more = *capacity ? *capacity * 2 : 8;
    void *result = realloc(array, more * size);
    if (result)
        *capacity = more;
    return result;
}

int block_add_window(struct block *block, speedup_t speedup, uint64_t place)
{
    if (block->count == block->capacity) {
        size_t old = block->capacity;
        struct block_window *windows = grown(block->windows, &block->capacity, sizeof *windows);
        if (!windows)
            return -ENOMEM;
        for (size_t i = old; i < block->capacity; i++)
            windows[i] = (struct block_window){0};
        block->windows = windows;
    }
    struct block_window *window = &block->windows[block->count];
    window->speedup = speedup;
    window->place = place ? place : block->count > 0 ? block->windows[block->count - 1].place + 1 : 1;
    window->count = 0;
    block->count++;
    return 0;
}

int block_add_reading(struct block *block, const struct reading *reading)
{
    struct block_window *window = &block->windows[block->count - 1];
    /* The same point twice in a window: two files' lines got mixed, or two runs'. Add them up. */
    for (size_t i = 0; i < window->count; i++) {
        if (window->readings[i].point == reading->point) {
            window->readings[i].elapsed += reading->elapsed;
            window->readings[i].visits += reading->visits;
            return 0;
        }
    }
    if (window->count == window->capacity) {
        struct reading *readings = grown(window->readings, &window->capacity, sizeof *readings);
        if (!readings)
            return -ENOMEM;
        window->readings = readings;
    }
    window->readings[window->count++] = *reading;
    return 0;
}

void block_clear(struct block *block)
{
    block->count = 0;
}

void block_release(struct block *block)
{
    for (size_t i = 0; i < block->capacity; i++)
        free(block->windows[i].readings);
    free(block->windows);
    *block = (struct block){0};
}

static const struct reading *find(const struct block_window *window, uint32_t point)
{
    for (size_t i = 0; i < window->count; i++)
        if (window->readings[i].point == point)
            return &window->readings[i];
    return NULL;
}

bool block_has_point(const struct block_window *window, uint32_t point)
{
    return find(window, point) != NULL;
}

static double log_time_per_visit(const struct reading *reading)
{
    return reading->visits > 0 && reading->elapsed > 0 ? log(reading->elapsed / reading->visits) : NAN;
}

/* The reading of the baseline window next to window i on the given side, NULL when there is none: the end of
 * the block, a lost window, or another sped-up window. */
static const struct reading *baseline_beside(const struct block *block, size_t i, int side, uint32_t point)
{
    size_t j = i + (size_t)side; /* wraps around below 0 */
    if (j >= block->count || block->windows[j].speedup != 0)
        return NULL;
    if (block->windows[j].place != block->windows[i].place + (uint64_t)(int64_t)side)
        return NULL;
    return find(&block->windows[j], point);
}

size_t block_pair(const struct block *block, uint32_t point, struct paired_window *out)
{
    size_t count = 0;
    for (size_t i = 0; i < block->count; i++) {
        const struct reading *own = find(&block->windows[i], point);
        if (block->windows[i].speedup == 0 || !own)
            continue;
        double base_elapsed = 0, base_visits = 0, base_log = 0;
        uint32_t neighbours = 0, visited = 0;
        for (int side = -1; side <= 1; side += 2) {
            const struct reading *base = baseline_beside(block, i, side, point);
            if (!base)
                continue;
            base_elapsed += base->elapsed;
            base_visits += base->visits;
            neighbours++;
            double log_time = log_time_per_visit(base);
            if (!isnan(log_time)) {
                base_log += log_time;
                visited++;
            }
        }
        if (neighbours == 0)
            continue;
        double ratio = visited > 0 ? log_time_per_visit(own) - base_log / visited : NAN;
        out[count++] = (struct paired_window){
            .speedup = block->windows[i].speedup,
            .neighbours = visited > 0 ? visited : 1,
            .log_ratio = (float)ratio,
            .elapsed = (float)own->elapsed,
            .visits = (float)own->visits,
            .base_elapsed = (float)base_elapsed,
            .base_visits = (float)base_visits,
        };
    }
    return count;
}

/* The log time per visit of the next baseline window on that side, at most one sped-up window away. */
static double control_beside(const struct block *block, size_t i, int side, uint32_t point)
{
    for (size_t j = i + (size_t)side; j < block->count; j += (size_t)side) {
        uint64_t apart = side > 0 ? block->windows[j].place - block->windows[i].place
                                  : block->windows[i].place - block->windows[j].place;
        if (apart > 2)
            break;
        if (block->windows[j].speedup != 0)
            continue;
        const struct reading *reading = find(&block->windows[j], point);
        return reading ? log_time_per_visit(reading) : NAN;
    }
    return NAN;
}

size_t block_control(const struct block *block, uint32_t point, double *out)
{
    size_t count = 0;
    for (size_t i = 0; i < block->count; i++) {
        const struct reading *own = find(&block->windows[i], point);
        double log_time = own && block->windows[i].speedup == 0 ? log_time_per_visit(own) : NAN;
        if (isnan(log_time))
            continue;
        double before = control_beside(block, i, -1, point), after = control_beside(block, i, 1, point);
        /* The difference to a mean of k windows has 1 + 1/k times the variance of one window. */
        if (!isnan(before) && !isnan(after))
            out[count++] = (log_time - (before + after) / 2) / sqrt(1.5);
        else if (!isnan(before) || !isnan(after))
            out[count++] = (log_time - (isnan(before) ? after : before)) / sqrt(2.0);
    }
    return count;
}
