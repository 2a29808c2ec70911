/* From facts to findings: what stands in the way of a profile, and what to do about it, in plain words. Pure: no
 * I/O, no clock. The same rules speak before a run, in its first seconds, and after its end. */
#pragma once

#include "diagnosis/finding.h"

struct findings {
    size_t count;
    struct finding list[FINDING_KINDS];
};

/* Fills *findings, in the order of their kinds; each kind once at most. */
void diagnose(const struct facts *facts, struct findings *findings);

/* Whether there is one that stops the profile. */
bool findings_stop(const struct findings *findings);

/* How long it takes until the leaders are known to 5 points, in seconds, where nothing was measured yet: with so
 * many visits of the point a second, each of which may be a window. */
double patience_s(double visits_s);
