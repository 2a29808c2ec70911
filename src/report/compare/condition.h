/* What must not be: `rate < -5%`, `worker.c:88 impact > 20%`. For scripts that are to fail when it is. */
#pragma once

#include "base/error.h"
#include "stats/compare/compare.h"

#include <stdbool.h>
#include <stddef.h>

enum condition_subject {
    CONDITION_RATE,    /* by how much of it the rate changed */
    CONDITION_LATENCY, /* the same of the latency */
    CONDITION_IMPACT,  /* the impact now */
    CONDITION_CHANGE,  /* by how many points the impact changed */
};

enum condition_outcome {
    CONDITION_UNKNOWN, /* the interval holds the limit, or there is none */
    CONDITION_MET,     /* surely: the whole 95 % interval lies on its side */
    CONDITION_NOT_MET, /* surely */
};

struct condition {
    const char *text; /* borrowed: as it was written */
    enum condition_subject subject;
    char *target; /* owned; NULL: it is about a rate or a latency */
    char *point;  /* owned; NULL: any */
    bool is_above;
    double limit; /* 0.05: 5 % or points */
    /* Judged: */
    enum condition_outcome outcome;
    double value, low, high; /* of what decided; NAN: nothing did */
    char why[256];           /* a whole sentence */
};

/* A negative errno: err says where it stops to be understood, and what would be. */
int condition_parse(struct condition *condition, const char *text, struct coz_error *err);
void condition_release(struct condition *condition);

/* Fills the judgement. What several rows can mean (points, when none is named) is met when it is met in one. A
 * negative errno: the target's name stands for several, and err says for which. */
int condition_judge(struct condition *condition, const struct comparison *comparison, struct coz_error *err);

/* The same of one profile alone, which tells impacts only. */
int condition_judge_results(struct condition *condition, const struct analysis_result *results, size_t count,
                            struct coz_error *err);

/* 0: none is met, 1: one is, surely; 3: none is, as far as can be told, but there is too little to tell. */
int conditions_status(const struct condition *conditions, size_t count);
