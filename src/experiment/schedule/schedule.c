#include "experiment/schedule/schedule.h"

#include "base/clock.h"
#include "shared/edge.h"

#include <time.h>

#define MS 1000000ull

/* docs/history/choices.md tells what was measured for each. */
static const uint64_t look_ns = 20 * MS, look_latency_ns = 2 * MS, watch_step_ns = 50000, watch_ns = 5 * MS;
static const uint64_t stuck_least_ns = 1000 * MS;

static struct segment *segment_of(const struct schedule *schedule)
{
    return schedule->given->blocks.segment;
}

static uint64_t read_required(const struct segment *segment)
{
    return atomic_load(&segment->due.required_ns);
}

/* Of the current block, when it has one. */
static struct segment_point *driver_of(const struct schedule *schedule)
{
    return &segment_of(schedule)->points[schedule->current.block.driver.point];
}

static uint64_t read_missed(const struct schedule *schedule)
{
    return heartbeat_missed_ns(schedule->given->heartbeat, clock_wall_ns());
}

void schedule_begin(struct schedule *schedule, const struct schedule_inputs *given, uint64_t now)
{
    schedule->given = given;
    schedule->began_ns = now;
    schedule->current.block = blocks_begin(&schedule->results.blocks, now);
    schedule->current.deadline_ns = now + schedule->current.block.window_ns;
}

void schedule_release(struct schedule *schedule)
{
    blocks_release(&schedule->results.blocks);
    processes_release(&schedule->results.processes);
    unit_times_release(&schedule->results.unit_times);
    disturbed_release(&schedule->results.disturbed);
}

/* ---- what comes next ---- */

/* What the processor has counted goes to the points. */
static void publish_counts(const struct schedule *schedule)
{
    if (schedule->given->families)
        families_publish(schedule->given->families);
}

static void want_edge(struct schedule *schedule, uint64_t now)
{
    struct schedule_current *current = &schedule->current;
    struct segment *segment = segment_of(schedule);
    atomic_store(&segment->edge_driver, current->block.driver.point);
    current->wanted = true;
    current->wanted_ns = now;
    points_look(segment, &current->seen);
    current->passed_ns = 0;
    atomic_fetch_or(&segment->edge_word, 1);
    if (schedule->given->families && current->block.driver.kind == DRIVER_VISIT)
        families_alarm(schedule->given->families, current->block.driver.point);
    publish_counts(schedule);
    current->watched_count = atomic_load(&driver_of(schedule)->count);
}

/* Asks for the edge at which that window begins. */
static void want_window(struct schedule *schedule, uint64_t now, struct window opening)
{
    schedule->current.opening = opening;
    atomic_store(&segment_of(schedule)->next_target,
                 target_word(schedule->given->blocks.names, opening.site, opening.permille));
    want_edge(schedule, now);
}

static int begin_block(struct schedule *schedule, uint64_t now)
{
    struct schedule_current *current = &schedule->current;
    const struct block_inputs *given = &schedule->given->blocks;
    int rc = blocks_update(&schedule->results.blocks, given);
    if (rc)
        return rc;
    current->block = block_begin(&schedule->results.blocks, given, now, &current->block);
    current->next = 0;
    return 0;
}

/* The next window of the plan, which begins by letting the program come to rest; when the plan is over, the
 * first of a new one. Without points or samples the running window goes on, at no speedup. */
static int want_planned(struct schedule *schedule, uint64_t now)
{
    struct schedule_current *current = &schedule->current;
    const struct block *block = &current->block;
    int rc = current->next == block->plan.windows ? begin_block(schedule, now) : 0;
    if (rc)
        return rc;
    if (current->next < block->plan.windows) {
        int permille = block->plan.permille[current->next++];
        double part =
            permille ? 1.0 / (double)(block->plan.windows / 2) : 0; /* each second one is a baseline */
        want_window(schedule, now,
                    (struct window){.site = block->site,
                                    .permille = permille,
                                    .settles = !block->is_slow,
                                    .settled_ns = block->settling_ns,
                                    .is_long = block->is_long,
                                    .part = part,
                                    .block = block->number,
                                    .place = current->next});
    } else if (current->running.site) {
        want_window(schedule, now, (struct window){0});
    } else {
        current->deadline_ns = now + block->window_ns; /* idle, and stays so */
    }
    return 0;
}

/* What comes after the running window, or its middle. */
static int want_next(struct schedule *schedule, uint64_t now)
{
    struct schedule_current *current = &schedule->current;
    const struct window *running = &current->running;
    current->wants_middle =
        running->site && !running->settles && running->edges == 1 && !current->block.is_slow;
    if (current->wants_middle) {
        want_edge(schedule, now);
    } else if (running->settles && !running->spoilt) {
        /* It settled for as long as was planned then, whatever is thought of it by now. */
        want_window(schedule, now,
                    (struct window){.site = running->site,
                                    .permille = running->permille,
                                    .settled_ns = running->settled_ns,
                                    .is_long = running->is_long,
                                    .part = running->part,
                                    .block = running->block,
                                    .place = running->place});
    } else {
        return want_planned(schedule, now);
    }
    return 0;
}

