/* What a program's file says of how it can be profiled. */
#pragma once

#include "diagnosis/facts.h"

#include <stdbool.h>
#include <stdint.h>

/* By the file's mode, its capabilities, and what it asks the dynamic linker for. What is no ELF file, or cannot be
 * read, is ordinary. */
enum file_kind program_file_kind(const char *path);

/* Whether musl's dynamic linker loads it, which takes no library that was built for glibc. */
bool program_file_is_of_musl(const char *path);

/* Whether it holds any of coz.h's macros. Looks through its constants. */
enum known program_file_has_points(const char *path);

/* In how many of its functions, by the symbol table, those addresses lie, which are the file's own; a part that the
 * compiler has put aside (name.cold) belongs to its function. 0 without a symbol table. */
unsigned program_file_count_functions(const char *path, const uint32_t *addresses, size_t count);
