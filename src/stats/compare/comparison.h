/* What a comparison holds: compare.h makes one. */
#pragma once

#include "stats/answers/answer.h"
#include "stats/compare/match_target.h"

enum compare_verdict {
    COMPARE_CHANGED,
    COMPARE_SAME, /* no change is shown, and none of more than 5 points (or per cent) can be */
    COMPARE_TOO_LITTLE,
};

struct compare_rate {
    const char *point;
    enum analysis_metric metric;
    double before, after;     /* visits a second; of a latency, seconds. NAN: unknown */
    double change, low, high; /* 0.1: a tenth more of that; NAN: too little is known */
    /* That chance alone makes so much of nothing, or more, in any of the rates; NAN: unknown. */
    double chance;
    enum compare_verdict verdict;
    size_t runs[2];
};

struct compare_target {
    const struct analysis_result *before, *after; /* NULL: there was none (`by` is MATCH_NONE) */
    enum match_by by;
    double change, low, high; /* of the impact, in points: 0.1 is 10. NAN: too little is known */
    double chance;            /* as above, in any of the impacts */
    enum compare_verdict verdict;
};

struct comparison {
    struct compare_rate *rates; /* of each point of either */
    size_t rate_count;
    /* Of each point: what changed most surely first, then as they are ranked; then what only one of both has. */
    struct compare_target *targets;
    size_t target_count;
};