/* ---- edges ---- */

/* The controller takes the edge itself, for counters that only count. */
static void take_edge(struct schedule *schedule)
{
    struct segment *segment = segment_of(schedule);
    uint64_t now = clock_wall_ns(), level = read_required(segment);
    edge_take(segment, atomic_load(&segment->edge_word), now - level, now, level);
}

static void watch_counter(struct schedule *schedule)
{
    const struct segment_point *point = driver_of(schedule);
    struct timespec step = {.tv_nsec = (long)watch_step_ns};
    for (uint64_t until = clock_wall_ns() + watch_ns; clock_wall_ns() < until; nanosleep(&step, NULL)) {
        publish_counts(schedule);
        if (atomic_load(&point->count) == schedule->current.watched_count)
            continue;
        take_edge(schedule);
        return;
    }
}

/* A visit that the processor has counted takes no edge where its thread is not ours, or lets no signal of ours
 * come. When it is seen that such visits pass, and pass again, the edge is taken for them. */
static void watch_passing(struct schedule *schedule, uint64_t now)
{
    struct schedule_current *current = &schedule->current;
    const struct segment_point *driver = driver_of(schedule);
    if (!driver->is_breakpoint || atomic_load(&driver->count) == current->watched_count)
        return;
    if (current->passed_ns == 0)
        current->passed_ns = now;
    else if (now > current->passed_ns + look_ns / 2)
        take_edge(schedule);
}

static int emit_closed(struct schedule *schedule)
{
    const struct schedule_inputs *given = schedule->given;
    struct window *closed = &schedule->current.closed;
    if (!closed->number || !closed->site || closed->settles)
        return 0;
    char name[4096];
    bool used;
    target_name(given->blocks.names, closed->site, name, sizeof name);
    int rc =
        window_emit(closed, &schedule->current.running, given->blocks.segment,
                    target_kind(given->blocks.names, closed->site), name, given->sink, given->context, &used);
    if (rc == 0 && used)
        rc = unit_times_emit(&schedule->results.unit_times, given->blocks.segment, given->sink,
                             given->context);
    if (rc == 0 && used)
        rc = processes_emit_visits(&schedule->results.processes, given->blocks.segment, given->sink,
                                   given->context);
    if (used)
        schedule->results.windows++;
    else
        schedule->results.discarded++;
    if (closed->is_stolen)
        targets_lose(&schedule->results.blocks.targets, closed->site, closed->part);
    closed->number = 0;
    return rc;
}

/* The closed window has just ended: had the program come to rest in it? */
static void watch_settling(struct schedule *schedule)
{
    struct schedule_current *current = &schedule->current;
    const struct window *closed = &current->closed;
    double halves[2];
    if (current->block.driver.kind == DRIVER_VISIT && window_halves(closed, driver_of(schedule), halves) &&
        settling_note(&schedule->results.blocks.settling, closed->site, closed->permille, closed->is_long,
                      halves))
        current->next = current->block.plan.windows; /* a new block, with longer windows */
}

/* The share of the closed window's time in which the machine was not ours. A virtual one can also stand still as
 * a whole, with the program and the controller in it, and no kernel counts that as stolen; the heartbeat misses
 * it. A look of ours that only comes late makes the window longer, and no worse. */
static double lost_share(const struct schedule *schedule, const struct window *opened, uint64_t real_ns)
{
    double stolen = stolen_share(schedule->current.closed.ticks, opened->ticks);
    uint64_t missed_ns = read_missed(schedule) - schedule->current.missed_ns;
    double stood = real_ns ? (double)missed_ns / (double)real_ns : 0;
    return stolen > stood ? stolen : stood;
}

static int close_running(struct schedule *schedule, const struct window *opened)
{
    struct schedule_results *results = &schedule->results;
    struct window *closed = &schedule->current.closed;
    struct segment *segment = segment_of(schedule);
    *closed = schedule->current.running;
    uint64_t real_ns = window_real_ns(closed, opened, segment);
    if (closed->permille)
        results->sped_up_ns += real_ns;
    window_close(closed, opened, &results->pairs, segment);
    double lost = lost_share(schedule, opened, real_ns);
    bool stolen = stolen_is_too_much(&results->stolen, lost);
    closed->stolen_ns = (uint64_t)(lost * (double)real_ns);
    closed->run_began_ns = schedule->began_ns;
    if (stolen && !closed->permille)
        disturbed_leave_out(&results->disturbed, schedule->given->blocks.owner, real_ns);
    if (stolen && closed->site && !closed->settles) {
        closed->spoilt = closed->is_stolen = true;
        results->stolen_from++;
    }
    if (closed->permille && !closed->spoilt)
        watch_settling(schedule);
    int rc = unit_times_look(&results->unit_times, segment);
    return rc ? rc : processes_look(&results->processes, segment, &results->pairs);
}

