#include "verify/meter.h"

#include <math.h>
#include <string.h>

static struct point_reading read_counters(const struct segment_point *point)
{
    if (segment_point_type(point) == POINT_THROUGHPUT)
        return (struct point_reading){atomic_load(&point->count), 0};
    return point_read(&point->count, &point->sum_ns, &point->entered);
}

static const struct segment_point *find_begin(const struct segment *segment, const struct segment_point *end)
{
    for (uint32_t i = 0; i < SEGMENT_POINTS && segment_point_is_taken(&segment->points[i]); i++)
        if (segment_point_type(&segment->points[i]) == POINT_BEGIN &&
            strcmp(segment->points[i].name, end->name) == 0)
            return &segment->points[i];
    return NULL;
}

static struct meter_reading read_point(const struct segment *segment, const struct segment_point *point,
                                       uint64_t now_ns)
{
    struct meter_reading reading = {.at_ns = now_ns};
    const struct segment_point *begin =
        segment_point_type(point) == POINT_END ? find_begin(segment, point) : NULL;
    /* Who has begun and is not read yet only looks as if he came a little later. */
    if (begin)
        reading.begin = read_counters(begin);
    reading.own = read_counters(point);
    return reading;
}

void meter_look(struct meter *meter, const struct segment *segment, uint64_t now_ns)
{
    for (uint32_t i = 0; i < SEGMENT_POINTS && segment_point_is_taken(&segment->points[i]); i++) {
        struct meter_point *point = &meter->points[i];
        struct meter_reading reading = read_point(segment, &segment->points[i], now_ns);
        if (reading.own.count == 0)
            continue;
        if (point->first.own.count == 0)
            point->first = point->end = reading;
        else if (reading.own.count != point->latest.own.count)
            point->end = point->latest;
        point->latest = reading;
    }
}

static double latency_ns(const struct meter_point *point, double visits)
{
    const struct point_span span = {.in = {point->first.begin, point->end.begin},
                                    .out = {point->first.own, point->end.own},
                                    .at_ns = {point->first.at_ns, point->end.at_ns}};
    double integral = point_span_integral(&span);
    return integral > 0 ? integral / visits : NAN;
}

bool meter_point(const struct meter *meter, const struct segment *segment, uint32_t index,
                 struct metered *metered)
{
    const struct segment_point *slot = &segment->points[index];
    const struct meter_point *point = &meter->points[index];
    uint32_t type = segment_point_type(slot);
    const struct segment_point *begin = type == POINT_END ? find_begin(segment, slot) : NULL;
    bool is_exact = begin && atomic_load(&slot->precise) && atomic_load(&begin->precise);
    if (type != POINT_THROUGHPUT && !is_exact)
        return false;
    double visits = (double)(point->end.own.count - point->first.own.count);
    double passed = (double)(point->end.at_ns - point->first.at_ns);
    *metered = (struct metered){slot->name, type == POINT_END, NAN, point->latest.own.count};
    if (visits > 0 && passed > 0)
        metered->time_ns = metered->is_latency ? latency_ns(point, visits) : passed / visits;
    return true;
}
