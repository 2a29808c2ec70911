/* Breakpoints while the program runs: the controller's side. It takes over the events that a family has opened
 * (shared/breakpoints.h), so that counts outlive who has counted, sets alarms when an edge is wanted, and adds
 * what was counted to the points. For the controller's own thread. */
#pragma once

#include "shared/layout.h"

#include <stdbool.h>

struct family_events {
    bool is_held;
    int counters[SEGMENT_BREAKPOINTS], alarms[SEGMENT_BREAKPOINTS]; /* -1: none */
    int life;                                                       /* ends with the last process of it */
};

struct families {
    struct segment *segment;
    struct family_events events[SEGMENT_FAMILIES];
    uint32_t held; /* how many families there are */
};

/* NULL: out of memory. */
struct families *families_new(struct segment *segment);

/* Takes over what has come, counts, and lets go of what has ended. Never waits. */
void families_serve(struct families *families);

/* Adds what was counted to the points. */
void families_publish(struct families *families);

/* The next visit of the point takes the edge that is wanted. Nothing for points without alarms. */
void families_alarm(struct families *families, uint32_t point);

/* No visit takes one any more. */
void families_silence(struct families *families);

/* Lets go of all; the counts are published first. Nothing for NULL. */
void families_free(struct families *families);
