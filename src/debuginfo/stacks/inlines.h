/* Code whose own line is out of scope, by the calls that it was inlined into. Private to debuginfo/. */
#pragma once

#include "debuginfo/lines/lines.h"

/* Walks the inlined subroutines that cover the holes, and appends those parts of the holes to *out that have
 * an in-scope call site, the innermost one. */
int unit_read_inlines(struct unit *unit, struct source_table *sources, struct line_range_list *out);
