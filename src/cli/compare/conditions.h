/* What --fail-if was told. */
#pragma once

#include "report/compare/condition.h"

enum { CONDITIONS_MOST = 64 };

/* Starts zeroed. */
struct conditions {
    struct condition items[CONDITIONS_MOST];
    size_t count;
};

/* Understands one more; false: it said to standard error, for that command, what it does not understand. */
bool conditions_add(struct conditions *conditions, const char *command, const char *text);
void conditions_release(struct conditions *conditions);

/* To standard error: those that are met, or of which too little is known. */
void conditions_print(const struct conditions *conditions, const char *command);
