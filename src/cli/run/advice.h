/* What `coz run` says about a run: never an empty profile without its reason. */
#pragma once

#include "debuginfo/debuginfo.h"
#include "experiment/session/session.h"

#include <stdio.h>

/* Before the run: what will stand in the way. */
void advice_before(FILE *out, const struct session *session);

/* After the last of all runs, `total` being their sum: the reason for an empty or thin profile, and what to
 * do; argv is the command line that was given. Returns true when there are windows to report on. */
bool advice_after(FILE *out, const struct session *session, const struct session_progress *total,
                  char *const *argv);

/* When no point was reached for so long: the calls that could be one, and which was taken (--auto-point). */
void advice_without_point(FILE *out, const struct session *session);
