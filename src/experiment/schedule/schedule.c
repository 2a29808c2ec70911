#include "experiment/schedule/schedule.h"

#include "base/clock.h"
#include "shared/edge.h"

#include <time.h>

#define MS 1000000ull

/* docs/history/choices.md tells what was measured for each. */
static const uint64_t look_ns = 20 * MS, look_latency_ns = 2 * MS, watch_step_ns = 50000, watch_ns = 5 * MS;
static const uint64_t stuck_least_ns = 1000 * MS;

static uint64_t required(const struct segment *segment)
{
    return atomic_load(&segment->due.required_ns);
}

void schedule_begin(struct schedule *schedule, uint64_t now)
{
    settling_begin(&schedule->settling);
    blocks_begin(&schedule->blocks, now, &schedule->block);
    schedule->deadline_ns = now + schedule->block.window_ns;
}

void schedule_release(struct schedule *schedule)
{
    blocks_release(&schedule->blocks);
    processes_release(&schedule->processes);
    disturbed_release(&schedule->disturbed);
}

/* ---- what comes next ---- */

static void want_edge(struct schedule *schedule, uint64_t now)
{
    struct segment *segment = schedule->blocks.segment;
    atomic_store(&segment->edge_driver, schedule->block.driver.point);
    if (schedule->block.driver.kind == DRIVER_WATCHED)
        schedule->watched_count = atomic_load(&segment->points[schedule->block.driver.point].count);
    schedule->wanted = true;
    schedule->wanted_ns = now;
    atomic_fetch_or(&segment->edge_word, 1);
}

/* Asks for the edge at which that window begins. */
static void want_window(struct schedule *schedule, uint64_t now, struct window next)
{
    schedule->next = next;
    atomic_store(&schedule->blocks.segment->next_target, segment_target_make(next.site, next.permille));
    want_edge(schedule, now);
}

/* The next window of the plan, which begins by letting the program come to rest; when the plan is over, the
 * first of a new one. Without points or samples the running window goes on, at no speedup. */
static int want_planned(struct schedule *schedule, uint64_t now)
{
    struct block *block = &schedule->block;
    if (block->next == block->plan.windows) {
        int rc = block_begin(&schedule->blocks, &schedule->settling, now, block);
        if (rc)
            return rc;
    }
    if (block->next < block->plan.windows) {
        int permille = block->plan.permille[block->next++];
        want_window(schedule, now,
                    (struct window){.site = block->site,
                                    .permille = permille,
                                    .settles = !block->is_slow,
                                    .settled_ns = block->settling_ns,
                                    .is_long = block->is_long,
                                    .block = block->number,
                                    .place = block->next});
    } else if (schedule->current.site) {
        want_window(schedule, now, (struct window){0});
    } else {
        schedule->deadline_ns = now + block->window_ns; /* idle, and stays so */
    }
    return 0;
}

/* What comes after the current window, or its middle. */
static int want_next(struct schedule *schedule, uint64_t now)
{
    const struct window *current = &schedule->current;
    schedule->wants_middle =
        current->site && !current->settles && current->edges == 1 && !schedule->block.is_slow;
    if (schedule->wants_middle) {
        want_edge(schedule, now);
    } else if (current->settles && !current->spoilt) {
        /* It settled for as long as was planned then, whatever is thought of it by now. */
        want_window(schedule, now,
                    (struct window){.site = current->site,
                                    .permille = current->permille,
                                    .settled_ns = current->settled_ns,
                                    .is_long = current->is_long,
                                    .block = current->block,
                                    .place = current->place});
    } else {
        return want_planned(schedule, now);
    }
    return 0;
}

/* ---- edges ---- */

/* The controller takes the edge itself, for counters that only count. */
static void take_edge(struct schedule *schedule)
{
    struct segment *segment = schedule->blocks.segment;
    uint64_t now = clock_wall_ns(), level = required(segment);
    edge_take(segment, atomic_load(&segment->edge_word), now - level, now, level);
}

static void watch(struct schedule *schedule)
{
    struct segment_point *point = &schedule->blocks.segment->points[schedule->block.driver.point];
    struct timespec step = {.tv_nsec = (long)watch_step_ns};
    for (uint64_t until = clock_wall_ns() + watch_ns; clock_wall_ns() < until; nanosleep(&step, NULL)) {
        if (atomic_load(&point->count) == schedule->watched_count)
            continue;
        take_edge(schedule);
        return;
    }
}

/* Points that bump counters have no visits of their own: what they stood at when the edge was seen has to do.
 */
static void note_counters(struct segment *segment, uint32_t number)
{
    uint64_t virtual_ns = clock_wall_ns() - required(segment);
    for (int i = 0; i < SEGMENT_POINTS && segment_point_is_taken(&segment->points[i]); i++) {
        struct segment_point *point = &segment->points[i];
        if (segment_point_type(point) == POINT_THROUGHPUT && !atomic_load(&point->precise))
            edge_first_visit(point, number, virtual_ns, atomic_load(&point->count));
    }
}

static int emit_closed(struct schedule *schedule, const struct window *after)
{
    if (!schedule->closed.number || !schedule->closed.site || schedule->closed.settles)
        return 0;
    char name[4096];
    bool used;
    target_name(schedule->blocks.names, schedule->closed.site, name, sizeof name);
    int rc = window_emit(&schedule->closed, after, schedule->blocks.segment,
                         target_kind(schedule->blocks.names), name, schedule->sink, schedule->context, &used);
    if (rc == 0 && used)
        rc = processes_emit_visits(&schedule->processes, schedule->blocks.segment, schedule->sink,
                                   schedule->context);
    if (used)
        schedule->windows++;
    else
        schedule->discarded++;
    schedule->closed.number = 0;
    return rc;
}

