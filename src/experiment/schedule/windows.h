/* Windows: the stretch between two edges, with one target at one speedup. Opened when an edge was taken,
 * written one edge later than closed, so that points that are visited more rarely have had their first visit
 * after it too. */
#pragma once

#include "experiment/schedule/points.h"
#include "experiment/schedule/stolen.h"
#include "profile/record.h"

struct window {
    uint32_t number; /* of the edge that began it; 0: none */
    uint32_t edges;  /* from its beginning to its end: 1, or 2 with one in the middle */
    uint32_t site;
    int permille;
    uint64_t block, place;      /* place in the block, from 1 */
    double part;                /* of what its block tries, if it is sped up */
    bool settles;               /* the program comes to rest after the change before: not to be used */
    uint64_t settled_ns;        /* how long it had come to rest before this one */
    bool is_long;               /* it is, to see what comes to rest slowly (settling.h) */
    bool spoilt;                /* the program was stuck in it, or the machine was not ours: not to be used */
    bool is_stolen;             /* it is the latter */
    uint64_t stolen_ns;         /* the part of its real time when the machine was not ours */
    uint64_t run_began_ns;      /* on the wall clock, as edges are */
    struct machine_ticks ticks; /* at its beginning */
    /* Totals when it was opened. */
    uint64_t site_ns, site_count, sampled_ns, carried_ns, paused_ns;
    struct profile_record latencies[POINT_PAIRS];
    uint32_t latency_count;
};

/* Who receives what a window says: its experiment record, then its points. 0 or a negative errno. */
typedef int (*window_sink)(void *context, const struct profile_record *record);

/* The window, which is filled in as planned, has begun with that edge. */
void window_open(struct window *window, uint32_t number, const struct segment *segment);

/* Notes at its end what is read from running totals: latencies. Call when the next window opens. */
void window_close(struct window *window, const struct window *next, struct point_pairs *pairs,
                  const struct segment *segment);

/* Its real duration, 0 while that is not known. `next` is the window that followed. */
uint64_t window_real_ns(const struct window *window, const struct window *next,
                        const struct segment *segment);

/* The log of the driver's time per visit in each half of the window. False when one had none. */
bool window_halves(const struct window *window, const struct segment_point *driver, double halves[2]);

/* Hands the closed window's records to the sink. `next` is the window that followed. Returns 0, or what the
 * sink returned; *used is false when the window had to be thrown away: then the sink is told when that was, as
 * far as it is known, and why. kind and name are the target's. */
int window_emit(const struct window *window, const struct window *next, const struct segment *segment,
                const char *kind, const char *name, window_sink sink, void *context, bool *used);
