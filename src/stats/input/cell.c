#include "stats/input/cell.h"

#include "base/array.h"
#include "base/random.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Where the next element goes: an index (the array has been grown for it), or -1: it is not chosen, or
 * -ENOMEM. */
static long choose_slot(void **array, size_t *count, size_t *capacity, uint64_t *seen, size_t size,
                        size_t limit, uint64_t *random)
{
    if (*count == limit) {
        size_t slot = random_below(random, ++*seen);
        return slot < limit ? (long)slot : -1;
    }
    if (*count == *capacity) {
        void *more = array_grown(*array, capacity, size);
        if (!more)
            return -ENOMEM;
        *array = more;
    }
    memset((char *)*array + *count * size, 0, size);
    ++*seen;
    return (long)(*count)++;
}

int cell_add_block(struct cell *cell, const struct paired_window *windows, size_t count, uint64_t settled_ns)
{
    struct paired_window *copy = malloc(count * sizeof *copy);
    void *blocks = cell->blocks;
    long slot = copy ? choose_slot(&blocks, &cell->block_count, &cell->block_capacity, &cell->blocks_seen,
                                   sizeof *cell->blocks, CELL_BLOCKS, &cell->random)
                     : -ENOMEM;
    cell->blocks = blocks;
    if (slot < 0) {
        free(copy);
        return slot == -ENOMEM ? -ENOMEM : 0;
    }
    memcpy(copy, windows, count * sizeof *copy);
    free(cell->blocks[slot].windows);
    cell->blocks[slot] = (struct cell_block){copy, count, settled_ns};
    return 0;
}

/* The time is doubled when it was too short. Where it follows from how often requests come, it is a little
 * different in every block; that says nothing. */
static bool settled_as_long(const struct cell_block *block, uint64_t least_ns)
{
    return block->settled_ns >= least_ns / 4 * 3;
}

static size_t count_settled(const struct cell *cell, uint64_t least_ns)
{
    size_t count = 0;
    for (size_t i = 0; i < cell->block_count; i++)
        count += settled_as_long(&cell->blocks[i], least_ns);
    return count;
}

void cell_choose_rested(struct cell *cell, size_t fewest)
{
    uint64_t least_ns = 0;
    for (size_t i = 0; i < cell->block_count; i++) {
        uint64_t settled_ns = cell->blocks[i].settled_ns;
        size_t count = settled_ns > least_ns ? count_settled(cell, settled_ns) : 0;
        if (count >= fewest && 2 * count >= cell->block_count)
            least_ns = settled_ns;
    }
    cell->rested_count = 0;
    for (size_t i = 0; i < cell->block_count; i++) {
        if (!settled_as_long(&cell->blocks[i], least_ns))
            continue;
        struct cell_block rested = cell->blocks[i];
        cell->blocks[i] = cell->blocks[cell->rested_count];
        cell->blocks[cell->rested_count++] = rested;
    }
}

int cell_add_loose(struct cell *cell, const struct loose_window *window)
{
    void *loose = cell->loose;
    long slot = choose_slot(&loose, &cell->loose_count, &cell->loose_capacity, &cell->loose_seen,
                            sizeof *cell->loose, CELL_WINDOWS, &cell->random);
    cell->loose = loose;
    if (slot >= 0)
        cell->loose[slot] = *window;
    return slot == -ENOMEM ? -ENOMEM : 0;
}

int control_add(struct control *control, const struct control_value *value)
{
    void *values = control->values;
    long slot = choose_slot(&values, &control->count, &control->capacity, &control->seen,
                            sizeof *control->values, CONTROLS, &control->random);
    control->values = values;
    if (slot >= 0)
        control->values[slot] = *value;
    return slot == -ENOMEM ? -ENOMEM : 0;
}

void cell_release(struct cell *cell)
{
    for (size_t i = 0; i < cell->block_count; i++)
        free(cell->blocks[i].windows);
    free(cell->blocks);
    free(cell->loose);
}
