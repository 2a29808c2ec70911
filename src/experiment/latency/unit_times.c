#include "experiment/latency/unit_times.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Readers take no longer texts than 4096 bytes. */
enum { TEXT_MOST = 4000, COUNT_MOST = 11 /* digits and a blank */ };

struct unit_times_pair {
    uint32_t seen[LOG_BUCKETS], counts[LOG_BUCKETS]; /* at the last look; between the last two */
    uint64_t unmatched_seen, refused_seen, unmatched, refused;
};

static void look_at_pair(struct unit_times_pair *pair, const struct segment_latency *latency)
{
    for (uint32_t i = 0; i < LOG_BUCKETS; i++) {
        uint32_t now = atomic_load_explicit(&latency->counts[i], memory_order_relaxed);
        pair->counts[i] = now - pair->seen[i];
        pair->seen[i] = now;
    }
    uint64_t unmatched = atomic_load(&latency->unmatched), refused = atomic_load(&latency->refused);
    pair->unmatched = unmatched - pair->unmatched_seen;
    pair->refused = refused - pair->refused_seen;
    pair->unmatched_seen = unmatched;
    pair->refused_seen = refused;
}

int unit_times_look(struct unit_times *times, const struct segment *segment)
{
    for (uint32_t i = 0; i < SEGMENT_LATENCIES && atomic_load(&segment->latencies[i].key); i++) {
        if (!times->pairs[i] && !(times->pairs[i] = calloc(1, sizeof *times->pairs[i])))
            return -ENOMEM;
        look_at_pair(times->pairs[i], &segment->latencies[i]);
    }
    return 0;
}

/* NULL: its points are not known. */
static const char *name_of(const struct segment *segment, uint32_t slot)
{
    for (uint32_t i = 0; i < SEGMENT_POINTS && segment_point_is_taken(&segment->points[i]); i++)
        if (segment_point_is_ready(&segment->points[i]) &&
            atomic_load(&segment->points[i].latency) == slot + 1)
            return segment->points[i].name;
    return NULL;
}

/* The counts from that bucket on, as far as the text has room, without zeroes at either end. Returns the bucket
 * behind them. */
static uint32_t write_counts(const struct unit_times_pair *pair, uint32_t first, char *text)
{
    size_t length = 0, whole = 0;
    uint32_t bucket = first, end = first;
    for (; bucket < LOG_BUCKETS && length < TEXT_MOST - COUNT_MOST; bucket++) {
        length += (size_t)sprintf(text + length, "%s%" PRIu32, length ? " " : "", pair->counts[bucket]);
        if (pair->counts[bucket]) {
            whole = length;
            end = bucket + 1;
        }
    }
    text[whole] = '\0';
    return end > first ? end : bucket;
}

static uint32_t next_used(const struct unit_times_pair *pair, uint32_t bucket)
{
    while (bucket < LOG_BUCKETS && !pair->counts[bucket])
        bucket++;
    return bucket;
}

static int emit_pair(const struct unit_times_pair *pair, const char *name, unit_sink sink, void *context)
{
    char text[TEXT_MOST];
    struct profile_record record = {.type = PROFILE_LATENCY_TIMES};
    record.latency_times.name = name;
    record.latency_times.unmatched = pair->unmatched;
    record.latency_times.refused = pair->refused;
    uint32_t bucket = next_used(pair, 0);
    if (bucket == LOG_BUCKETS)
        return pair->unmatched || pair->refused ? sink(context, &record) : 0;
    for (int rc; bucket < LOG_BUCKETS;) {
        record.latency_times.bucket = bucket;
        bucket = next_used(pair, write_counts(pair, bucket, text));
        record.latency_times.counts = text;
        if ((rc = sink(context, &record)))
            return rc;
        record.latency_times.unmatched = record.latency_times.refused = 0;
    }
    return 0;
}

int unit_times_emit(const struct unit_times *times, const struct segment *segment, unit_sink sink,
                    void *context)
{
    int rc = 0;
    for (uint32_t i = 0; rc == 0 && i < SEGMENT_LATENCIES && times->pairs[i]; i++) {
        const char *name = name_of(segment, i);
        rc = name ? emit_pair(times->pairs[i], name, sink, context) : 0;
    }
    return rc;
}

void unit_times_release(struct unit_times *times)
{
    for (uint32_t i = 0; i < SEGMENT_LATENCIES; i++)
        free(times->pairs[i]);
}