/* How long the window that has begun is to last until its middle, or its end. A slow visit ends its window
 * whenever it comes. */
static uint64_t time_to_edge(const struct block *block, const struct window *opened)
{
    if (opened->settles)
        return opened->settled_ns;
    if (!opened->site)
        return block->window_ns;
    return block->is_slow ? 0 : block->window_ns / 2;
}

static int edge_was_taken(struct schedule *schedule, uint64_t now)
{
    struct schedule_current *current = &schedule->current;
    struct segment *segment = segment_of(schedule);
    uint32_t number = edge_window(atomic_load(&segment->edge_word));
    if (schedule->given->families)
        families_silence(schedule->given->families);
    publish_counts(schedule);
    points_note_counters(segment, number, clock_wall_ns() - read_required(segment));
    points_integrate(&schedule->results.pairs, segment, now - read_required(segment));
    current->wanted = false;
    if (current->wants_middle) {
        current->running.edges = 2;
        current->deadline_ns = now + current->block.window_ns / 2;
        return emit_closed(schedule);
    }
    struct window opened = current->opening;
    window_open(&opened, number, segment);
    int rc = emit_closed(schedule);
    if (rc == 0 && current->running.number)
        rc = close_running(schedule, &opened);
    current->running = opened;
    current->missed_ns = read_missed(schedule);
    if (!opened.permille)
        disturbed_open(&schedule->results.disturbed, schedule->given->blocks.owner);
    current->deadline_ns = now + time_to_edge(&current->block, &opened);
    return rc;
}

/* The point that is to end the window was of a phase that is over, maybe: then another one is, that was visited at least
 * so often since the edge was wanted. */
static void change_driver(struct schedule *schedule, uint64_t now, uint64_t least)
{
    struct schedule_current *current = &schedule->current;
    uint32_t other = points_other_driver(segment_of(schedule), current->block.driver, &current->seen, least);
    if (other == SEGMENT_POINTS)
        return;
    current->block.driver.point = other;
    current->running.spoilt = true;
    want_edge(schedule, now);
    /* Its visits have seen that edge, and did not look whose it was again. */
    atomic_store(&driver_of(schedule)->seen_word, ~atomic_load(&segment_of(schedule)->edge_word));
}

/* Nobody came. While a target runs at full speedup all others stand still, perhaps for ever: let go, and do
 * not use the window. */
static void rescue_program(struct schedule *schedule, uint64_t now)
{
    enum { OTHER_VISITS = 10 }; /* where so many come in a second, that is the program's pace now */
    struct schedule_current *current = &schedule->current;
    struct segment *segment = segment_of(schedule);
    uint64_t limit =
        10 * current->block.window_ns > stuck_least_ns ? 10 * current->block.window_ns : stuck_least_ns;
    uint64_t waited = now - current->wanted_ns;
    if (waited >= stuck_least_ns && current->running.permille < 1000)
        change_driver(schedule, now, OTHER_VISITS);
    if (waited < limit)
        return;
    current->running.spoilt |= current->running.permille != 0;
    if (current->running.permille >= 1000)
        blocks_note_stuck(&schedule->results.blocks, current->running.site);
    if (current->wants_middle) /* whose edge would begin it all again */
        atomic_store(&segment->next_target, segment_target_make(0, 0));
    atomic_store(&segment->target, segment_target_make(0, 0));
    if (waited >= 2 * limit)
        change_driver(schedule, now, 1);
}

int schedule_step(struct schedule *schedule, uint64_t now, uint64_t *next_look_ns)
{
    struct schedule_current *current = &schedule->current;
    struct point_pairs *pairs = &schedule->results.pairs;
    struct segment *segment = segment_of(schedule);
    uint64_t look = pairs->count ? look_latency_ns : look_ns;
    int rc = 0;
    publish_counts(schedule);
    points_integrate(pairs, segment, now - read_required(segment));
    if (!current->wanted && now >= current->deadline_ns)
        rc = want_next(schedule, now);
    if (rc == 0 && current->wanted) {
        if (current->block.driver.kind == DRIVER_WATCHED)
            watch_counter(schedule);
        else if (current->block.driver.kind == DRIVER_CLOCK)
            take_edge(schedule);
        else if (schedule->given->families)
            watch_passing(schedule, now);
        if (!edge_is_wanted(atomic_load(&segment->edge_word)))
            rc = edge_was_taken(schedule, clock_wall_ns());
        else
            rescue_program(schedule, now);
    }
    *next_look_ns = now + look;
    if (!current->wanted && current->deadline_ns < *next_look_ns)
        *next_look_ns = current->deadline_ns;
    return rc;
}

bool schedule_is_at_leisure(const struct schedule *schedule, uint64_t now)
{
    const struct schedule_current *current = &schedule->current;
    return !current->wanted && current->deadline_ns >= now + look_ns;
}

int schedule_end(struct schedule *schedule)
{
    return emit_closed(schedule);
}
