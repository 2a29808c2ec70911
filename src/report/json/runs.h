/* The runs of a profile as JSON, and what was tried in them when: docs/design/profile.md says what the members mean. */
#pragma once

#include "stats/answers/story.h"

#include <jansson.h>

/* As members of the object: "runs" and "tried". */
void runs_set(json_t *root, const struct story *story);
