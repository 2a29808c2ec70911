/* A place in the code whose function is wanted. */
#pragma once

#include <stdint.h>

/* A piece of code that belongs to a line. */
struct debuginfo_place {
    uint32_t address;
    const char *file;
    uint32_t line;
    char *function; /* found: the one that has the line there, to be freed; NULL: not known */
};
