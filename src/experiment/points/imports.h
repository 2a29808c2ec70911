/* What a program's file tells of the points that it could have, before it is run. */
#pragma once

#include "base/error.h"
#include "shared/calls.h"

#include <stdbool.h>

struct imports {
    bool calls[SEGMENT_CALL_COUNT]; /* it calls those itself */
    bool announces;                 /* it was built with coz.h, or the original's header */
    bool is_static;                 /* it calls nobody outside of it: calls of libc cannot be seen */
};

/* -ENOENT, -EACCES, -ENOEXEC (not an ELF file), -ENOMEM. */
int imports_read(struct imports *imports, const char *path, struct coz_error *err);