/* The closed window has just ended: had the program come to rest in it? */
static void watch_settling(struct schedule *schedule)
{
    double halves[2];
    if (schedule->block.driver.kind == DRIVER_VISIT &&
        window_halves(&schedule->closed, &schedule->blocks.segment->points[schedule->block.driver.point],
                      halves) &&
        settling_note(&schedule->settling, schedule->closed.site, schedule->closed.permille,
                      schedule->closed.is_long, halves))
        schedule->block.next = schedule->block.plan.windows; /* a new block, with longer windows */
}

/* The share of the window's time in which the machine was not ours. A virtual one can also stand still as a
 * whole, with the program and the controller in it, and no kernel counts that as stolen; the heartbeat misses it.
 * A look of ours that only comes late makes the window longer, and no worse. */
static double lost_share(const struct schedule *schedule, const struct window *closed,
                         const struct window *opened, uint64_t real_ns)
{
    double stolen = stolen_share(closed->ticks, opened->ticks);
    uint64_t missed_ns = heartbeat_missed_ns(schedule->heartbeat, clock_wall_ns()) - schedule->missed_ns;
    double stood = real_ns ? (double)missed_ns / (double)real_ns : 0;
    return stolen > stood ? stolen : stood;
}

static int close_current(struct schedule *schedule, const struct window *opened)
{
    struct window *closed = &schedule->closed;
    *closed = schedule->current;
    uint64_t real_ns = window_real_ns(closed, opened, schedule->blocks.segment);
    if (closed->permille)
        schedule->sped_up_ns += real_ns;
    window_close(closed, opened, &schedule->pairs, schedule->blocks.segment);
    bool stolen = stolen_is_too_much(&schedule->stolen, lost_share(schedule, closed, opened, real_ns));
    if (stolen && !closed->permille)
        disturbed_leave_out(&schedule->disturbed, schedule->blocks.owner, real_ns);
    if (stolen && closed->site && !closed->settles) {
        closed->spoilt = true;
        schedule->stolen_from++;
    }
    if (closed->permille && !closed->spoilt)
        watch_settling(schedule);
    return processes_look(&schedule->processes, schedule->blocks.segment, &schedule->pairs);
}

static int edge_was_taken(struct schedule *schedule, uint64_t now)
{
    struct segment *segment = schedule->blocks.segment;
    uint32_t number = edge_window(atomic_load(&segment->edge_word));
    note_counters(segment, number);
    points_integrate(&schedule->pairs, segment, now - required(segment));
    schedule->wanted = false;
    if (schedule->wants_middle) {
        schedule->current.edges = 2;
        schedule->deadline_ns = now + schedule->block.window_ns / 2;
        return emit_closed(schedule, &schedule->current);
    }
    struct window opened = schedule->next;
    window_open(&opened, number, segment);
    int rc = emit_closed(schedule, &schedule->current);
    if (rc == 0 && schedule->current.number)
        rc = close_current(schedule, &opened);
    schedule->current = opened;
    schedule->missed_ns = heartbeat_missed_ns(schedule->heartbeat, clock_wall_ns());
    if (!opened.permille)
        disturbed_open(&schedule->disturbed, schedule->blocks.owner);
    /* A slow visit ends its window whenever it comes. */
    schedule->deadline_ns = now + (opened.settles                           ? opened.settled_ns
                                   : opened.site && schedule->block.is_slow ? 0
                                   : opened.site                            ? schedule->block.window_ns / 2
                                                                            : schedule->block.window_ns);
    return rc;
}

/* Nobody came. While a target runs at full speedup all others stand still, perhaps for ever: let go, and do
 * not use the window. */
static void rescue(struct schedule *schedule, uint64_t now)
{
    uint64_t limit =
        10 * schedule->block.window_ns > stuck_least_ns ? 10 * schedule->block.window_ns : stuck_least_ns;
    if (now - schedule->wanted_ns < limit)
        return;
    schedule->current.spoilt |= schedule->current.permille != 0;
    if (schedule->current.permille >= 1000)
        blocks_note_stuck(&schedule->blocks, schedule->current.site);
    if (schedule->wants_middle) /* whose edge would begin it all again */
        atomic_store(&schedule->blocks.segment->next_target, segment_target_make(0, 0));
    atomic_store(&schedule->blocks.segment->target, segment_target_make(0, 0));
}

int schedule_step(struct schedule *schedule, uint64_t now, uint64_t *next_look_ns)
{
    struct segment *segment = schedule->blocks.segment;
    uint64_t look = schedule->pairs.count ? look_latency_ns : look_ns;
    int rc = 0;
    points_integrate(&schedule->pairs, segment, now - required(segment));
    if (!schedule->wanted && now >= schedule->deadline_ns)
        rc = want_next(schedule, now);
    if (rc == 0 && schedule->wanted) {
        if (schedule->block.driver.kind == DRIVER_WATCHED)
            watch(schedule);
        else if (schedule->block.driver.kind == DRIVER_CLOCK)
            take_edge(schedule);
        if (!edge_is_wanted(atomic_load(&segment->edge_word)))
            rc = edge_was_taken(schedule, clock_wall_ns());
        else
            rescue(schedule, now);
    }
    *next_look_ns = now + look;
    if (!schedule->wanted && schedule->deadline_ns < *next_look_ns)
        *next_look_ns = schedule->deadline_ns;
    return rc;
}

int schedule_end(struct schedule *schedule)
{
    return emit_closed(schedule, &schedule->current);
}
