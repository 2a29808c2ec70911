/* What `coz run` says about a run: never an empty profile without its reason, and the reason in the first seconds. */
#pragma once

#include "diagnosis/diagnose.h"
#include "experiment/session/session.h"

#include <stdio.h>

/* So many lines are said before the first result, and nothing after so long. */
enum { ADVICE_LINES = 3, ADVICE_EARLY_S = 10 };

struct advice {
    bool told[FINDING_KINDS];
    unsigned lines;
    uint64_t next_ns; /* when to look again */
};

/* Before the run: what will stand in the way. */
void advice_before(FILE *out, struct advice *advice, struct session *session);

/* During it, to be called often: finds what has become known. Returns how much of it is to be said, in *findings;
 * the rest waits for the end. */
size_t advice_look(struct advice *advice, struct session *session, uint64_t now_ns,
                   struct findings *findings);

/* Says it, and has it kept in the profile. */
void advice_put(FILE *out, struct advice *advice, struct session *session, const struct findings *findings);

/* After the last of all runs, `total` being their sum: the reason for an empty or thin profile, and what to
 * do; argv is the command line that was given. Returns true when there are windows to report on. */
bool advice_after(FILE *out, struct advice *advice, struct session *session, unsigned runs,
                  const struct session_progress *total, char *const *argv);

/* When it is said that no point was reached: the calls that could be one, and which was taken (--auto-point). */
void advice_on_calls(FILE *out, const struct session *session);
