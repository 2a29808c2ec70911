/* The progress points as the controller sees them: who ends windows, and how many are in progress between a
 * begin and an end. */
#pragma once

#include "profile/record.h"
#include "shared/layout.h"

enum { POINT_PAIRS = SEGMENT_POINTS / 2 };

/* Who ends the next window. */
enum driver_kind {
    DRIVER_NONE,    /* no point was reached yet: no experiments */
    DRIVER_VISIT,   /* a visit of a point, in the program */
    DRIVER_WATCHED, /* a counter that the controller watches: programs built with the original's header */
    DRIVER_CLOCK,   /* only begin/end points: any moment will do */
};

struct driver {
    enum driver_kind kind;
    uint32_t point; /* index, for DRIVER_WATCHED and DRIVER_VISIT */
};

/* What the points had counted at a moment. */
struct points_seen {
    uint64_t counts[SEGMENT_POINTS];
};

/* Draws who ends the windows of the next block: each point that is visited at least once in window_ns gets
 * its turn, because its own windows are then exact; with none, the one most often visited. Those that were not
 * visited since the last draw, as of a phase that is over, come last. *seen: the counts then, and from here on those
 * of now. */
struct driver points_draw_driver(const struct segment *segment, uint64_t elapsed_ns, uint64_t window_ns,
                                 struct points_seen *seen, uint64_t *seed);

void points_look(const struct segment *segment, struct points_seen *seen);

/* Another point that can end windows as that driver does, the one most often visited since then, if that is so often at
 * least. SEGMENT_POINTS: there is none. */
uint32_t points_other_driver(const struct segment *segment, struct driver driver,
                             const struct points_seen *seen, uint64_t least);

/* An edge was taken, and that window has begun. Points that bump counters have no visits of their own: what they
 * stand at now has to do as the first one's. */
void points_note_counters(struct segment *segment, uint32_t window, uint64_t virtual_ns);

/* What a begin or an end point has counted at a moment. */
struct point_reading {
    uint64_t count, sum_ns;
};

/* Tries for a moment at which nobody is in the middle of a visit. The counts are a point's, or a process's of
 * it. */
struct point_reading point_read(const _Atomic uint64_t *count, const _Atomic uint64_t *sum_ns,
                                const _Atomic uint64_t *entered);

/* A begin point and its end point between two moments of virtual time. */
struct point_span {
    struct point_reading in[2], out[2];
    uint64_t at_ns[2];
};

/* The integral of the number in progress, x ns: each that ended was in progress from its beginning to its
 * end; who was in progress at the start, or still is, counts from the start, or up to the end. */
double point_span_integral(const struct point_span *span);

/* A begin point with its end point, and the integral of the number in progress over virtual time. From points
 * that sum up the times of their visits it is exact; of those that only count, the number is looked at now
 * and then. */
struct point_pair {
    uint32_t begin, end;
    struct point_reading in, out; /* at the window's start */
    uint64_t start_ns, last_ns;   /* virtual */
    double integral;              /* number x ns since start_ns, as looked at */
};

struct point_pairs {
    struct point_pair pairs[POINT_PAIRS];
    uint32_t count;
};

/* Finds new pairs, and adds the time since the last look to every integral. virtual_ns: real time minus
 * required delay. */
void points_integrate(struct point_pairs *pairs, const struct segment *segment, uint64_t virtual_ns);

/* What the pair's window holds, in *record; then begins its next. False when nothing arrived. */
bool points_take_latency(struct point_pair *pair, const struct segment *segment,
                         struct profile_record *record);

/* The visits of the busiest end point. */
uint64_t points_requests(const struct segment *segment);

void points_count(const struct segment *segment, uint32_t *known, uint32_t *reached);
