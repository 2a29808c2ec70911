/* A segment without a controller or a program: zeroes, memory only where something is written. */
#pragma once

#include "shared/layout.h"

#include <string.h>
#include <sys/mman.h>

static inline struct segment *fake_segment(void)
{
    void *memory = mmap(NULL, sizeof(struct segment), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    struct segment *segment = memory == MAP_FAILED ? NULL : memory;
    if (segment)
        atomic_store(&segment->edge_driver, SEGMENT_POINTS);
    return segment;
}

static inline void fake_segment_release(struct segment *segment)
{
    munmap(segment, sizeof *segment);
}

static inline struct segment_point *fake_point(struct segment *segment, uint32_t index, uint32_t type,
                                               const char *name)
{
    struct segment_point *point = &segment->points[index];
    point->type = type;
    strncpy(point->name, name, sizeof point->name - 1);
    atomic_store(&point->state, SLOT_READY);
    return point;
}
