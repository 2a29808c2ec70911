/* What samples are compared with, and where a window begins and ends. Part of layout.h. */
#pragma once

#include "shared/layout/limits.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- targets ---- */

/* A target and its virtual speedup in one word, so that both change at once: the site in the low half, the
 * speedup in thousandths (negative: a slowdown) in the high half. */
typedef uint64_t segment_target;

static inline segment_target segment_target_make(uint32_t site, int32_t permille)
{
    return (uint64_t)site | (uint64_t)(uint32_t)permille << 32;
}

static inline uint32_t segment_target_site(segment_target target)
{
    return (uint32_t)target;
}

/* Set in the low half when the target is a wait: no sample's site equals that then. */
#define SEGMENT_TARGET_WAIT 0x80000000u

static inline bool segment_target_is_wait(segment_target target)
{
    return target & SEGMENT_TARGET_WAIT;
}

/* The same when it is a region. */
#define SEGMENT_TARGET_REGION 0x40000000u

static inline bool segment_target_is_region(segment_target target)
{
    return target & SEGMENT_TARGET_REGION;
}

/* The number, whatever it is of. */
static inline uint32_t segment_target_number(segment_target target)
{
    return (uint32_t)target & ~(SEGMENT_TARGET_WAIT | SEGMENT_TARGET_REGION);
}

static inline int32_t segment_target_permille(segment_target target)
{
    return (int32_t)(uint32_t)(target >> 32);
}

/* ---- edges between windows ---- */

/* The edge word: bit 0 says that the controller wants the current window to end at the next visit of the
 * driver; the other bits number the windows. Window n lasts from edge n to edge n + 1. */
static inline uint32_t edge_window(uint32_t word)
{
    return word >> 1;
}

static inline bool edge_is_wanted(uint32_t word)
{
    return word & 1;
}

/* What was read at an edge, by whoever took it. `window` is written last. */
struct segment_edge {
    _Atomic uint32_t window;
    uint32_t reserved;
    _Atomic uint64_t virtual_ns; /* real time minus the taker's paid delay */
    _Atomic uint64_t real_ns;
    _Atomic uint64_t required_ns;
};

/* The first visit of a point in a window. `window` is written last. */
struct segment_visit {
    _Atomic uint32_t window;
    uint32_t reserved;
    _Atomic uint64_t virtual_ns;
    _Atomic uint64_t count; /* the point's counter, this visit included */
};
