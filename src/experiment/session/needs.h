/* What a program asks the dynamic linker for. */
#pragma once

#include <stdbool.h>

/* Whether the ELF file names a library that begins so among those it needs. False for what is no such file.
 */
bool needs_library(const char *path, const char *beginning);
