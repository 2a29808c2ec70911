/* Units in progress: which end belongs to which beginning, and what becomes of those that find no room. */
#include "shared/open_units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "segment_fixture.h"

enum { MS = 1000000, ROOM = SEGMENT_OPEN_BUCKETS * SEGMENT_OPEN };

static uint64_t counted(uint32_t slot)
{
    uint64_t sum = 0;
    for (int i = 0; i < LOG_BUCKETS; i++)
        sum += segment->latencies[slot - 1].counts[i];
    return sum;
}

static void units_are_told_apart_by_id_pair_and_process(void **state)
{
    (void)state;
    uint32_t a = latency_slot_of(segment, "a"), b = latency_slot_of(segment, "b");
    assert_int_equal(a, 1);
    assert_int_equal(b, 2);
    assert_int_equal(latency_slot_of(segment, "a"), a);
    open_unit_begin(segment, a, open_unit_key(a, 0, 5), 10 * MS);
    open_unit_begin(segment, a, open_unit_key(a, 0, 6), 20 * MS);
    open_unit_begin(segment, a, open_unit_key(a, 1, 5), 30 * MS);
    open_unit_begin(segment, b, open_unit_key(b, 0, 5), 40 * MS);
    open_unit_end(segment, a, open_unit_key(a, 0, 5), 50 * MS);
    open_unit_end(segment, a, open_unit_key(a, 0, 6), 50 * MS);
    open_unit_end(segment, a, open_unit_key(a, 1, 5), 50 * MS);
    open_unit_end(segment, b, open_unit_key(b, 0, 5), 50 * MS);
    for (uint64_t took = 20; took <= 40; took += 10)
        assert_int_equal(segment->latencies[0].counts[log_bucket(took * MS)], 1);
    assert_int_equal(segment->latencies[1].counts[log_bucket(10 * MS)], 1);
    assert_int_equal(counted(a), 3);
    assert_int_equal(counted(b), 1);
}

static void an_end_without_a_beginning_is_counted_as_such(void **state)
{
    (void)state;
    uint32_t slot = latency_slot_of(segment, "a");
    uint64_t key = open_unit_key(slot, 0, 5);
    open_unit_begin(segment, slot, key, 10 * MS);
    open_unit_end(segment, slot, key, 20 * MS);
    open_unit_end(segment, slot, key, 30 * MS);
    assert_int_equal(counted(slot), 1);
    assert_int_equal(segment->latencies[0].unmatched, 1);
    assert_int_equal(segment->latencies[0].refused, 0);
}

/* The earlier one of the same id is forgotten, and the later one is measured. */
static void an_id_that_begins_again_is_the_later_unit(void **state)
{
    (void)state;
    uint32_t slot = latency_slot_of(segment, "a");
    uint64_t key = open_unit_key(slot, 0, 5);
    open_unit_begin(segment, slot, key, 10 * MS);
    open_unit_begin(segment, slot, key, 20 * MS);
    open_unit_end(segment, slot, key, 25 * MS);
    assert_int_equal(segment->latencies[0].counts[log_bucket(5 * MS)], 1);
    assert_int_equal(segment->latencies[0].refused, 1);
}

static void two_of_a_clock_that_went_back_took_nothing(void **state)
{
    (void)state;
    uint32_t slot = latency_slot_of(segment, "a");
    uint64_t key = open_unit_key(slot, 0, 5);
    open_unit_begin(segment, slot, key, 10 * MS);
    open_unit_end(segment, slot, key, 10 * MS - 7);
    assert_int_equal(segment->latencies[0].counts[0], 1);
}

/* Of as many as half the table holds, nearly all find room; of twice as many, those that began first. */
static void what_finds_no_room_is_counted(void **state)
{
    (void)state;
    uint32_t slot = latency_slot_of(segment, "a");
    for (uint64_t id = 0; id < ROOM / 2; id++)
        open_unit_begin(segment, slot, open_unit_key(slot, 0, id), MS);
    assert_true(segment->latencies[0].refused < ROOM / 200);
    for (uint64_t id = ROOM / 2; id < 2 * ROOM; id++)
        open_unit_begin(segment, slot, open_unit_key(slot, 0, id), MS);
    uint64_t refused = segment->latencies[0].refused;
    assert_true(refused >= ROOM);
    for (uint64_t id = 0; id < 2 * ROOM; id++)
        open_unit_end(segment, slot, open_unit_key(slot, 0, id), 2 * MS);
    assert_int_equal(counted(slot), 2 * ROOM - refused);
    assert_int_equal(segment->latencies[0].unmatched, refused);
}

static void units_that_never_end_make_room(void **state)
{
    (void)state;
    uint32_t slot = latency_slot_of(segment, "a");
    uint64_t later = MS + OPEN_GIVEN_UP_NS;
    for (uint64_t id = 0; id < 4 * ROOM; id++)
        open_unit_begin(segment, slot, open_unit_key(slot, 0, id), MS);
    uint64_t refused = segment->latencies[0].refused;
    for (uint64_t id = 0; id < 100; id++) {
        uint64_t key = open_unit_key(slot, 1, id);
        open_unit_begin(segment, slot, key, later);
        open_unit_end(segment, slot, key, later + MS);
    }
    assert_int_equal(segment->latencies[0].refused, refused);
    assert_int_equal(counted(slot), 100);
}

static void there_is_room_for_so_many_pairs(void **state)
{
    (void)state;
    char name[8] = "p00";
    for (int i = 0; i < SEGMENT_LATENCIES; i++) {
        name[1] = (char)('0' + i / 10);
        name[2] = (char)('0' + i % 10);
        assert_int_equal(latency_slot_of(segment, name), i + 1);
    }
    assert_int_equal(latency_slot_of(segment, "another"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(units_are_told_apart_by_id_pair_and_process, segment_begin,
                                        segment_end),
        cmocka_unit_test_setup_teardown(an_end_without_a_beginning_is_counted_as_such, segment_begin,
                                        segment_end),
        cmocka_unit_test_setup_teardown(an_id_that_begins_again_is_the_later_unit, segment_begin,
                                        segment_end),
        cmocka_unit_test_setup_teardown(two_of_a_clock_that_went_back_took_nothing, segment_begin,
                                        segment_end),
        cmocka_unit_test_setup_teardown(what_finds_no_room_is_counted, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(units_that_never_end_make_room, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(there_is_room_for_so_many_pairs, segment_begin, segment_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
