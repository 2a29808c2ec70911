#include "experiment/schedule/block.h"

#include "base/array.h"

#include <stdlib.h>

#define MS 1000000ull

/* docs/history/choices.md tells what was measured for each. */
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

struct block blocks_begin(struct blocks *blocks, uint64_t now)
{
    blocks->began_ns = now;
    settling_begin(&blocks->settling);
    return (struct block){.window_ns = shortest_window_ns};
}

void blocks_release(struct blocks *blocks)
{
    targets_release(&blocks->targets);
    free(blocks->tried);
}

static void note_tried(struct blocks *blocks, uint32_t site)
{
    unsigned char *tried = array_zeroed(blocks->tried, &blocks->tried_capacity, site + 1, sizeof *tried);
    if (!tried)
        return;
    blocks->tried = tried;
    blocks->targets_tried += !blocks->tried[site];
    blocks->tried[site] |= TRIED;
}

void blocks_note_stuck(struct blocks *blocks, uint32_t site)
{
    if (site < blocks->tried_capacity)
        blocks->tried[site] |= STUCK;
}

static uint64_t larger_of(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* A window holds some visits, so that one slow visit is not all of it, and is as short as that allows, so
 * that its neighbours saw the same machine. */
static void fit_window(const struct segment *segment, uint64_t elapsed_ns, uint64_t settling_ns,
                       struct block *block)
{
    block->window_ns = larger_of(settling_ns, shortest_window_ns);
    bool latency = block->driver.kind == DRIVER_CLOCK;
    uint64_t count =
        latency ? points_requests(segment) : atomic_load(&segment->points[block->driver.point].count);
    double each_ns = (double)elapsed_ns / (double)(count ? count : 1);
    double fit = (latency ? requests_per_window : visits_per_window) * each_ns;
    block->is_slow = block->driver.kind == DRIVER_VISIT && count && each_ns > (double)slow_visit_ns;
    if (block->is_slow)
        block->window_ns = (uint64_t)each_ns;
    else if (fit > (double)block->window_ns)
        block->window_ns = fit < (double)longest_window_ns ? (uint64_t)fit : longest_window_ns;
}

static uint64_t settling_ns_of(const struct block *block, const struct settling *settling)
{
    if (block->is_slow)
        return 0;
    /* Latencies come with a queue, which must forget what it was. */
    uint64_t half_ns = block->driver.kind == DRIVER_CLOCK ? block->window_ns / 2 : 0;
    return larger_of(half_ns, settling->time_ns);
}

static bool has_partial_speedup(const struct block_inputs *given)
{
    for (size_t i = 0; i < given->speedup_count; i++)
        if (given->speedups[i] && given->speedups[i] < 1000)
            return true;
    return false;
}

/* Without full speedup, where that says nothing: while a thread that never waits is the target, all others
 * stand still and nobody visits. Or where the windows are few, and others are worth more; or where it is a wait:
 * some thread may always be in it. */
static size_t choose_speedups(const struct blocks *blocks, const struct block_inputs *given,
                              const struct block *block, int *chosen)
{
    bool stuck = block->site < blocks->tried_capacity && blocks->tried[block->site] & STUCK;
    bool few = (block->is_slow || target_is_wait(given->names, block->site)) && has_partial_speedup(given);
    size_t count = 0;
    for (size_t i = 0; i < given->speedup_count; i++)
        if (given->speedups[i] < 1000 || (!stuck && !few))
            chosen[count++] = given->speedups[i];
    return count;
}

/* How many speedups a block has place for. With long windows that are fewer: a program that ends takes its
 * unfinished block with it. Where each visit is a window, two at least: a block's first window is a baseline
 * more. */
static size_t most_pairs(const struct block *block)
{
    uint64_t pairs = longest_block_ns / (block->window_ns + block->settling_ns) / 2;
    return larger_of(pairs, block->is_slow ? 2 : 1);
}

static void choose_length(struct block *block, size_t speedups, uint32_t turn)
{
    uint64_t usual_ns = block->window_ns;
    block->is_long =
        turn % LONG_EVERY == LONG_EVERY - 1 && block->driver.kind == DRIVER_VISIT && !block->is_slow;
    if (!block->is_long)
        return;
    block->window_ns *= LONG_TIMES;
    if (most_pairs(block) < speedups) { /* the turns of the speedups would get mixed up */
        block->window_ns = usual_ns;
        block->is_long = false;
    }
}

int blocks_update(struct blocks *blocks, const struct block_inputs *given)
{
    return targets_update(&blocks->targets, given->owner, target_count(given->names));
}

struct block block_begin(struct blocks *blocks, const struct block_inputs *given, uint64_t now,
                         const struct block *last)
{
    struct block block = *last;
    uint64_t elapsed_ns = now - blocks->began_ns;
    block.plan.windows = 0;
    block.driver =
        points_draw_driver(given->segment, elapsed_ns + 1, last->window_ns, &blocks->seen, &blocks->seed);
    if (block.driver.kind == DRIVER_NONE)
        return block;
    block.site = targets_draw(&blocks->targets, &blocks->seed);
    if (!block.site)
        return block;
    fit_window(given->segment, elapsed_ns, blocks->settling.time_ns, &block);
    block.settling_ns = settling_ns_of(&block, &blocks->settling);
    int speedups[PLAN_SPEEDUPS];
    size_t count = choose_speedups(blocks, given, &block, speedups);
    uint32_t turn = targets_turn(&blocks->targets, block.site);
    choose_length(&block, count, turn);
    plan_block(&block.plan, speedups, count, most_pairs(&block), turn, &blocks->seed);
    block.number = ++blocks->count;
    note_tried(blocks, block.site);
    return block;
}
