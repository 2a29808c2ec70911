/* What the runtime's walk wants of its surroundings: tables in a segment, and which module an address is in.
 * The modules are those of any process, this one or another. */
#pragma once

#include <stdint.h>

#include "runtime/sampling/modules.h"

/* Exits with a message when something cannot be had, here and below. */
void tables_init(void);

/* Reads the file's tables, unless something is there already; range.module is set here. The first one is the
 * program: its lines are read too, for the default scope. */
void tables_add(const char *path, struct code_range range);

/* The site of the address; 0: it is not in the program, or in no line that is in scope. */
uint32_t tables_site(uintptr_t pc);
