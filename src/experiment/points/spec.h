/* What `coz run -p` names: where a program that says nothing itself makes progress.
 *
 *     FILE:LINE                 that line is reached
 *     FUNCTION                  the function is entered;
 *     FUNCTION@return           it returns
 *     usdt:PROVIDER:NAME        a static probe of the program, or of one of its libraries
 *     call:NAME                 a call of libc has done what it is for (shared/calls.h)
 *     call:NAME@FILE:LINE       likewise, of that caller's only
 *     FILE:LINE@sampled         samples fall into the line
 *     exit                      a whole run
 *     begin=SPEC,end=SPEC       latency, from one of the first six to another
 *
 * Pure: whether there is such a line or function is found out later, by who makes the point. */
#pragma once

#include "base/error.h"
#include "shared/layout.h"

#include <stdbool.h>

enum place_kind {
    PLACE_LINE,
    PLACE_FUNCTION,
    PLACE_RETURN,
    PLACE_USDT,
    PLACE_CALL,
    PLACE_SAMPLED,
    PLACE_EXIT,
};

/* A moment of the program. What its kind has no use for is empty, or 0. */
struct place_spec {
    enum place_kind kind;
    char name[SEGMENT_POINT_NAME];     /* of the function, the call, or the probe */
    char provider[SEGMENT_POINT_NAME]; /* of the probe */
    char file[SEGMENT_POINT_NAME];     /* FILE as typed, of the line; of a call, its caller's, */
    unsigned line;                     /* 0: any caller */
    unsigned call;                     /* enum segment_call */
};

/* One -p: a point of throughput, or with begin and end one of latency. */
struct point_spec {
    const char *text; /* as typed, which the profile calls the point; the caller's memory */
    bool is_latency;
    struct place_spec at; /* of latency, its beginning */
    struct place_spec end;
};

/* 0, or -EINVAL: it is none such, and err says what it should have been. */
int point_spec_parse(const char *text, struct point_spec *spec, struct coz_error *err);
