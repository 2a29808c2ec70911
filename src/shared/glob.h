/* The simplest of patterns, for names that a handler has to compare: '*' and '%' stand for any run of
 * characters, '?' for any one, and all else for itself. Pure. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

static inline bool glob_is_run(char c)
{
    return c == '*' || c == '%';
}

/* A run is made longer, one character at a time, until the rest fits; only the last one need be. */
static inline bool glob_matches(const char *pattern, const char *text)
{
    const char *run = NULL, *run_text = NULL;
    while (*text) {
        if (glob_is_run(*pattern)) {
            run = ++pattern;
            run_text = text;
        } else if (*pattern && (*pattern == '?' || *pattern == *text)) {
            pattern++;
            text++;
        } else if (run) {
            pattern = run;
            text = ++run_text;
        } else {
            return false;
        }
    }
    while (glob_is_run(*pattern))
        pattern++;
    return !*pattern;
}
