#include "stats/input/blocks.h"

#include "base/array.h"
#include "stats/numbers/quantile.h"
#include "stats/numbers/winsor.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

speedup_t speedup_of_double(double speedup)
{
    return (speedup_t)lround(speedup * 1000);
}

int block_add_window(struct block *block, const struct block_window *window)
{
    if (block->count == block->capacity) {
        size_t capacity = block->capacity;
        struct timed *times = array_grown(block->times, &capacity, sizeof *times);
        if (!times)
            return -ENOMEM;
        block->times = times;
        capacity = block->capacity;
        struct block_window *windows = array_grown(block->windows, &capacity, sizeof *windows);
        if (!windows)
            return -ENOMEM;
        for (size_t i = block->capacity; i < capacity; i++)
            windows[i] = (struct block_window){0};
        block->windows = windows;
        block->capacity = capacity;
    }
    struct block_window *added = &block->windows[block->count];
    added->speedup = window->speedup;
    added->place = window->place;
    if (!added->place)
        added->place = block->count > 0 ? block->windows[block->count - 1].place + 1 : 1;
    added->exposure = window->exposure;
    added->stolen = window->stolen;
    added->count = 0;
    block->count++;
    return 0;
}

int block_add_tally(struct block *block, const struct tally *tally)
{
    struct block_window *window = &block->windows[block->count - 1];
    /* The same point twice in a window: two files' lines got mixed, or two runs'. Add them up. */
    for (size_t i = 0; i < window->count; i++) {
        if (window->tallies[i].point == tally->point) {
            window->tallies[i].elapsed += tally->elapsed;
            window->tallies[i].visits += tally->visits;
            return 0;
        }
    }
    if (window->count == window->capacity) {
        struct tally *tallies = array_grown(window->tallies, &window->capacity, sizeof *tallies);
        if (!tallies)
            return -ENOMEM;
        window->tallies = tallies;
    }
    window->tallies[window->count++] = *tally;
    return 0;
}

void block_clear(struct block *block)
{
    block->count = 0;
}

void block_release(struct block *block)
{
    for (size_t i = 0; i < block->capacity; i++)
        free(block->windows[i].tallies);
    free(block->windows);
    free(block->times);
    *block = (struct block){0};
}

static const struct tally *find_tally(const struct block_window *window, uint32_t point)
{
    for (size_t i = 0; i < window->count; i++)
        if (window->tallies[i].point == point)
            return &window->tallies[i];
    return NULL;
}

bool block_has_point(const struct block_window *window, uint32_t point)
{
    return find_tally(window, point) != NULL;
}

static double log_time_per_visit(const struct tally *tally)
{
    return tally->visits > 0 && tally->elapsed > 0 ? log(tally->elapsed / tally->visits) : NAN;
}

/* Adds it, if there is one. Its log time waits in the block for baseline_finish(). */
static void baseline_add(struct baseline *baseline, const struct block *block,
                         const struct block_window *window, uint32_t point)
{
    const struct tally *tally = window ? find_tally(window, point) : NULL;
    if (!tally)
        return;
    baseline->windows++;
    baseline->elapsed += (float)tally->elapsed;
    baseline->visits += (float)tally->visits;
    double log_time = log_time_per_visit(tally);
    if (!isnan(log_time))
        block->times[baseline->visited++] = (struct timed){log_time, window->stolen};
}

static int compare_times(const void *a, const void *b)
{
    double x = ((const struct timed *)a)->log_time, y = ((const struct timed *)b)->log_time;
    return (x > y) - (x < y);
}

/* One interrupted window is not to move a whole block: of three and more, at least the outermost are replaced
 * by their neighbours, and as many as winsorising would. */
static void baseline_finish(struct baseline *baseline, const struct block *block)
{
    struct timed *times = block->times;
    size_t n = baseline->visited, cut = (size_t)(WINSOR_SHARE * (double)n);
    if (n >= 3 && cut == 0)
        cut = 1;
    if (cut > 0)
        qsort(times, n, sizeof *times, compare_times);
    double log_time = 0, stolen = 0;
    for (size_t i = 0; i < n; i++) {
        const struct timed *time = &times[i < cut ? cut : i >= n - cut ? n - 1 - cut : i];
        log_time += time->log_time / (double)n;
        stolen += time->stolen / (double)n;
    }
    baseline->log_time = n ? (float)log_time : NAN;
    baseline->stolen = (float)stolen;
}

