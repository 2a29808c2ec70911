#include "experiment/points.h"

#include "experiment/plan.h"

#include <string.h>

static bool is_ready(const struct segment_point *point)
{
    return atomic_load(&point->state) == SLOT_READY;
}

static uint64_t visits(const struct segment_point *point)
{
    return atomic_load_explicit(&point->count, memory_order_relaxed);
}

struct driver points_draw_driver(const struct segment *segment, uint64_t elapsed_ns, uint64_t window_ns,
                                 uint64_t *seed)
{
    uint32_t often[SEGMENT_POINTS], often_count = 0, best = SEGMENT_POINTS;
    bool precise = false, latency = false;
    for (uint32_t i = 0; i < SEGMENT_POINTS && is_ready(&segment->points[i]); i++)
        if (segment->points[i].type == POINT_THROUGHPUT && atomic_load(&segment->points[i].precise))
            precise = true;
    for (uint32_t i = 0; i < SEGMENT_POINTS && is_ready(&segment->points[i]); i++) {
        const struct segment_point *point = &segment->points[i];
        if (point->type != POINT_THROUGHPUT) {
            latency |= visits(point) > 0;
            continue;
        }
        if (!visits(point) || (precise && !atomic_load(&point->precise)))
            continue;
        if (best == SEGMENT_POINTS || visits(point) > visits(&segment->points[best]))
            best = i;
        if ((double)visits(point) * (double)window_ns >= (double)elapsed_ns)
            often[often_count++] = i;
    }
    if (best == SEGMENT_POINTS)
        return (struct driver){latency ? DRIVER_CLOCK : DRIVER_NONE, 0};
    if (often_count)
        best = often[plan_random(seed) % often_count];
    return (struct driver){precise ? DRIVER_VISIT : DRIVER_WATCHED, best};
}

static bool is_paired(const struct point_pairs *pairs, uint32_t begin)
{
    for (uint32_t i = 0; i < pairs->count; i++)
        if (pairs->pairs[i].begin == begin)
            return true;
    return false;
}

static void find_pairs(struct point_pairs *pairs, const struct segment *segment, uint64_t virtual_ns)
{
    for (uint32_t b = 0; b < SEGMENT_POINTS && is_ready(&segment->points[b]); b++) {
        if (segment->points[b].type != POINT_BEGIN || is_paired(pairs, b) || pairs->count == POINT_PAIRS)
            continue;
        for (uint32_t e = 0; e < SEGMENT_POINTS && is_ready(&segment->points[e]); e++) {
            const struct segment_point *end = &segment->points[e];
            if (end->type != POINT_END || strcmp(end->name, segment->points[b].name) != 0)
                continue;
            pairs->pairs[pairs->count++] = (struct point_pair){.begin = b,
                                                               .end = e,
                                                               .arrivals = visits(&segment->points[b]),
                                                               .departures = visits(end),
                                                               .start_ns = virtual_ns,
                                                               .last_ns = virtual_ns};
        }
    }
}

void points_integrate(struct point_pairs *pairs, const struct segment *segment, uint64_t virtual_ns)
{
    find_pairs(pairs, segment, virtual_ns);
    for (uint32_t i = 0; i < pairs->count; i++) {
        struct point_pair *pair = &pairs->pairs[i];
        /* Departures first: read in the other order, an end between the two looks would count as minus one.
         */
        uint64_t out = visits(&segment->points[pair->end]), in = visits(&segment->points[pair->begin]);
        if (in > out && virtual_ns > pair->last_ns)
            pair->integral += (double)(in - out) * (double)(virtual_ns - pair->last_ns);
        if (virtual_ns > pair->last_ns)
            pair->last_ns = virtual_ns;
    }
}

bool points_take_latency(struct point_pair *pair, const struct segment *segment,
                         struct profile_record *record)
{
    uint64_t out = visits(&segment->points[pair->end]), in = visits(&segment->points[pair->begin]);
    uint64_t elapsed = pair->last_ns - pair->start_ns;
    *record = (struct profile_record){.type = PROFILE_LATENCY};
    record->latency.name = segment->points[pair->begin].name;
    record->latency.arrivals = in - pair->arrivals;
    record->latency.departures = out - pair->departures;
    record->latency.elapsed_ns = elapsed;
    record->latency.difference = elapsed ? pair->integral / (double)elapsed : 0;
    pair->arrivals = in;
    pair->departures = out;
    pair->start_ns = pair->last_ns;
    pair->integral = 0;
    return elapsed && record->latency.arrivals;
}

void points_count(const struct segment *segment, uint32_t *known, uint32_t *reached)
{
    *known = *reached = 0;
    for (uint32_t i = 0; i < SEGMENT_POINTS && is_ready(&segment->points[i]); i++) {
        ++*known;
        *reached += visits(&segment->points[i]) > 0;
    }
}
