/* A place in the code whose function is wanted, or all frames of it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* A piece of code that belongs to a line. */
struct debuginfo_place {
    uint32_t address;
    const char *file; /* NULL: whatever line is there */
    uint32_t line;
    bool wants_frames;
    char *function; /* found: the one that has the line there, to be freed; NULL: not known */
    /* Found, where they are wanted, to be freed: the function at the address and those that it was inlined into, a
     * line each from the innermost outwards: "name\tpath:line", with "\tinlined" behind it for all but the last. What is
     * not known is empty. NULL: nothing is. */
    char *frames;
};
