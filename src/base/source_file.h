/* Source files that a profile names. A profile may come from anywhere, and what it names must not lead to any
 * file but sources. Any thread; not for handlers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

enum { SOURCE_BYTES_MOST = 4 << 20 };

/* Whether a path of that length is called like a source. */
bool source_is_named(const char *path, size_t length);

/* The file's bytes, with a zero byte behind, and what stat(2) says of it; to be freed. NULL when it is no
 * regular file, larger than SOURCE_BYTES_MOST, no text, or cannot be read. */
char *source_read(const char *path, struct stat *status);

/* Where each line of a text begins, and one more: its end; to be freed. *count is how many lines there are. NULL: memory
 * is out. */
char **source_lines(char *text, size_t *count);
