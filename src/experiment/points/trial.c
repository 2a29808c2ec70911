#include "experiment/points/trial.h"

#include "experiment/points/calls.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rarer ones are no unit that could be measured by; so many slices tell whether a rate is even. */
static const double least_rate = 2, usual_rate = 20;
enum { TELLING_SLICES = 5 };

/* Counting costs a program that makes hardly anything but calls a hundredth. One that is made so often in a slice is
 * counted again only after so many more. */
enum { OFTEN_CALLS = 1000, RESTED_SLICES = 4 };

void trial_begin(struct trial *trial, struct segment *segment, uint64_t now_ns)
{
    *trial = (struct trial){.state = TRIAL_GOES_ON, .segment = segment, .looked_ns = now_ns};
    atomic_store(&segment->calls_are_tried, 1);
    for (unsigned i = 0; i < SEGMENT_CALL_WORDS; i++)
        atomic_store(&segment->due.calls[i], UINT64_MAX);
}

/* A bit for each call that is a point, as struct segment_due has them: those go on being counted. */
static void find_points(const struct segment *segment, uint64_t points[SEGMENT_CALL_WORDS])
{
    memset(points, 0, SEGMENT_CALL_WORDS * sizeof *points);
    for (uint32_t i = 0; i < atomic_load(&segment->call_point_count); i++)
        points[segment->call_points[i].call / 64] |= 1ull << segment->call_points[i].call % 64;
}

static void end_counting(struct segment *segment)
{
    uint64_t points[SEGMENT_CALL_WORDS];
    find_points(segment, points);
    for (unsigned i = 0; i < SEGMENT_CALL_WORDS; i++)
        atomic_store(&segment->due.calls[i], points[i]);
    atomic_store(&segment->calls_are_tried, 0);
}

static bool is_visited(const struct segment *segment)
{
    for (int i = 0; i < SEGMENT_POINTS && segment_point_is_taken(&segment->points[i]); i++)
        if (atomic_load(&segment->points[i].count))
            return true;
    return false;
}

static uint64_t times_made(const struct segment *segment, unsigned call)
{
    uint64_t count = 0;
    for (unsigned i = 0; i < SEGMENT_CALL_COUNTERS; i++)
        count += atomic_load_explicit(&segment->call_counters[i].counts[call], memory_order_relaxed);
    return count;
}

/* Slices in which it was not counted were like the next one in which it is: not like the one before, which was chosen
 * for its many calls. */
static void fill_rested(struct trial *trial, unsigned call, unsigned slice)
{
    for (unsigned i = slice; i > 0 && trial->counts[i - 1][call].seconds <= 0; i--)
        trial->counts[i - 1][call] = trial->counts[slice][call];
}

static void count_again(struct trial *trial, unsigned call)
{
    if (--trial->rests[call] == 0)
        atomic_fetch_or(&trial->segment->due.calls[call / 64], 1ull << call % 64);
}

static void let_rest(struct trial *trial, unsigned call)
{
    trial->rests[call] = RESTED_SLICES;
    atomic_fetch_and(&trial->segment->due.calls[call / 64], ~(1ull << call % 64));
}

static void take_slice(struct trial *trial, uint64_t now_ns)
{
    unsigned slice = trial->slices++;
    uint64_t points[SEGMENT_CALL_WORDS];
    find_points(trial->segment, points);
    float seconds = (float)((double)(now_ns - trial->looked_ns) * 1e-9);
    trial->looked_ns = now_ns;
    for (unsigned call = 0; call < SEGMENT_CALL_COUNT; call++) {
        uint64_t made = times_made(trial->segment, call);
        uint32_t calls = (uint32_t)(made - trial->seen[call]);
        trial->seen[call] = made;
        if (trial->rests[call]) {
            count_again(trial, call);
            continue;
        }
        trial->counts[slice][call] = (struct trial_count){calls, seconds};
        fill_rested(trial, call, slice);
        if (calls >= OFTEN_CALLS && !(points[call / 64] & 1ull << call % 64))
            let_rest(trial, call);
    }
}

static void end_trial(struct trial *trial)
{
    trial->state = is_visited(trial->segment) ? TRIAL_NEEDLESS : TRIAL_OVER;
    end_counting(trial->segment);
}

bool trial_look(struct trial *trial, uint64_t now_ns)
{
    if (trial->state != TRIAL_GOES_ON)
        return false;
    if (now_ns >= trial->looked_ns + TRIAL_SLICE_NS)
        take_slice(trial, now_ns);
    if (trial->slices == TRIAL_SLICES || is_visited(trial->segment))
        end_trial(trial);
    return trial->state == TRIAL_OVER;
}

void trial_end(struct trial *trial, uint64_t now_ns)
{
    if (trial->state != TRIAL_GOES_ON)
        return;
    if (trial->slices < TRIAL_SLICES && now_ns > trial->looked_ns)
        take_slice(trial, now_ns);
    end_trial(trial);
}

/* The rate of each slice has a variance of its own, and one that comes of counting whole calls: of that only
 * the former is told. Slices are weighed by how long they were. */
static struct trial_call measure_call(const struct trial *trial, unsigned call)
{
    unsigned slices = 0;
    double seconds = 0, calls = 0, squares = 0;
    for (unsigned i = trial->slices / 2; i < trial->slices; i++) {
        slices += trial->counts[i][call].seconds > 0;
        seconds += (double)trial->counts[i][call].seconds;
        calls += trial->counts[i][call].calls;
    }
    double rate = seconds > 0 ? calls / seconds : 0;
    for (unsigned i = trial->slices / 2; i < trial->slices; i++) {
        const struct trial_count *counted = &trial->counts[i][call];
        double expected = rate * (double)counted->seconds, off = counted->calls - expected;
        if (expected > 0)
            squares += (off * off - expected) / (expected * expected);
    }
    double spread = slices < TELLING_SLICES ? NAN : sqrt(fmax(squares / (slices - 1), 0));
    return (struct trial_call){call, rate, spread};
}

/* What hands on a result, evenly and often. */
static double score(const struct trial_call *call)
{
    double uneven = isnan(call->spread) ? 0 : fmin(call->spread, 1);
    double rare = call->rate < usual_rate ? log10(usual_rate / call->rate) : 0;
    return call_worth(call->call) - 2 * uneven - rare;
}

static int compare_calls(const void *a, const void *b)
{
    double first = score(a), second = score(b);
    return (first < second) - (first > second);
}

size_t trial_rank(const struct trial *trial, struct trial_call calls[TRIAL_MOST])
{
    struct trial_call all[SEGMENT_CALL_COUNT];
    size_t count = 0;
    for (unsigned call = 0; call < SEGMENT_CALL_COUNT; call++) {
        struct trial_call measured = measure_call(trial, call);
        if (call_worth(call) > 0 && measured.rate >= least_rate)
            all[count++] = measured;
    }
    qsort(all, count, sizeof *all, compare_calls);
    count = count < TRIAL_MOST ? count : TRIAL_MOST;
    memcpy(calls, all, count * sizeof *all);
    return count;
}
