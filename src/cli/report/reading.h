/* Profiles that a command reads whole, and its complaints about them. */
#pragma once

#include "report/intake.h"
#include "stats/compare/side.h"

struct reading {
    const char *command;       /* for what is said: "coz report" */
    struct intake intake;      /* to be released by intake_release() */
    uint64_t problems;         /* lines that could not be used */
    struct compare_side *side; /* is fed, too, for a comparison; NULL: there is none */
};

/* Reads them all. 0 or a negative errno; what is wrong was printed. */
int reading_take(struct reading *reading, char *const *profiles, int count);
