/* The tree in fewer bytes. */
#pragma once

#include <jansson.h>

/* Of an array of objects that all have the same members: {"count": n, "same": {member: value}, "each":
 * {member: [value, ...]}}, where a member whose values are all the same is named once. A curve, an array of
 * objects itself, becomes one row of its numbers. NULL when memory is out. */
json_t *pack_results(const json_t *results);
