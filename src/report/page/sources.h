/* Lines of the sources around what the report names. */
#pragma once

#include "stats/answers/analysis.h"
#include "stats/answers/story.h"

#include <jansson.h>

/* An array of one object for each file that is named by one of the tree's results and can be read:
 *
 *   {"path": s, "modified": ns, "changed": "built", "parts": [{"from": 17, "lines": ["...", ...]}], "shares": [[18, 0.02], ...]}
 *
 * "modified" is the file's time of last change, on the wall clock; "changed" tells, by content, that it is not what
 * the program was "built" of, or that it is not what it was when it was "profiled"; "" that it is; null that it
 * cannot be told. "shares" is what part of the samples fell on lines that are no results. Only regular files that are
 * called like a source are read: a profile from somebody else must not carry other files into a page. NULL when memory
 * is out. */
json_t *read_sources(const struct analysis *analysis, const struct story *story, const json_t *tree);
