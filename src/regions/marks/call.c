#include "regions/marks/call.h"

#include "regions/marks/marks.h"
#include "regions/marks/overlap.h"
#include "runtime/clock/ticks.h"

#include <string.h>

static size_t depth;     /* of the thread that calls, before */
static uint64_t wall_ns; /* when it began, and in ticks */
static uint64_t began;
static bool waits; /* EXPERIMENT_OVERLAP */

void call_begin(struct call *call, const struct experiment *experiment)
{
    *call = (struct call){0, 0, ticks_prepare()};
    marks_prepare(call->tick_ns);
    waits = experiment->kind == EXPERIMENT_OVERLAP;
    if (waits)
        overlap_begin(call->tick_ns);
    experiment_set(experiment);
    struct region_thread *thread = marks_follow();
    depth = thread ? thread_depth(thread) : 0;
    wall_ns = clock_wall_ns();
    began = ticks_read();
}

void call_end(struct call *call)
{
    static const struct experiment idle = {EXPERIMENT_IDLE, NULL, 0, 0, 0};
    if (thread_mine)
        marks_close(thread_mine, depth);
    call->ticks = ticks_read() - began;
    call->on_ticks = waits ? overlap_end() : 0;
    uint64_t passed_ns = clock_wall_ns() - wall_ns;
    if (passed_ns > 1000000 && call->ticks > 0)
        call->tick_ns = (double)passed_ns / (double)call->ticks;
    experiment_set(&idle);
}

void call_sums(struct region_sum *sums, size_t count)
{
    memset(sums, 0, count * sizeof *sums);
    for (struct region_thread *thread = thread_first(); thread; thread = thread->next)
        for (size_t i = 0; i < count; i++) {
            const struct tally *chunk = __atomic_load_n(&thread->chunks[i / TALLY_CHUNK], __ATOMIC_ACQUIRE);
            if (!chunk)
                continue;
            sums[i].count += __atomic_load_n(&chunk[i % TALLY_CHUNK].count, __ATOMIC_RELAXED);
            sums[i].ticks += __atomic_load_n(&chunk[i % TALLY_CHUNK].ticks, __ATOMIC_RELAXED);
        }
}
