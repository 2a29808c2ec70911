/* Where the code of a line is, for the runtime to compare addresses with. */
#pragma once

#include "base/error.h"
#include "shared/create.h"

/* The code of FILE:LINE in the program, FILE being any trailing part of its path, in the segment's tables.
 * -EINVAL: there is none, and err names the nearest line that has some. */
int code_of_line(struct segment_owner *owner, const char *program, const char *file, unsigned line,
                 struct segment_code *code, struct coz_error *err);
