/* The regions of this process, by their names. They stay as long as the process. Any thread; not for handlers. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    REGION_LIMIT = 4096
}; /* more names than that are not wanted: they are made at run time, one a request say */

struct region {
    const char *name;
    uint32_t id;          /* from 0, in order of their making */
    uint64_t hash;        /* of the name */
    struct region *next;  /* of the same bucket */
    uint64_t left_open;   /* atomic: times that it was closed for the program, which left it without a word */
    uint64_t never_begun; /* atomic: ends that nobody had begun */
};

/* Found, or made. NULL: there are too many, or no memory. */
struct region *region_named(const char *name);

size_t region_count(void);
struct region *region_at(size_t id); /* id < region_count() */
size_t region_names_refused(void);   /* how often there were too many */
