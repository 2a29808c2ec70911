/* What a rule finds. */
#pragma once

#include "diagnosis/facts.h"

enum { FINDING_TEXT = 600 };

/* Where several come at once, those that matter more come first. */
enum finding_kind {
    FINDING_STATIC,
    FINDING_PRIVILEGED,
    FINDING_GO,
    FINDING_NOT_LOADED,
    FINDING_NO_CODE,
    FINDING_NO_SOURCE_IN_SCOPE,
    FINDING_NO_BINARY_IN_SCOPE,
    FINDING_NO_SAMPLE,
    FINDING_OUT_OF_SCOPE,
    FINDING_POINT_NEVER,
    FINDING_TOO_SHORT,
    FINDING_POINT_SELDOM,
    FINDING_SLEEPS,
    FINDING_WAITS,
    FINDING_WAITS_FOR_DISK,
    FINDING_SPINS,
    FINDING_ASKS_CLOCK,
    FINDING_ALL_IN_LIBRARY,
    FINDING_POINT_SHARED,
    FINDING_CAPPED,
    FINDING_STOLEN,
    FINDING_OTHERS,
    FINDING_SWAPS,
    FINDING_NO_LINES,
    FINDING_GO_WITH_C,
    FINDING_NO_PERF,
    FINDING_KINDS
};

enum finding_weight {
    FINDING_NOTE,  /* a profile comes, of less than there could be */
    FINDING_HINTS, /* it comes late, or says little */
    FINDING_STOPS, /* none will come */
};

struct finding {
    enum finding_kind kind;
    enum finding_weight weight;
    char what[FINDING_TEXT]; /* a sentence or two */
    char remedy[FINDING_TEXT];
};
