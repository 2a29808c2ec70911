/* What single units took in a window: the difference of two looks, as records. */
#include "experiment/latency/unit_times.h"
#include "shared/open_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "segment_fixture.h"

static struct unit_times times;
static uint64_t seen[LOG_BUCKETS], unmatched, refused;
static int records;

static int begin(void **state)
{
    times = (struct unit_times){0};
    memset(seen, 0, sizeof seen);
    unmatched = refused = 0;
    records = 0;
    return segment_begin(state);
}

static int end(void **state)
{
    unit_times_release(&times);
    return segment_end(state);
}

static int take(void *context, const struct profile_record *record)
{
    (void)context;
    records++;
    assert_int_equal(record->type, PROFILE_LATENCY_TIMES);
    assert_string_equal(record->latency_times.name, "unit");
    unmatched += record->latency_times.unmatched;
    refused += record->latency_times.refused;
    const char *text = record->latency_times.counts ? record->latency_times.counts : "";
    assert_true(strlen(text) <= 4096);
    uint64_t bucket = record->latency_times.bucket;
    for (char *rest; *text; text = rest) {
        assert_true(bucket < LOG_BUCKETS);
        seen[bucket++] += strtoul(text, &rest, 10);
        assert_true(rest > text);
    }
    return 0;
}

static _Atomic uint32_t *make_pair(void)
{
    struct segment_point *point = fake_point(segment, 0, POINT_BEGIN, "unit");
    uint32_t slot = latency_slot_of(segment, "unit");
    atomic_store(&point->latency, slot);
    return segment->latencies[slot - 1].counts;
}

static void a_window_has_what_was_counted_in_it(void **state)
{
    (void)state;
    _Atomic uint32_t *counts = make_pair();
    counts[300] = 5;
    assert_int_equal(unit_times_look(&times, segment), 0);
    counts[300] = 7;
    counts[304] = 1;
    segment->latencies[0].unmatched = 3;
    segment->latencies[0].refused = 4;
    assert_int_equal(unit_times_look(&times, segment), 0);
    assert_int_equal(unit_times_emit(&times, segment, take, NULL), 0);
    assert_int_equal(records, 1);
    assert_int_equal(seen[300], 2);
    assert_int_equal(seen[304], 1);
    assert_int_equal(unmatched, 3);
    assert_int_equal(refused, 4);
}

static void a_window_without_units_has_no_record(void **state)
{
    (void)state;
    make_pair();
    assert_int_equal(unit_times_look(&times, segment), 0);
    assert_int_equal(unit_times_look(&times, segment), 0);
    assert_int_equal(unit_times_emit(&times, segment, take, NULL), 0);
    assert_int_equal(records, 0);
}

/* No text is longer than readers take, and nothing is lost between two of them. */
static void many_counts_are_several_records(void **state)
{
    (void)state;
    _Atomic uint32_t *counts = make_pair();
    for (uint32_t i = 0; i < LOG_BUCKETS; i++)
        counts[i] = i % 3 ? 1000000000 + i : 0;
    assert_int_equal(unit_times_look(&times, segment), 0);
    assert_int_equal(unit_times_emit(&times, segment, take, NULL), 0);
    assert_true(records > 1);
    for (uint32_t i = 0; i < LOG_BUCKETS; i++)
        assert_int_equal(seen[i], counts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_window_has_what_was_counted_in_it, begin, end),
        cmocka_unit_test_setup_teardown(a_window_without_units_has_no_record, begin, end),
        cmocka_unit_test_setup_teardown(many_counts_are_several_records, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
