/* The question where progress points belong. */
#pragma once

#include "advice/points/sources.h"

extern const char points_system[]; /* who is asked, and in which form to answer */

struct points_request {
    enum { POINTS_THROUGHPUT, POINTS_LATENCY } kind;
    const char *hint; /* what the person who asks knows; NULL: nothing */
    size_t most;      /* so many points */
};

/* To be freed; NULL when memory is out. */
char *points_question(const struct point_sources *sources, const struct points_request *request);

/* "12 lines of a.c, b.c and 3 more files": what is in it. To be freed; NULL when memory is out. */
char *points_what(const struct point_sources *sources);
