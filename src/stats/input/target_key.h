/* A target's name among others: its kind and its location, which may be called alike in two kinds. Internal to
 * src/stats/. */
#pragma once

#include "stats/input/names.h"

#include <stdbool.h>
#include <stddef.h>

/* To be freed; NULL: memory is out. */
char *target_key(const char *kind, const char *location);

/* As names_add() and names_find() of that key. kind: NULL for lines. */
long target_key_add(struct names *names, const char *kind, const char *location);
long target_key_find(const struct names *names, const char *kind, const char *location);

bool target_key_is(const char *key, const char *kind, const char *location);

/* How long the kind is, which the key begins with; the location begins one character behind it. */
size_t target_key_kind_length(const char *key);
