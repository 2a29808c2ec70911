/* The functions that a file's symbol table names: .symtab, else .dynsym, with those of a separate file of
 * debug information and of .gnu_debugdata, as libdwfl finds them; and where the file has no full table, those
 * that nobody names (nameless.h). Private to debuginfo/. */
#pragma once

#include "debuginfo/elf/elf_file.h"
#include "debuginfo/sets/cover.h"
#include "debuginfo/sets/interner.h"

/* Appends the code of the functions to *covers, the value being the name's number in *names. Whose code is
 * whose where they overlap, the ranks say. What linkers and the C runtime put into every program (_start and
 * the like) is left out. *has_table is true when there is a full table, not only what is exported. False when
 * memory is out. */
bool symbols_read(struct elf_file *file, struct strings *names, struct cover_list *covers, bool *has_table);
