/* What a schedule tries next: the next block's target, its speedups, and how long its windows are. For the
 * controller's thread. */
#pragma once

#include "experiment/schedule.h"

/* Before the first block. */
void block_prepare(struct schedule *schedule);

/* Draws the progress point that ends windows, and a target, and plans the block (schedule->plan). Without
 * points or samples the plan stays empty. 0 or -ENOMEM. */
int block_begin(struct schedule *schedule, uint64_t now_ns);

/* How long the program is given to come to rest before a window of the block. */
uint64_t block_settling_ns(const struct schedule *schedule);

/* Nobody visited while the site was sped up to the full: that is not tried again. */
void block_note_stuck(struct schedule *schedule, uint32_t site);
