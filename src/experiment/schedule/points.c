#include "experiment/schedule/points.h"

#include "base/random.h"
#include "shared/edge.h"

#include <string.h>

static uint64_t count_visits(const struct segment_point *point)
{
    return atomic_load_explicit(&point->count, memory_order_relaxed);
}

static uint64_t visits_since(const struct segment *segment, uint32_t point, const struct points_seen *seen)
{
    return count_visits(&segment->points[point]) - seen->counts[point];
}

static bool is_taken(const struct segment *segment, uint32_t point)
{
    return point < SEGMENT_POINTS && segment_point_is_taken(&segment->points[point]);
}

static bool may_drive(const struct segment *segment, uint32_t point, bool precise)
{
    const struct segment_point *it = &segment->points[point];
    return segment_point_type(it) == POINT_THROUGHPUT && count_visits(it) &&
           (!precise || atomic_load(&it->precise));
}

/* Whether any point has visits of its own, and whether any begin or end was reached. */
static void look_around(const struct segment *segment, bool *precise, bool *latency)
{
    *precise = *latency = false;
    for (uint32_t i = 0; is_taken(segment, i); i++) {
        const struct segment_point *point = &segment->points[i];
        if (segment_point_type(point) == POINT_THROUGHPUT)
            *precise |= atomic_load(&point->precise) != 0;
        else
            *latency |= count_visits(point) > 0;
    }
}

struct driver points_draw_driver(const struct segment *segment, uint64_t elapsed_ns, uint64_t window_ns,
                                 struct points_seen *seen, uint64_t *seed)
{
    uint32_t often[SEGMENT_POINTS], often_count = 0, best = SEGMENT_POINTS;
    bool precise, latency, any_lives = false;
    look_around(segment, &precise, &latency);
    for (uint32_t i = 0; is_taken(segment, i); i++)
        any_lives |= may_drive(segment, i, precise) && visits_since(segment, i, seen);
    for (uint32_t i = 0; is_taken(segment, i); i++) {
        const struct segment_point *point = &segment->points[i];
        if (!may_drive(segment, i, precise) || (any_lives && !visits_since(segment, i, seen)))
            continue;
        if (best == SEGMENT_POINTS || count_visits(point) > count_visits(&segment->points[best]))
            best = i;
        if ((double)count_visits(point) * (double)window_ns >= (double)elapsed_ns)
            often[often_count++] = i;
    }
    points_look(segment, seen);
    if (best == SEGMENT_POINTS)
        return (struct driver){latency ? DRIVER_CLOCK : DRIVER_NONE, 0};
    if (often_count)
        best = often[random_next(seed) % often_count];
    return (struct driver){precise ? DRIVER_VISIT : DRIVER_WATCHED, best};
}

void points_look(const struct segment *segment, struct points_seen *seen)
{
    for (uint32_t i = 0; is_taken(segment, i); i++)
        seen->counts[i] = count_visits(&segment->points[i]);
}

uint32_t points_other_driver(const struct segment *segment, struct driver driver,
                             const struct points_seen *seen, uint64_t least)
{
    uint32_t best = SEGMENT_POINTS;
    if (driver.kind == DRIVER_CLOCK)
        return best;
    for (uint32_t i = 0; is_taken(segment, i); i++) {
        uint64_t visits = visits_since(segment, i, seen);
        if (i == driver.point || visits < least || !may_drive(segment, i, driver.kind == DRIVER_VISIT))
            continue;
        best = i;
        least = visits + 1;
    }
    return best;
}

void points_note_counters(struct segment *segment, uint32_t window, uint64_t virtual_ns)
{
    for (uint32_t i = 0; is_taken(segment, i); i++) {
        struct segment_point *point = &segment->points[i];
        if (segment_point_type(point) == POINT_THROUGHPUT &&
            (point->is_breakpoint || !atomic_load(&point->precise)))
            edge_first_visit(point, window, virtual_ns, atomic_load(&point->count));
    }
}

