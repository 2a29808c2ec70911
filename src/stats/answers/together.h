/* Several targets at once, beside each of them by itself: do their effects add? Pure. */
#pragma once

#include "stats/answers/answer.h"

enum together_finding {
    TOGETHER_UNKNOWN, /* the intervals are too wide to say, or one of them has no answer */
    TOGETHER_ADD,     /* as much as all by themselves */
    TOGETHER_MORE,    /* more: each by itself leaves the others to wait for */
    TOGETHER_LESS,    /* less: what one saves, another one cannot save again */
};

struct together {
    enum together_finding finding;
    size_t parts;      /* of the target; those that have an answer are in the sum */
    double sum;        /* of the impacts of all of them; NAN: one has no answer */
    double difference; /* of the impact, from the sum; */
    double low, high;  /* and its interval */
};

/* False when the result is not of several at once. results: those of the same progress point. */
bool together_find(const struct analysis_result *result, const struct analysis_result *results, size_t count,
                   struct together *found);

/* The part of that number, among the results; NULL: it has no answer. */
const struct analysis_result *together_part(const struct analysis_result *result,
                                            const struct analysis_result *results, size_t count,
                                            size_t number);
