/* A source with progress points put into it. */
#pragma once

#include "advice/points/sources.h"

#include <stdio.h>

enum point_kind { POINT_INCLUDE, POINT_PROGRESS, POINT_BEGIN, POINT_END };

enum { POINT_NAME = 64 };

struct insertion {
    const struct point_source *source;
    size_t before; /* which line, from 1; one more than there are: the end */
    enum point_kind kind;
    char name[POINT_NAME]; /* of the progress point */
    char *why;             /* owned; NULL: not told */
    bool is_dropped;
};

struct insertions {
    struct insertion *items;
    size_t count, capacity;
};

int insertions_add(struct insertions *all, const struct insertion *one); /* 0 or -ENOMEM */
void insertions_release(struct insertions *all);

/* By place; those of one place stay in their order. */
void insertions_sort(struct insertions *all);

/* How many points of that source are not dropped; the header is none. */
size_t insertions_count(const struct insertions *all, const struct point_source *source);

/* The source with them, to be freed; NULL when memory is out. */
char *edit_text(const struct point_source *source, const struct insertions *all);

/* The same as a unified diff; nothing without insertions. is_clean: fit for a terminal, and then not for patch(1) where
 * the source holds what steers one. */
void edit_diff(FILE *out, const struct point_source *source, const struct insertions *all, bool is_clean);