/* The baseline window next to window i on the given side; NULL when there is none: the end of the block, a
 * lost window, or another sped-up window. */
static const struct block_window *window_beside(const struct block *block, size_t i, int side)
{
    size_t j = i + (size_t)side; /* wraps around below 0 */
    if (j >= block->count || block->windows[j].speedup != 0)
        return NULL;
    if (block->windows[j].place != block->windows[i].place + (uint64_t)(int64_t)side)
        return NULL;
    return &block->windows[j];
}

/* All baseline windows but that one. */
static struct baseline baseline_of_block(const struct block *block, uint32_t point, size_t without)
{
    struct baseline baseline = {0};
    for (size_t i = 0; i < block->count; i++)
        if (block->windows[i].speedup == 0 && i != without)
            baseline_add(&baseline, block, &block->windows[i], point);
    baseline_finish(&baseline, block);
    return baseline;
}

size_t block_pair(const struct block *block, uint32_t point, struct paired_window *out)
{
    struct baseline whole = baseline_of_block(block, point, block->count);
    size_t count = 0;
    for (size_t i = 0; i < block->count && whole.windows > 0; i++) {
        const struct tally *own = find_tally(&block->windows[i], point);
        if (block->windows[i].speedup == 0 || !own)
            continue;
        const struct block_window *beside[] = {window_beside(block, i, -1), window_beside(block, i, 1)};
        struct baseline neighbours = {0};
        for (int side = 0; side < 2; side++)
            baseline_add(&neighbours, block, beside[side], point);
        baseline_finish(&neighbours, block);
        out[count++] = (struct paired_window){
            .speedup = block->windows[i].speedup,
            .log_time = (float)log_time_per_visit(own),
            .elapsed = (float)own->elapsed,
            .visits = (float)own->visits,
            .stolen = (float)block->windows[i].stolen,
            .baselines = {[BESIDE_NEIGHBOURS] = neighbours, [BESIDE_BLOCK] = whole},
            .exposures = {beside[0] ? (float)beside[0]->exposure : NAN,
                          beside[1] ? (float)beside[1]->exposure : NAN},
        };
    }
    return count;
}

/* The next baseline window on that side, at most one sped-up window away. */
static const struct block_window *control_beside(const struct block *block, size_t i, int side)
{
    for (size_t j = i + (size_t)side; j < block->count; j += (size_t)side) {
        uint64_t apart = side > 0 ? block->windows[j].place - block->windows[i].place
                                  : block->windows[i].place - block->windows[j].place;
        if (apart > 2)
            break;
        if (block->windows[j].speedup == 0)
            return &block->windows[j];
    }
    return NULL;
}

size_t block_control(const struct block *block, uint32_t point, enum beside beside, struct control_value *out)
{
    size_t count = 0;
    for (size_t i = 0; i < block->count; i++) {
        const struct tally *own = find_tally(&block->windows[i], point);
        double log_time = own && block->windows[i].speedup == 0 ? log_time_per_visit(own) : NAN;
        if (isnan(log_time))
            continue;
        struct baseline others = {0};
        if (beside == BESIDE_BLOCK) {
            others = baseline_of_block(block, point, i);
        } else {
            baseline_add(&others, block, control_beside(block, i, -1), point);
            baseline_add(&others, block, control_beside(block, i, 1), point);
            baseline_finish(&others, block);
        }
        if (!others.visited)
            continue;
        /* The difference to a mean of k windows has 1 + 1/k times the variance of one window. */
        double scale = beside == BESIDE_NEIGHBOURS && others.visited == 1 ? sqrt(1.5 / 2) : 1;
        out[count++] = (struct control_value){scale * (log_time - (double)others.log_time),
                                              scale * (block->windows[i].stolen - (double)others.stolen)};
    }
    return count;
}
