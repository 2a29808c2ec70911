/* The sources that progress points are wanted for. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct point_source {
    char *path;   /* as it was named, or found below a folder that was */
    char *text;   /* with a zero byte behind */
    char **lines; /* where each begins in the text, and one more: its end */
    size_t line_count;
};

struct point_sources {
    struct point_source *items; /* by path */
    size_t count, capacity, bytes;
};

enum { POINT_SOURCES_MOST = 400 };

struct source_choice {
    char *const *paths; /* files, and folders that are searched for C and C++ */
    size_t path_count;
    char *const *includes,
        *const *excludes; /* globs that a path must match one of, if there are any; and none of */
    size_t include_count, exclude_count;
};

/* 0; -ENOENT: nothing is there; -EINVAL: a file is none of C or C++; -E2BIG: too many; -ENOMEM. To be released in any
 * case. */
int point_sources_read(struct point_sources *sources, const struct source_choice *choice,
                       struct coz_error *err);
void point_sources_release(struct point_sources *sources);

/* By its path; NULL: there is none. */
struct point_source *point_sources_find(const struct point_sources *sources, const char *path);

/* The line (from 1) without its end; *length are its bytes. */
const char *point_source_line(const struct point_source *source, size_t line, size_t *length);

/* Whether the path is called like C++; false: C. Headers are C unless their ending says else. */
bool path_is_cxx(const char *path);
