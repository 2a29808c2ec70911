/* Progress points as the controller sees them: who drives, and what is in progress between begin and end. */
#include "experiment/schedule/points.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "segment_fixture.h"

enum { MS = 1000000 };

static struct point_pairs pairs;
static struct points_seen seen;

static int begin(void **state)
{
    pairs = (struct point_pairs){0};
    seen = (struct points_seen){{0}};
    return segment_begin(state);
}

static void add_point(uint32_t index, uint32_t type, const char *name, uint64_t count, bool precise)
{
    struct segment_point *point = fake_point(segment, index, type, name);
    atomic_store(&point->count, count);
    atomic_store(&point->precise, precise);
}

/* After one second, for windows of 50 ms: 20 visits are one in each. */
static struct driver draw(uint64_t *seed)
{
    return points_draw_driver(segment, 1000 * MS, 50 * MS, &seen, seed);
}

static void nobody_drives_before_the_first_visit(void **state)
{
    (void)state;
    uint64_t seed = 1;
    assert_int_equal(draw(&seed).kind, DRIVER_NONE);
    add_point(0, POINT_THROUGHPUT, "a", 0, false);
    add_point(1, POINT_BEGIN, "b", 0, false);
    assert_int_equal(draw(&seed).kind, DRIVER_NONE);
}

static void a_point_that_was_never_named_hides_no_other(void **state)
{
    (void)state;
    uint64_t seed = 1;
    uint32_t known, reached;
    atomic_store(&segment->points[0].key, 1);
    add_point(1, POINT_THROUGHPUT, "a", 100, true);
    assert_int_equal(draw(&seed).kind, DRIVER_VISIT);
    points_count(segment, &known, &reached);
    assert_int_equal(known, 1);
    assert_int_equal(reached, 1);
}

static void exact_visits_come_before_counters(void **state)
{
    (void)state;
    uint64_t seed = 1;
    add_point(0, POINT_THROUGHPUT, "counted", 100000, false);
    assert_int_equal(draw(&seed).kind, DRIVER_WATCHED);
    assert_int_equal(draw(&seed).point, 0);
    add_point(1, POINT_THROUGHPUT, "exact", 30, true);
    assert_int_equal(draw(&seed).kind, DRIVER_VISIT);
    assert_int_equal(draw(&seed).point, 1);
}

/* A burst at the start, and then another phase. */
static void who_is_visited_no_more_does_not_drive(void **state)
{
    (void)state;
    uint64_t seed = 1;
    add_point(0, POINT_THROUGHPUT, "burst", 3000, true);
    struct driver driver = draw(&seed);
    assert_int_equal(driver.point, 0);
    assert_int_equal(points_other_driver(segment, driver, &seen, 1), SEGMENT_POINTS);
    add_point(1, POINT_THROUGHPUT, "steady", 50, true);
    add_point(2, POINT_THROUGHPUT, "counted", 5000, false);
    assert_int_equal(points_other_driver(segment, driver, &seen, 51), SEGMENT_POINTS);
    assert_int_equal(points_other_driver(segment, driver, &seen, 50), 1);
    for (uint64_t i = 1; i < 20; i++) {
        atomic_store(&segment->points[1].count, 50 + i);
        assert_int_equal(draw(&seed).point, 1);
    }
    bool drove = false; /* when nobody lives, all of them may */
    for (int i = 0; i < 100; i++)
        drove |= draw(&seed).point == 0;
    assert_true(drove);
}

static void those_visited_in_every_window_take_turns(void **state)
{
    (void)state;
    uint64_t seed = 1;
    int drawn[4] = {0};
    add_point(0, POINT_THROUGHPUT, "often", 5000, true);
    add_point(1, POINT_THROUGHPUT, "enough", 20, true);
    add_point(2, POINT_THROUGHPUT, "rare", 19, true);
    add_point(3, POINT_THROUGHPUT, "never", 0, true);
    for (int i = 0; i < 1000; i++)
        drawn[draw(&seed).point]++;
    assert_in_range(drawn[0], 400, 600);
    assert_int_equal(drawn[0] + drawn[1], 1000);
}

static void the_most_visited_drives_when_all_are_rare(void **state)
{
    (void)state;
    uint64_t seed = 1;
    add_point(0, POINT_THROUGHPUT, "rare", 3, true);
    add_point(1, POINT_THROUGHPUT, "less rare", 7, true);
    for (int i = 0; i < 20; i++)
        assert_int_equal(draw(&seed).point, 1);
}

static void begin_and_end_alone_need_only_a_clock(void **state)
{
    (void)state;
    uint64_t seed = 1;
    add_point(0, POINT_BEGIN, "request", 3, false);
    add_point(1, POINT_END, "request", 2, false);
    assert_int_equal(draw(&seed).kind, DRIVER_CLOCK);
}

static void look(uint64_t virtual_ms)
{
    points_integrate(&pairs, segment, virtual_ms * MS);
}

