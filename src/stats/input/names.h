/* Strings to small numbers, in the order of their first appearance. Internal to src/stats/. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct names {
    char **text; /* text[id]; owned; stays put until names_release() */
    size_t count, capacity;
    uint32_t *slots; /* open addressing; id + 1, 0: free */
    size_t slot_count;
    size_t last; /* id of what was added last, or was there already when it was */
};

/* Returns the id, or -1 when memory is out. An added name has id count - 1. The same text again is found at once: a
 * profile's windows come in blocks of one target. */
long names_add(struct names *names, const char *text);
long names_find(const struct names *names, const char *text); /* -1: not there */
void names_release(struct names *names);
