/* The question about one target that `coz explain` and the page ask. */
#pragma once

#include "report/prompt/prompt.h"

extern const char explain_system[]; /* who is asked, and how to answer */

struct explain_options {
    const char *wanted; /* the target, as a person says it (report/target/find.h) */
    const char *point;  /* NULL: all */
    bool without_source;
    const struct story *story;
};

struct explain_question {
    char *text, *what; /* owned: the question, and what is in it, in words that name the source */
    size_t size;
};

/* 0; -ENOENT, -EINVAL: no target is called so, or several; -ENODATA: there are no answers; -ENOMEM. */
int explain_question_make(struct explain_question *question, struct analysis *analysis,
                          const struct explain_options *options, struct coz_error *err);
void explain_question_release(struct explain_question *question);