struct point_reading point_read(const _Atomic uint64_t *count, const _Atomic uint64_t *sum_ns,
                                const _Atomic uint64_t *entered)
{
    struct point_reading reading = {0, 0};
    for (int i = 0; i < 10000; i++) {
        reading.count = atomic_load_explicit(count, memory_order_acquire);
        reading.sum_ns = atomic_load_explicit(sum_ns, memory_order_acquire);
        if (atomic_load_explicit(entered, memory_order_acquire) == reading.count)
            break;
    }
    return reading;
}

static struct point_reading read_point(const struct segment_point *point)
{
    return point_read(&point->count, &point->sum_ns, &point->entered);
}

double point_span_integral(const struct point_span *span)
{
    uint64_t before = (span->in[0].count - span->out[0].count) * span->at_ns[0],
             after = (span->in[1].count - span->out[1].count) * span->at_ns[1];
    uint64_t sum = (span->out[1].sum_ns - span->out[0].sum_ns) - (span->in[1].sum_ns - span->in[0].sum_ns) +
                   after - before;
    return (double)(int64_t)sum;
}

static bool is_exact(const struct segment *segment, const struct point_pair *pair)
{
    return atomic_load(&segment->points[pair->begin].precise) &&
           atomic_load(&segment->points[pair->end].precise);
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
    for (uint32_t b = 0; is_taken(segment, b); b++) {
        if (segment_point_type(&segment->points[b]) != POINT_BEGIN || is_paired(pairs, b) ||
            pairs->count == POINT_PAIRS)
            continue;
        for (uint32_t e = 0; is_taken(segment, e); e++) {
            const struct segment_point *end = &segment->points[e];
            if (segment_point_type(end) != POINT_END || strcmp(end->name, segment->points[b].name) != 0)
                continue;
            pairs->pairs[pairs->count++] = (struct point_pair){.begin = b,
                                                               .end = e,
                                                               .in = read_point(&segment->points[b]),
                                                               .out = read_point(end),
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
        uint64_t out = count_visits(&segment->points[pair->end]),
                 in = count_visits(&segment->points[pair->begin]);
        if (in > out && virtual_ns > pair->last_ns)
            pair->integral += (double)(in - out) * (double)(virtual_ns - pair->last_ns);
        if (virtual_ns > pair->last_ns)
            pair->last_ns = virtual_ns;
    }
}

bool points_take_latency(struct point_pair *pair, const struct segment *segment,
                         struct profile_record *record)
{
    struct point_reading out = read_point(&segment->points[pair->end]),
                         in = read_point(&segment->points[pair->begin]);
    uint64_t elapsed = pair->last_ns - pair->start_ns;
    struct point_span span = {{pair->in, in}, {pair->out, out}, {pair->start_ns, pair->last_ns}};
    double integral = is_exact(segment, pair) ? point_span_integral(&span) : pair->integral;
    *record = (struct profile_record){.type = PROFILE_LATENCY};
    record->latency.name = segment->points[pair->begin].name;
    record->latency.arrivals = in.count - pair->in.count;
    record->latency.departures = out.count - pair->out.count;
    record->latency.elapsed_ns = elapsed;
    record->latency.difference = elapsed ? integral / (double)elapsed : 0;
    pair->in = in;
    pair->out = out;
    pair->start_ns = pair->last_ns;
    pair->integral = 0;
    return elapsed && record->latency.arrivals && integral >= 0;
}

uint64_t points_requests(const struct segment *segment)
{
    uint64_t most = 0;
    for (uint32_t i = 0; is_taken(segment, i); i++)
        if (segment_point_type(&segment->points[i]) == POINT_END && count_visits(&segment->points[i]) > most)
            most = count_visits(&segment->points[i]);
    return most;
}

void points_count(const struct segment *segment, uint32_t *known, uint32_t *reached)
{
    *known = *reached = 0;
    for (uint32_t i = 0; is_taken(segment, i); i++) {
        *known += segment_point_type(&segment->points[i]) != POINT_NONE;
        *reached += count_visits(&segment->points[i]) > 0;
    }
}
