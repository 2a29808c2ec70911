/* What stands in the source lines that a run sampled, for the end of its profile: a later build's lines are found by
 * it. */
#pragma once

#include "experiment/sources/source_files.h"

enum { LINE_TEXT_BYTES = 120 }; /* so much of a line tells it from others */

/* Writes the text of "path:line" without blanks around it, and one for several in it; of a call site, "path:line <-
 * path:line", both, with " <- " between. "": unknown. */
void line_texts_find(struct source_files *files, const char *location, char *text, size_t size);
