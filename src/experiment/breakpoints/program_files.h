/* The files whose code a program has from its start: its own, and the libraries that it is linked to. */
#pragma once

#include "base/error.h"

#include <stddef.h>

struct program_files {
    char **paths; /* the program first */
    size_t count, room;
};

/* Asks the dynamic linker that the program names, which loads the libraries and runs nothing. Without an answer
 * (the program is static, or a script) it is all there is. 0 or -ENOMEM; release it in every case. */
int program_files_list(struct program_files *files, const char *program, struct coz_error *err);
void program_files_release(struct program_files *files);
