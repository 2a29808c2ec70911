#include "experiment/schedule/processes.h"

#include <errno.h>
#include <stdlib.h>

static uint32_t process_count(const struct segment *segment)
{
    uint32_t count = atomic_load(&segment->processes);
    return count < SEGMENT_PROCESSES ? count : SEGMENT_PROCESSES;
}

static int process_visits_add(struct processes *processes, uint32_t process, uint32_t point, uint64_t count)
{
    if (processes->count == processes->capacity) {
        size_t more = processes->capacity ? 2 * processes->capacity : 64;
        void *grown = reallocarray(processes->visits, more, sizeof *processes->visits);
        if (!grown)
            return -ENOMEM;
        processes->visits = grown;
        processes->capacity = more;
    }
    processes->visits[processes->count++] = (struct process_visits){process, point, count};
    return 0;
}

/* That of the pair in the process, which begins now when it is new; NULL without memory. */
static struct process_latency *process_latency_find(struct processes *processes, uint32_t process,
                                                    uint32_t pair)
{
    size_t count = processes->latency_count;
    for (size_t i = 0; i < count; i++) {
        struct process_latency *there = &processes->latencies[(processes->next_latency + i) % count];
        if (there->process != process || there->pair != pair)
            continue;
        processes->next_latency = (size_t)(there - processes->latencies) + 1;
        return there;
    }
    if (processes->latency_count == processes->latency_capacity) {
        size_t more = processes->latency_capacity ? 2 * processes->latency_capacity : 16;
        void *grown = reallocarray(processes->latencies, more, sizeof *processes->latencies);
        if (!grown)
            return NULL;
        processes->latencies = grown;
        processes->latency_capacity = more;
    }
    struct process_latency *latency = &processes->latencies[processes->latency_count++];
    *latency = (struct process_latency){.process = process, .pair = pair};
    return latency;
}

static struct point_reading process_point_read(const struct segment_process *process, uint32_t point)
{
    return point_read(&process->visits[point], &process->sums_ns[point], &process->entered[point]);
}

static int process_pair_look(struct processes *processes, const struct segment *segment, uint32_t number,
                             const struct point_pairs *pairs, uint32_t index)
{
    const struct point_pair *pair = &pairs->pairs[index];
    const struct segment_process *process = &segment->process_slots[number];
    struct point_reading out = process_point_read(process, pair->end),
                         in = process_point_read(process, pair->begin);
    if (!in.count && !out.count)
        return 0;
    struct process_latency *latency = process_latency_find(processes, number, index);
    if (!latency)
        return -ENOMEM;
    struct point_span span = {{latency->in, in}, {latency->out, out}, {latency->at_ns, pair->last_ns}};
    double integral = point_span_integral(&span), elapsed = (double)(pair->last_ns - latency->at_ns);
    latency->record = (struct profile_record){.type = PROFILE_PROCESS_LATENCY};
    if (latency->at_ns && elapsed > 0 && integral >= 0) {
        latency->record.process_latency.name = segment->points[pair->begin].name;
        latency->record.process_latency.pid = atomic_load(&process->pid);
        latency->record.process_latency.arrivals = in.count - latency->in.count;
        latency->record.process_latency.departures = out.count - latency->out.count;
        latency->record.process_latency.difference = integral / elapsed;
        latency->record.process_latency.elapsed_ns = pair->last_ns - latency->at_ns;
    }
    latency->in = in;
    latency->out = out;
    latency->at_ns = pair->last_ns;
    return 0;
}

int processes_look(struct processes *processes, const struct segment *segment,
                   const struct point_pairs *pairs)
{
    uint32_t count = process_count(segment);
    processes->count = 0;
    for (uint32_t p = 0; p < count; p++) {
        uint64_t **seen = &processes->seen[p];
        if (!*seen && !(*seen = calloc(SEGMENT_POINTS, sizeof **seen)))
            return -ENOMEM;
        for (uint32_t i = 0; i < SEGMENT_POINTS && segment_point_is_taken(&segment->points[i]); i++) {
            if (segment_point_type(&segment->points[i]) != POINT_THROUGHPUT)
                continue;
            uint64_t now = atomic_load_explicit(&segment->process_slots[p].visits[i], memory_order_relaxed);
            if (now != (*seen)[i] && process_visits_add(processes, p, i, now - (*seen)[i]))
                return -ENOMEM;
            (*seen)[i] = now;
        }
        for (uint32_t i = 0; i < pairs->count; i++)
            if (process_pair_look(processes, segment, p, pairs, i))
                return -ENOMEM;
    }
    return 0;
}

int processes_emit_visits(const struct processes *processes, const struct segment *segment, window_sink sink,
                          void *context)
{
    int rc = 0;
    if (process_count(segment) < 2)
        return 0;
    for (size_t i = 0; rc == 0 && i < processes->count; i++) {
        const struct process_visits *visits = &processes->visits[i];
        struct profile_record record = {.type = PROFILE_PROCESS_POINT};
        record.process_point.name = segment->points[visits->point].name;
        record.process_point.pid = atomic_load(&segment->process_slots[visits->process].pid);
        record.process_point.delta = visits->count;
        rc = sink(context, &record);
    }
    for (size_t i = 0; rc == 0 && i < processes->latency_count; i++)
        if (processes->latencies[i].record.process_latency.arrivals)
            rc = sink(context, &processes->latencies[i].record);
    return rc;
}

int processes_emit_all(const struct segment *segment, window_sink sink, void *context)
{
    int rc = 0;
    for (uint32_t p = 0; rc == 0 && p < process_count(segment); p++) {
        const struct segment_process *process = &segment->process_slots[p];
        struct profile_record record = {.type = PROFILE_PROCESS};
        record.process.pid = atomic_load(&process->pid);
        record.process.parent = process->parent;
        record.process.program = process->program;
        record.process.samples = atomic_load(&process->samples);
        record.process.cpu_ns = atomic_load(&process->samples_ns);
        if (record.process.pid)
            rc = sink(context, &record);
    }
    return rc;
}

void processes_release(struct processes *processes)
{
    for (uint32_t p = 0; p < SEGMENT_PROCESSES; p++)
        free(processes->seen[p]);
    free(processes->visits);
    free(processes->latencies);
}
