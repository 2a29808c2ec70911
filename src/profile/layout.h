/* The one list of record types and their members, used by the reader and the writer of both formats.
 * Internal to src/profile/. */
#pragma once

#include "profile/record.h"

#include <stdbool.h>
#include <stddef.h>

enum layout_kind {
    LAYOUT_STRING, /* const char *, not empty */
    LAYOUT_COUNT,  /* uint64_t */
    LAYOUT_NUMBER, /* double, >= 0 */
    LAYOUT_SPEEDUP /* double, SPEEDUP_MIN to 1 */
};

/* A virtual speedup of more than 1 has no meaning (nothing takes less than no time); -SPEEDUP_MIN is how many
 * times slower than itself a target may be made before the number is taken for a mistake. */
#define SPEEDUP_MIN (-100.0)

/* Names and stacks longer than this are neither. Together with the bound on lines it keeps readers' memory bounded. */
enum { LAYOUT_STRING_MAX = 1 << 16 };

struct layout_member {
    const char *json, *tab; /* its name in each format */
    enum layout_kind kind;
    bool required;
    size_t offset; /* in struct profile_record */
};

struct layout {
    const char *name; /* of the type, the same in both formats */
    enum profile_type type;
    const struct layout_member *members;
    size_t count;
};

/* NULL when the type is unknown. */
const struct layout *layout_by_name(const char *name, size_t length);
const struct layout *layout_by_type(enum profile_type type);

/* Stores a parsed number into a member; returns NULL, or what is wrong with it. */
const char *layout_set_count(struct profile_record *record, const struct layout_member *member,
                             uint64_t value);
const char *layout_set_real(struct profile_record *record, const struct layout_member *member, double value);
