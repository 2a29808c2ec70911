/* The controller's side of the segment: making it, and handing out room for tables. */
#pragma once

#include "base/error.h"
#include "shared/layout.h"

struct segment_owner {
    struct segment *segment;
    int fd;
    uint64_t tables_used;
    /* What the environment variable is set to: works for any process that may look into ours. */
    char path[64];
};

/* Makes an empty, switched-off segment. Memory is used only where something is written. */
int segment_create(struct segment_owner *owner, struct coz_error *err);
void segment_destroy(struct segment_owner *owner);

/* Room for size bytes in the tables, for the caller to fill; the offset as below. */
uint64_t segment_reserve(struct segment_owner *owner, size_t size);

/* Copies size bytes into the tables; returns their offset from the segment's start, or 0 when it is full. */
uint64_t segment_store(struct segment_owner *owner, const void *bytes, size_t size);

/* The next of segment->sites, from *from on, that may have been counted: [*from, *end). What nobody wrote to
 * has no memory yet, and would get some by being looked at. False when there are no more. */
bool segment_next_counted(const struct segment_owner *owner, uint32_t *from, uint32_t *end);
