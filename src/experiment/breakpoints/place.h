/* Setting breakpoints for a progress point, before the program runs: which addresses a line, a function or a
 * probe has. */
#pragma once

#include "base/error.h"
#include "experiment/breakpoints/program_files.h"
#include "shared/create.h"

/* What a breakpoint is wanted for. Of a line, file and line; of a function, name; of a probe, provider and name.
 */
enum break_kind { BREAK_LINE, BREAK_FUNCTION, BREAK_RETURN, BREAK_PROBE };

struct break_place {
    enum break_kind kind;
    const char *file, *provider, *name;
    unsigned line;
};

/* Adds the breakpoints of the place to the segment, for the point of that number: in the program, else in the
 * first of its libraries that has the place. -EINVAL: there is none, or there are more addresses than a
 * processor has breakpoints; err names what is near, or the ways round it. */
int break_place_set(struct segment *segment, const struct program_files *files,
                    const struct break_place *place, uint32_t point, struct coz_error *err);

/* All are set: whether edges are exact, or looked for by the controller, depends on how many are left for
 * alarms. */
void break_places_finish(struct segment *segment);
