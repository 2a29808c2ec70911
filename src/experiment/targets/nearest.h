/* Names that are near to what a person wrote and nothing is called, for complaints. */
#pragma once

#include "experiment/targets/target_names.h"

#include <stddef.h>

/* Each writes "; the nearest names: a, b", or what else helps, into text, and returns it; "" when nothing does. */
const char *nearest_functions(const struct site_set *sites, const uint32_t *ids, size_t count, char *text,
                              size_t size);
const char *nearest_files(const struct site_set *sites, const char *pattern, char *text, size_t size);

/* "a, b, c": of the threads that were sampled. */
const char *nearest_threads(const struct segment *segment, char *text, size_t size);
