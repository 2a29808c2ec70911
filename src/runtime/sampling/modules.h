/* The executable code mapped into this process: which addresses belong to which module of the segment. */
#pragma once

#include "shared/layout.h"

#include <stdbool.h>
#include <stdint.h>

struct code_range {
    uintptr_t start, end;
    uintptr_t bias;                /* program counter minus bias is the ELF virtual address */
    struct segment_module *module; /* NULL when the segment has no room */
};

/* The process has joined the tree, or was forked: its number is what its questions to the controller are told
 * from others' by. */
void modules_join(uint32_t process);

/* Reads the loaded objects from the dynamic linker and asks the controller for the tables of new ones. Cheap
 * when nothing was loaded or unloaded since. Not for handlers: it takes the linker's lock. */
void modules_refresh(void);

/* Finds the range that holds the address; false when it is not known, and then the controller is asked, once.
 * For handlers and any thread: it only searches. */
bool modules_find(uintptr_t address, struct code_range *range);

/* Whether the address is in that code, which is not any. As modules_find(). */
bool modules_is_in(const struct segment_code *code, uintptr_t address);