static void latency_is_the_integral_of_what_is_in_progress(void **state)
{
    (void)state;
    struct profile_record record;
    add_point(0, POINT_BEGIN, "request", 10, false);
    look(100);
    assert_int_equal(pairs.count, 0); /* no end yet */
    add_point(1, POINT_THROUGHPUT, "request", 99, false);
    add_point(2, POINT_END, "other", 1, false);
    add_point(3, POINT_END, "request", 8, false);
    look(100);
    assert_int_equal(pairs.count, 1);

    look(110); /* 2 in progress for 10 ms */
    atomic_store(&segment->points[0].count, 14);
    look(120); /* 6 for 10 ms */
    atomic_store(&segment->points[3].count, 14);
    look(140); /* 0 for 20 ms */
    assert_true(points_take_latency(&pairs.pairs[0], segment, &record));
    assert_int_equal(record.type, PROFILE_LATENCY);
    assert_string_equal(record.latency.name, "request");
    assert_int_equal(record.latency.arrivals, 4);
    assert_int_equal(record.latency.departures, 6);
    assert_int_equal(record.latency.elapsed_ns, 40 * MS);
    assert_true(record.latency.difference == 2.0); /* (2 * 10 + 6 * 10 + 0 * 20) / 40 */

    /* The next window starts from there, and without arrivals it says nothing. */
    look(150);
    assert_false(points_take_latency(&pairs.pairs[0], segment, &record));
    assert_int_equal(record.latency.arrivals, 0);
    assert_int_equal(record.latency.elapsed_ns, 10 * MS);
}

static void visit_at(int point, uint64_t virtual_ms)
{
    struct segment_point *visited = &segment->points[point];
    atomic_fetch_add(&visited->entered, 1);
    atomic_fetch_add(&visited->sum_ns, virtual_ms * MS);
    atomic_fetch_add(&visited->count, 1);
}

static void latency_is_exact_where_visits_sum_up_their_times(void **state)
{
    (void)state;
    struct profile_record record;
    add_point(0, POINT_BEGIN, "request", 0, true);
    add_point(1, POINT_END, "request", 0, true);
    visit_at(0, 50); /* in progress when the window begins */
    look(100);
    visit_at(0, 110);
    visit_at(1, 130); /* 100 to 130 */
    visit_at(1, 150); /* 110 to 150 */
    visit_at(0, 190); /* up to the window's end */
    look(200);
    assert_true(points_take_latency(&pairs.pairs[0], segment, &record));
    assert_int_equal(record.latency.arrivals, 2);
    assert_int_equal(record.latency.departures, 2);
    assert_true(record.latency.difference == (30 + 40 + 10) / 100.0);
    visit_at(1, 220);
    visit_at(0, 230);
    look(240);
    assert_true(points_take_latency(&pairs.pairs[0], segment, &record));
    assert_true(record.latency.difference == (20 + 10) / 40.0);
}

static void virtual_time_may_stand_still_or_step_back(void **state)
{
    (void)state;
    struct profile_record record;
    add_point(0, POINT_BEGIN, "request", 5, false);
    add_point(1, POINT_END, "request", 4, false);
    look(100);
    look(110);
    look(105); /* the required delay was read a little later */
    look(110);
    look(120);
    atomic_store(&segment->points[0].count, 6);
    assert_true(points_take_latency(&pairs.pairs[0], segment, &record));
    assert_int_equal(record.latency.elapsed_ns, 20 * MS);
    assert_true(record.latency.difference == 1.0);
}

static void more_ends_than_begins_are_none_in_progress(void **state)
{
    (void)state;
    struct profile_record record;
    add_point(0, POINT_BEGIN, "request", 0, false);
    add_point(1, POINT_END, "request", 3, false);
    look(100);
    atomic_store(&segment->points[0].count, 1);
    look(110);
    assert_true(points_take_latency(&pairs.pairs[0], segment, &record));
    assert_true(record.latency.difference == 0);
}

static void points_are_counted(void **state)
{
    (void)state;
    uint32_t known, reached;
    add_point(0, POINT_THROUGHPUT, "a", 0, true);
    add_point(1, POINT_BEGIN, "b", 2, true);
    add_point(2, POINT_END, "b", 1, true);
    points_count(segment, &known, &reached);
    assert_int_equal(known, 3);
    assert_int_equal(reached, 2);
}

static void as_many_as_there_is_room_for(void **state)
{
    (void)state;
    char name[16];
    uint32_t known, reached;
    for (uint32_t i = 0; i < SEGMENT_POINTS; i++) {
        snprintf(name, sizeof name, "p%u", i / 2);
        add_point(i, i % 2 ? POINT_END : POINT_BEGIN, name, 1, false);
    }
    look(1);
    assert_int_equal(pairs.count, POINT_PAIRS);
    points_count(segment, &known, &reached);
    assert_int_equal(reached, SEGMENT_POINTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nobody_drives_before_the_first_visit, begin, segment_end),
        cmocka_unit_test_setup_teardown(a_point_that_was_never_named_hides_no_other, begin, segment_end),
        cmocka_unit_test_setup_teardown(exact_visits_come_before_counters, begin, segment_end),
        cmocka_unit_test_setup_teardown(who_is_visited_no_more_does_not_drive, begin, segment_end),
        cmocka_unit_test_setup_teardown(those_visited_in_every_window_take_turns, begin, segment_end),
        cmocka_unit_test_setup_teardown(the_most_visited_drives_when_all_are_rare, begin, segment_end),
        cmocka_unit_test_setup_teardown(begin_and_end_alone_need_only_a_clock, begin, segment_end),
        cmocka_unit_test_setup_teardown(latency_is_the_integral_of_what_is_in_progress, begin, segment_end),
        cmocka_unit_test_setup_teardown(latency_is_exact_where_visits_sum_up_their_times, begin, segment_end),
        cmocka_unit_test_setup_teardown(virtual_time_may_stand_still_or_step_back, begin, segment_end),
        cmocka_unit_test_setup_teardown(more_ends_than_begins_are_none_in_progress, begin, segment_end),
        cmocka_unit_test_setup_teardown(points_are_counted, begin, segment_end),
        cmocka_unit_test_setup_teardown(as_many_as_there_is_room_for, begin, segment_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
