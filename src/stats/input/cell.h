/* All that is kept of one target against one progress point. Internal to src/stats/. */
#pragma once

#include "stats/input/blocks.h"
#include "stats/numbers/quantile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A cell keeps a fair choice (reservoir sampling) of at most so many blocks, of about four effects each, and
 * so many windows without a block: enough for intervals of a tenth of the spread of one window over 30. */
enum { CELL_BLOCKS = 1024, CELL_WINDOWS = 4096, CONTROLS = 4096 };

struct cell_block {
    struct paired_window *windows;
    size_t count;
    uint64_t settled_ns; /* how long the program was given to come to rest before each window */
};

/* A window of a profile without blocks (the original's). */
struct loose_window {
    speedup_t speedup;
    float elapsed, visits;
};

struct cell {
    struct cell_block *blocks; /* first those that count, after cell_choose_rested() */
    size_t block_count, block_capacity, rested_count;
    uint64_t blocks_seen;
    struct loose_window *loose;
    size_t loose_count, loose_capacity;
    uint64_t loose_seen;
    double visits; /* all, also of windows that could not be paired */
    uint64_t random;
};

/* Control ratios of one progress point, over all targets, and one way of comparing. */
struct control {
    struct control_value *values;
    size_t count, capacity;
    uint64_t seen;
    uint64_t random;
};

int cell_add_block(struct cell *cell, const struct paired_window *windows, size_t count, uint64_t settled_ns);
int cell_add_loose(struct cell *cell, const struct loose_window *window);
/* A program that turned out to need longer to come to rest had not in the blocks before: they say something
 * else than what is asked. They count until half of all blocks were given longer; whatever needed many blocks
 * to be noticed is smaller than what so many blocks can tell, and is no reason to know nothing. Nor is it one when
 * fewer than `fewest` would be left: an answer takes so many. */
void cell_choose_rested(struct cell *cell, size_t fewest);
void cell_release(struct cell *cell);
int control_add(struct control *control, const struct control_value *value);
