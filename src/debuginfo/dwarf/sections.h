/* The sections of debug information of one file. Private to debuginfo/. */
#pragma once

#include <libelf.h>
#include <stddef.h>
#include <stdint.h>

#include "debuginfo/dwarf/cursor.h"

struct section {
    const uint8_t *bytes;
    size_t size;
};

/* What the entries of units are made of. */
struct tree_sections {
    struct section info, abbrevs, ranges, range_lists, addresses;
};

struct sections {
    struct section mapping;      /* the file, where its bytes are mapped and not copied; else empty */
    struct section lines;        /* .debug_line */
    struct section line_strings; /* .debug_line_str */
    struct section strings;      /* .debug_str */
    struct tree_sections tree;
};

/* Finds the sections of the file, or of a .dwo. Compressed ones must have been unpacked, which opening a
 * handle of libdw does; the bytes are the Elf's. */
void sections_find(struct sections *sections, Elf *elf);

/* Lets the system take back the pages that lie wholly in [from, to), if they are of the mapped file: they are
 * read again should somebody want them. */
void sections_give_back(const struct sections *sections, const uint8_t *from, const uint8_t *to);

/* The same for the whole file. */
void sections_give_back_all(const struct sections *sections);

/* Somebody who reads on has come to `at`: gives back what lies behind, now and then. A unit of C++ can be
 * megabytes, which need not all be in memory. *passed is where they began, at first. */
void sections_pass(const struct sections *sections, const uint8_t **passed, const uint8_t *at);

/* The same for one, by its whole name. Returns its address. */
uint64_t sections_find_one(struct section *found, Elf *elf, const char *name);

/* A cursor from the offset to the section's end; an empty one if that is not in the section. */
static inline struct cursor section_from(const struct section *section, uint64_t offset)
{
    if (offset >= section->size)
        return (struct cursor){0};
    return (struct cursor){.at = section->bytes + offset, .end = section->bytes + section->size};
}
