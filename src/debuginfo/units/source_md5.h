/* Which bytes the sources had when they were compiled, as far as DWARF 5 tells: clang notes it, gcc 12 does not.
 * Private to debuginfo/. */
#pragma once

#include "debuginfo/dwarf/sources.h"
#include "debuginfo/elf/elf_file.h"

/* Adds the sources that the file's line tables name. Their headers follow each other, so that nothing else is
 * read. 0 or -ENOMEM; what cannot be read is not known. */
int source_md5_read(struct source_table *sources, struct elf_file *file);
