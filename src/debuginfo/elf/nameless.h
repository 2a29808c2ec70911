/* Functions of a file whose names were taken away (strip): where each begins and ends is still in its call frame
 * information, which the unwinding of exceptions needs. They are called by their address, "server+0x5a30", the
 * file's own as `objdump -d` shows it. Private to debuginfo/. */
#pragma once

#include "debuginfo/elf/elf_file.h"

enum { NAMELESS_FILE = 256, NAMELESS_NAME = NAMELESS_FILE + 16 };

/* Calls found for each function, in the order of their addresses, until it returns false. Pieces of a function
 * that a compiler has put elsewhere (.cold) have addresses of their own, and cannot be told from functions.
 * Left out is what the linker and the C runtime put into every program. False when memory is out, or found
 * returned false. */
bool nameless_list(struct elf_file *file, bool (*found)(void *context, uint32_t start, uint32_t end),
                   void *context);

/* What those names begin with: the file's last name, links followed, as it is when the file is mapped. */
const char *nameless_file(const struct elf_file *file, char name[NAMELESS_FILE]);

/* The name of one into text. Both return what they wrote. */
const char *nameless_name(const char *file_name, uint32_t start, char text[NAMELESS_NAME]);
