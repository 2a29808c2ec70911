/* What a person writes for a target: "a.c:12", "function:parse", "a.c:12 <- b.c:34", "file:src/%",
 * "thread:worker*", or several with a '+' between them, for all of them at once. Pure. */
#pragma once

#include "base/error.h"
#include "shared/tables.h"

#include <stdbool.h>
#include <stddef.h>

enum { TARGET_PARTS = 4, TARGET_PART_BYTES = 1024 };

enum target_part_kind { PART_LINE, PART_FUNCTION, PART_CALLSITE, PART_FILE, PART_THREAD };

struct target_part {
    enum target_part_kind kind;
    const char *name; /* within the text; not ended by a 0 */
    size_t length;
};

struct target_spec {
    const char *option; /* that it was given with, for complaints: "--target" */
    const char *text;
    struct target_part parts[TARGET_PARTS];
    size_t count;
};

/* Splits the text, which the spec goes on to point into. A name without a kind is a line if it ends in ":" and a
 * number, a call site if it has "<-", and else a function; after a '+' it is of the kind that was named before.
 * -EINVAL with words. */
int target_spec_parse(struct target_spec *spec, const char *text, struct coz_error *err);

/* The text is one name of that kind, whatever it looks like. -EINVAL with words. */
int target_spec_of_kind(struct target_spec *spec, const char *option, enum target_part_kind kind,
                        const char *text, struct coz_error *err);

/* What a run that tries it has for targets; of several, that of the first. */
enum granularity target_spec_granularity(const struct target_spec *spec);

/* Whether it is more than one line, function or call site. */
bool target_spec_is_group(const struct target_spec *spec);

/* The part's name into buffer, of TARGET_PART_BYTES; returns it. */
const char *target_part_name(const struct target_part *part, char *buffer);
