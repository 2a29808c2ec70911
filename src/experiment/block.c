#include "experiment/block.h"

#include <stdlib.h>
#include <string.h>

#define MS 1000000ull

/* docs/accuracy.md tells what was measured for each. */
static const uint64_t shortest_window_ns = 50 * MS, longest_window_ns = 1000 * MS;
static const uint64_t longest_block_ns = 3000 * MS;
static const double visits_per_window = 5;
/* A queue's length wanders: a latency is the mean of many requests. */
static const double requests_per_window = 50;
/* What is left out at a change of speed is little beside it. */
static const uint64_t slow_visit_ns = 200 * MS;

/* One block in so many, the last of them, has windows so many times as long (settling.h). */
enum { LONG_EVERY = 4, LONG_TIMES = 3 };

enum { TRIED = 1, STUCK = 2 };

void block_prepare(struct schedule *schedule)
{
    schedule->window_ns = shortest_window_ns;
}

static void note_tried(struct schedule *schedule, uint32_t site)
{
    if (site >= schedule->tried_capacity) {
        uint32_t capacity = target_count(schedule->names);
        unsigned char *tried = realloc(schedule->tried, capacity);
        if (!tried)
            return;
        memset(tried + schedule->tried_capacity, 0, capacity - schedule->tried_capacity);
        schedule->tried = tried;
        schedule->tried_capacity = capacity;
    }
    schedule->targets_tried += !schedule->tried[site];
    schedule->tried[site] |= TRIED;
}

/* A window holds some visits, so that one slow visit is not all of it, and is as short as that allows, so
 * that its neighbours saw the same machine. */
static void fit_window(struct schedule *schedule, uint64_t now)
{
    schedule->window_ns =
        schedule->settling.time_ns > shortest_window_ns ? schedule->settling.time_ns : shortest_window_ns;
    bool latency = schedule->driver.kind == DRIVER_CLOCK;
    uint64_t count = latency ? points_requests(schedule->segment)
                             : atomic_load(&schedule->segment->points[schedule->driver.point].count);
    double each_ns = (double)(now - schedule->began_ns) / (double)(count ? count : 1);
    double fit = (latency ? requests_per_window : visits_per_window) * each_ns;
    schedule->slow = schedule->driver.kind == DRIVER_VISIT && count && each_ns > (double)slow_visit_ns;
    if (schedule->slow)
        schedule->window_ns = (uint64_t)each_ns;
    else if (fit > (double)schedule->window_ns)
        schedule->window_ns = fit < (double)longest_window_ns ? (uint64_t)fit : longest_window_ns;
}

uint64_t block_settling_ns(const struct schedule *schedule)
{
    if (schedule->slow)
        return 0;
    /* Latencies come with a queue, which must forget what it was. */
    uint64_t half_ns = schedule->driver.kind == DRIVER_CLOCK ? schedule->window_ns / 2 : 0;
    return half_ns > schedule->settling.time_ns ? half_ns : schedule->settling.time_ns;
}

static bool has_partial_speedup(const struct schedule *schedule)
{
    for (size_t i = 0; i < schedule->speedup_count; i++)
        if (schedule->speedups[i] && schedule->speedups[i] < 1000)
            return true;
    return false;
}

/* Without full speedup, where that says nothing: while a thread that never waits is the target, all others
 * stand still and nobody visits. Or where the windows are few, and others are worth more. */
static size_t choose_speedups(const struct schedule *schedule, int *chosen)
{
    bool stuck = schedule->site < schedule->tried_capacity && schedule->tried[schedule->site] & STUCK;
    bool few = schedule->slow && has_partial_speedup(schedule);
    size_t count = 0;
    for (size_t i = 0; i < schedule->speedup_count; i++)
        if (schedule->speedups[i] < 1000 || (!stuck && !few))
            chosen[count++] = schedule->speedups[i];
    return count;
}

/* How many speedups a block has place for. With long windows that are fewer: a program that ends takes its
 * unfinished block with it. Where each visit is a window, two at least: a block's first window is a baseline
 * more. */
static size_t most_pairs(const struct schedule *schedule)
{
    uint64_t pairs = longest_block_ns / (schedule->window_ns + block_settling_ns(schedule)) / 2;
    uint64_t least = schedule->slow ? 2 : 1;
    return pairs > least ? pairs : least;
}

static void choose_length(struct schedule *schedule, size_t speedups, uint32_t turn)
{
    uint64_t usual_ns = schedule->window_ns;
    schedule->is_long =
        turn % LONG_EVERY == LONG_EVERY - 1 && schedule->driver.kind == DRIVER_VISIT && !schedule->slow;
    if (!schedule->is_long)
        return;
    schedule->window_ns *= LONG_TIMES;
    if (most_pairs(schedule) < speedups) { /* the turns of the speedups would get mixed up */
        schedule->window_ns = usual_ns;
        schedule->is_long = false;
    }
}

int block_begin(struct schedule *schedule, uint64_t now)
{
    schedule->driver = points_draw_driver(schedule->segment, now - schedule->began_ns + 1,
                                          schedule->window_ns, &schedule->seed);
    int rc = targets_update(&schedule->targets, schedule->owner, target_count(schedule->names));
    if (rc || schedule->driver.kind == DRIVER_NONE)
        return rc;
    schedule->site = targets_draw(&schedule->targets, &schedule->seed);
    if (!schedule->site)
        return 0;
    fit_window(schedule, now);
    int speedups[PLAN_SPEEDUPS];
    size_t count = choose_speedups(schedule, speedups);
    uint32_t turn = targets_turn(&schedule->targets, schedule->site);
    choose_length(schedule, count, turn);
    plan_block(&schedule->plan, speedups, count, most_pairs(schedule), turn, &schedule->seed);
    schedule->plan_next = 0;
    schedule->block++;
    note_tried(schedule, schedule->site);
    return 0;
}

void block_note_stuck(struct schedule *schedule, uint32_t site)
{
    if (site < schedule->tried_capacity)
        schedule->tried[site] |= STUCK;
}
