/* A target of one build, and which one of another it is. */
#pragma once

#include <stddef.h>

enum match_by {
    MATCH_NONE,
    MATCH_NAME,   /* a function's */
    MATCH_TEXT,   /* what the line says */
    MATCH_MOVED,  /* as far as the others of its function */
    MATCH_ORDER,  /* between the same neighbours in its function */
    MATCH_NUMBER, /* the same file and line, and nothing else is known */
};

struct match_target {
    const char *kind, *location;
    const char *function, *text; /* NULL: unknown */
    size_t other;                /* which of the other side's it is, if `by` says so */
    enum match_by by;
};
