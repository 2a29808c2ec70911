#include "experiment/schedule/windows.h"

#include <math.h>

/* Debts from earlier windows that were paid in this one lengthen it for no reason of its own. */
static const double carried_limit = 0.10;

static uint64_t load_total(const _Atomic uint64_t *word)
{
    return atomic_load_explicit(word, memory_order_relaxed);
}

void window_open(struct window *window, uint32_t number, const struct segment *segment)
{
    window->number = number;
    window->edges = 1;
    window->ticks = machine_ticks_now();
    window->site_ns = load_total(&segment->sites[window->site].cpu_ns);
    window->site_count = load_total(&segment->sites[window->site].count);
    window->sampled_ns = load_total(&segment->samples_ns);
    window->carried_ns = load_total(&segment->carried_ns);
    window->paused_ns = load_total(&segment->paused_ns);
}

void window_close(struct window *window, const struct window *next, struct point_pairs *pairs,
                  const struct segment *segment)
{
    /* Totals of this window's own target: the next may have another. */
    window->site_ns = load_total(&segment->sites[window->site].cpu_ns) - window->site_ns;
    window->site_count = load_total(&segment->sites[window->site].count) - window->site_count;
    window->sampled_ns = next->sampled_ns - window->sampled_ns;
    window->carried_ns = next->carried_ns - window->carried_ns;
    window->paused_ns = next->paused_ns - window->paused_ns;
    window->latency_count = 0;
    for (uint32_t i = 0; i < pairs->count; i++)
        if (points_take_latency(&pairs->pairs[i], segment, &window->latencies[window->latency_count]))
            window->latency_count++;
}

static const struct segment_edge *edge_of(const struct segment *segment, uint32_t window)
{
    const struct segment_edge *edge = &segment->edges[window % SEGMENT_EDGES];
    return atomic_load_explicit(&edge->window, memory_order_acquire) == window ? edge : NULL;
}

static const struct segment_visit *visit_of(const struct segment_point *point, uint32_t window)
{
    const struct segment_visit *visit = &point->visits[window % SEGMENT_EDGES];
    return atomic_load_explicit(&visit->window, memory_order_acquire) == window ? visit : NULL;
}

bool window_halves(const struct window *window, const struct segment_point *driver, double halves[2])
{
    if (window->edges != 2)
        return false;
    for (uint32_t i = 0; i < 2; i++) {
        const struct segment_visit *first = visit_of(driver, window->number + i),
                                   *last = visit_of(driver, window->number + i + 1);
        if (!first || !last || load_total(&last->count) <= load_total(&first->count) ||
            load_total(&last->virtual_ns) <= load_total(&first->virtual_ns))
            return false;
        halves[i] = log((double)(load_total(&last->virtual_ns) - load_total(&first->virtual_ns)) /
                        (double)(load_total(&last->count) - load_total(&first->count)));
    }
    return true;
}

static int emit_points(const struct window *window, const struct segment *segment, window_sink sink,
                       void *context)
{
    uint32_t number = window->number, end = number + window->edges;
    for (int i = 0; i < SEGMENT_POINTS && segment_point_is_taken(&segment->points[i]); i++) {
        const struct segment_point *point = &segment->points[i];
        const struct segment_visit *first = visit_of(point, number), *last = visit_of(point, end);
        if (segment_point_type(point) != POINT_THROUGHPUT || !first || !last)
            continue;
        struct profile_record record = {.type = PROFILE_THROUGHPUT};
        record.throughput.name = point->name;
        record.throughput.delta = load_total(&last->count) - load_total(&first->count);
        record.throughput.elapsed_ns = load_total(&last->virtual_ns) - load_total(&first->virtual_ns);
        if (!record.throughput.delta || (int64_t)record.throughput.elapsed_ns <= 0)
            continue;
        int rc = sink(context, &record);
        if (rc)
            return rc;
    }
    return 0;
}

uint64_t window_real_ns(const struct window *window, const struct window *next, const struct segment *segment)
{
    const struct segment_edge *start = edge_of(segment, window->number),
                              *end = edge_of(segment, next->number);
    return start && end ? load_total(&end->real_ns) - load_total(&start->real_ns) : 0;
}

/* Since the run's start; an edge may have been taken before that was noted. */
static uint64_t time_in_run(const struct window *window, const struct segment_edge *start)
{
    uint64_t began_ns = load_total(&start->real_ns);
    return began_ns > window->run_began_ns ? began_ns - window->run_began_ns : 1;
}

static int emit_discarded(const struct window *window, const struct segment_edge *start, uint64_t real_ns,
                          window_sink sink, void *context)
{
    struct profile_record record = {.type = PROFILE_DISCARDED};
    record.discarded.began_ns = time_in_run(window, start);
    record.discarded.real_ns = real_ns;
    record.discarded.stolen_ns = window->stolen_ns < real_ns ? window->stolen_ns : real_ns;
    record.discarded.why = window->is_stolen ? "stolen" : window->spoilt ? "stuck" : "carried";
    return sink(context, &record);
}

int window_emit(const struct window *window, const struct window *next, const struct segment *segment,
                const char *kind, const char *name, window_sink sink, void *context, bool *used)
{
    const struct segment_edge *start = edge_of(segment, window->number),
                              *end = edge_of(segment, next->number);
    *used = false;
    if (!start || !end || next->number != window->number + window->edges)
        return 0;
    int64_t duration = (int64_t)(load_total(&end->virtual_ns) - load_total(&start->virtual_ns));
    int64_t real = (int64_t)(load_total(&end->real_ns) - load_total(&start->real_ns));
    if (duration <= 0 || real <= 0)
        return 0;
    if (window->spoilt || (double)window->carried_ns > carried_limit * (double)real)
        return emit_discarded(window, start, (uint64_t)real, sink, context);
    *used = true;
    struct profile_record record = {.type = PROFILE_EXPERIMENT};
    record.experiment.selected = name;
    record.experiment.kind = kind;
    record.experiment.speedup = window->permille / 1000.0;
    record.experiment.duration_ns = (uint64_t)duration;
    record.experiment.selected_samples = window->site_count;
    record.experiment.has_block = true;
    record.experiment.block = window->block;
    record.experiment.window = window->place;
    record.experiment.settled_ns = window->settled_ns;
    record.experiment.selected_ns = window->site_ns;
    record.experiment.sampled_ns = window->sampled_ns;
    record.experiment.delay_ns = load_total(&end->required_ns) - load_total(&start->required_ns);
    record.experiment.paused_ns = window->paused_ns;
    record.experiment.began_ns = time_in_run(window, start);
    record.experiment.stolen_ns = window->stolen_ns < (uint64_t)real ? window->stolen_ns : (uint64_t)real;
    int rc = sink(context, &record);
    if (rc == 0)
        rc = emit_points(window, segment, sink, context);
    for (uint32_t i = 0; rc == 0 && i < window->latency_count; i++)
        rc = sink(context, &window->latencies[i]);
    return rc;
}
