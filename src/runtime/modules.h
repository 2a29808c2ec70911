/* The executable code mapped into this process: which addresses belong to which module of the segment. */
#pragma once

#include "segment/segment.h"

struct code_range {
    uintptr_t start, end;
    uintptr_t bias;                /* program counter minus bias is the ELF virtual address */
    struct segment_module *module; /* NULL when the segment has no room */
};

/* Reads the loaded objects from the dynamic linker and asks the controller for the tables of new ones. Cheap
 * when nothing was loaded since. Not for handlers: it takes the linker's lock. */
void modules_refresh(void);

/* The range that holds the address, or NULL. For handlers and any thread: it only searches. */
const struct code_range *modules_find(uintptr_t address);
