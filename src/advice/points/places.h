/* Where in a source of C or C++ a statement can be put without changing what the others mean. Knows no more of the
 * language than comments, texts, directives, brackets and the words that begin a statement: what it allows may still
 * not compile, but what compiles then does what it did. Pure. */
#pragma once

#include "advice/points/sources.h"

enum place { PLACE_NEVER, PLACE_INSIDE /* of a statement, a text or a comment */, PLACE_FREE };

/* For each line, and for the end, what stands before it (the first line's is at 0): a statement may be put there where it
 * is free. To be freed; NULL when memory is out. */
enum place *places_find(const struct point_source *source);

/* The line (from 1) before which #include <coz.h> belongs; 0: the source includes it. */
size_t places_include(const struct point_source *source);
