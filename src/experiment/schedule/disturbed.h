/* What the program did while the machine was not ours. Windows in which that happened are not used
 * (stolen.h), so it is left out, too, of what they are compared with: the whole run at no speedup. Otherwise
 * a line seems to do less in the run than in its windows, as if the run had phases without it. */
#pragma once

#include "shared/create.h"

#include <stdbool.h>
#include <stdint.h>

/* Begins as zeroes. */
struct disturbed {
    uint64_t *begun_ns, *lost_ns; /* per site, of its baseline_ns: when the window began; what is left out */
    bool is_open;
    uint64_t time_ns; /* of all these windows */
};

/* A window begins at no speedup. Without memory, nothing of it will be left out. */
void disturbed_open(struct disturbed *disturbed, const struct segment_owner *owner);

/* That window has ended after so long, and is to be left out. Nothing happens when none was begun. */
void disturbed_leave_out(struct disturbed *disturbed, const struct segment_owner *owner, uint64_t real_ns);

/* What is left of the whole run's time at no speedup, and of a site's part of it. Where more than three
 * quarters were disturbed that is how the machine is, and nothing is left out. */
uint64_t disturbed_rest_of_run(const struct disturbed *disturbed, uint64_t baseline_ns);
uint64_t disturbed_rest_of_site(const struct disturbed *disturbed, const struct segment_owner *owner,
                                uint32_t site, uint64_t baseline_ns);

void disturbed_release(struct disturbed *disturbed);
