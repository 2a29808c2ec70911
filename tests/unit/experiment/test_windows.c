/* From edges and first visits to records: what a window says, and which windows say nothing. */
#include "experiment/schedule/windows.h"
#include "shared/edge.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "segment_fixture.h"

enum { MS = 1000000, SITE = 5, RECORDS = 16 };

static struct segment_point *often, *rarely;
static struct window window, after;
static struct point_pairs pairs;
static struct profile_record records[RECORDS];
static size_t record_count;
static int sink_result;

static int begin(void **state)
{
    if (segment_begin(state))
        return -1;
    often = fake_point(segment, 0, POINT_THROUGHPUT, "often");
    rarely = fake_point(segment, 1, POINT_THROUGHPUT, "rarely");
    pairs = (struct point_pairs){0};
    record_count = 0;
    sink_result = 0;
    return 0;
}

static int sink(void *context, const struct profile_record *record)
{
    assert_ptr_equal(context, &records);
    assert_true(record_count < RECORDS);
    records[record_count++] = *record;
    return sink_result;
}

/* ---- edges */

static void one_taker_wins_an_edge(void **state)
{
    (void)state;
    uint32_t word = 6 << 1 | 1;
    atomic_store(&segment->edge_word, word);
    atomic_store(&segment->next_target, segment_target_make(SITE, -250));
    assert_int_equal(edge_take(segment, word, 1000, 1500, 500), 7);
    assert_int_equal(edge_take(segment, word, 1001, 1501, 500), 0);
    word = atomic_load(&segment->edge_word);
    assert_int_equal(edge_window(word), 7);
    assert_false(edge_is_wanted(word));
    const struct segment_edge *edge = &segment->edges[7];
    assert_int_equal(atomic_load(&edge->window), 7);
    assert_int_equal(atomic_load(&edge->virtual_ns), 1000);
    assert_int_equal(atomic_load(&edge->real_ns), 1500);
    assert_int_equal(atomic_load(&edge->required_ns), 500);
    assert_int_equal(atomic_load(&segment->window_required_ns), 500);
    segment_target target = atomic_load(&segment->target);
    assert_int_equal(segment_target_site(target), SITE);
    assert_int_equal(segment_target_permille(target), -250);
}

static void only_the_first_visit_of_a_window_is_kept(void **state)
{
    (void)state;
    edge_first_visit(often, 3, 1000, 40);
    edge_first_visit(often, 3, 1100, 41);
    edge_first_visit(often, 2, 900, 30); /* somebody late */
    const struct segment_visit *visit = &often->visits[3];
    assert_int_equal(atomic_load(&visit->window), 3);
    assert_int_equal(atomic_load(&visit->virtual_ns), 1000);
    assert_int_equal(atomic_load(&visit->count), 40);
    assert_int_equal(atomic_load(&often->visits[2].window), 0);
    edge_first_visit(often, 3 + SEGMENT_EDGES, 2000, 80); /* the same place, used again */
    assert_int_equal(atomic_load(&visit->window), 3 + SEGMENT_EDGES);
}

/* ---- windows */

static void take_edge(uint64_t virtual_ms, uint64_t required_ms)
{
    uint32_t word = atomic_load(&segment->edge_word) | 1;
    atomic_store(&segment->edge_word, word);
    assert_true(edge_take(segment, word, virtual_ms * MS, (virtual_ms + required_ms) * MS, required_ms * MS));
}

static void visit(struct segment_point *point, uint64_t virtual_ms, uint64_t count)
{
    edge_first_visit(point, edge_window(atomic_load(&segment->edge_word)), virtual_ms * MS, count);
}

static void open_window(struct window *opened)
{
    *opened = (struct window){.site = SITE, .permille = 500, .block = 12, .place = 2};
    window_open(opened, edge_window(atomic_load(&segment->edge_word)), segment);
}

/* A window of 50 virtual and 70 real ms: 10 samples of 1 ms in the target, 25 in all; "often" was visited 100
 * times in 49 ms, "rarely" once in 60. */
static void live_through_a_window(void)
{
    atomic_store(&segment->sites[SITE].count, 1000);
    atomic_store(&segment->sites[SITE].cpu_ns, 1000 * MS);
    atomic_store(&segment->samples_ns, 5000ull * MS);
    take_edge(1000, 100);
    open_window(&window);
    visit(often, 1000, 300);
    visit(rarely, 1020, 7);
    atomic_fetch_add(&segment->sites[SITE].count, 10);
    atomic_fetch_add(&segment->sites[SITE].cpu_ns, 10 * MS);
    atomic_fetch_add(&segment->samples_ns, 25 * MS);
    take_edge(1050, 120);
    visit(often, 1049, 400);
    open_window(&after);
}

static bool emit(void)
{
    bool used;
    window_close(&window, &after, &pairs, segment);
    assert_int_equal(window_emit(&window, &after, segment, "line", "a.c:1", sink, &records, &used),
                     sink_result);
    assert_int_equal(used, record_count > 0 && records[0].type == PROFILE_EXPERIMENT);
    return used;
}

static void a_window_says_what_it_held(void **state)
{
    (void)state;
    live_through_a_window();
    visit(rarely, 1080, 8); /* after the edge, before the window is written */
    assert_int_equal(window_real_ns(&window, &after, segment), 70 * MS);
    assert_true(emit());
    assert_int_equal(record_count, 3);

    assert_int_equal(records[0].type, PROFILE_EXPERIMENT);
    assert_string_equal(records[0].experiment.selected, "a.c:1");
    assert_true(records[0].experiment.speedup == 0.5);
    assert_int_equal(records[0].experiment.duration_ns, 50 * MS);
    assert_int_equal(records[0].experiment.delay_ns, 20 * MS);
    assert_int_equal(records[0].experiment.selected_samples, 10);
    assert_int_equal(records[0].experiment.selected_ns, 10 * MS);
    assert_int_equal(records[0].experiment.sampled_ns, 25 * MS);
    assert_true(records[0].experiment.has_block);
    assert_int_equal(records[0].experiment.block, 12);
    assert_int_equal(records[0].experiment.window, 2);

    assert_int_equal(records[1].type, PROFILE_THROUGHPUT);
    assert_string_equal(records[1].throughput.name, "often");
    assert_int_equal(records[1].throughput.delta, 100);
    assert_int_equal(records[1].throughput.elapsed_ns, 49 * MS);
    assert_string_equal(records[2].throughput.name, "rarely");
    assert_int_equal(records[2].throughput.delta, 1);
    assert_int_equal(records[2].throughput.elapsed_ns, 60 * MS);
}

static void a_point_that_was_not_visited_is_left_out(void **state)
{
    (void)state;
    live_through_a_window();
    assert_true(emit());
    assert_int_equal(record_count, 2);
    assert_string_equal(records[1].throughput.name, "often");
}

static void latencies_come_last(void **state)
{
    (void)state;
    fake_point(segment, 2, POINT_BEGIN, "request");
    fake_point(segment, 3, POINT_END, "request");
    points_integrate(&pairs, segment, 1000 * MS);
    live_through_a_window();
    atomic_store(&segment->points[2].count, 4);
    points_integrate(&pairs, segment, 1050 * MS);
    assert_true(emit());
    assert_int_equal(record_count, 3);
    assert_int_equal(records[2].type, PROFILE_LATENCY);
    assert_int_equal(records[2].latency.arrivals, 4);
}

static void debts_of_earlier_windows_spoil_it(void **state)
{
    (void)state;
    live_through_a_window();
    after.carried_ns = window.carried_ns + 8 * MS; /* more than a tenth of 70 ms */
    assert_false(emit());
    assert_int_equal(record_count, 1);
    assert_string_equal(records[0].discarded.why, "carried");
}

static void a_little_debt_does_not(void **state)
{
    (void)state;
    live_through_a_window();
    after.carried_ns = window.carried_ns + 6 * MS;
    assert_true(emit());
}

static void a_window_that_was_stuck_is_thrown_away(void **state)
{
    (void)state;
    live_through_a_window();
    window.spoilt = true;
    assert_false(emit());
    assert_int_equal(record_count, 1);
    assert_int_equal(records[0].type, PROFILE_DISCARDED);
    assert_string_equal(records[0].discarded.why, "stuck");
}

static void when_it_was_and_what_was_stolen_is_told(void **state)
{
    (void)state;
    live_through_a_window();
    window.run_began_ns = 600 * MS;
    window.stolen_ns = 7 * MS;
    assert_true(emit());
    assert_int_equal(records[0].experiment.began_ns, 500 * MS);
    assert_int_equal(records[0].experiment.stolen_ns, 7 * MS);
}

static void a_window_that_was_stolen_is_thrown_away_and_told_of(void **state)
{
    (void)state;
    live_through_a_window();
    window.run_began_ns = 600 * MS;
    window.spoilt = window.is_stolen = true;
    window.stolen_ns = 90 * MS; /* in ticks, which are coarser than windows */
    assert_false(emit());
    assert_int_equal(record_count, 1);
    assert_int_equal(records[0].type, PROFILE_DISCARDED);
    assert_string_equal(records[0].discarded.why, "stolen");
    assert_int_equal(records[0].discarded.began_ns, 500 * MS);
    assert_int_equal(records[0].discarded.real_ns, 70 * MS);
    assert_int_equal(records[0].discarded.stolen_ns, 70 * MS);
}

static void a_window_whose_edge_is_gone_is_thrown_away(void **state)
{
    (void)state;
    live_through_a_window();
    for (int i = 0; i < SEGMENT_EDGES - 1; i++)
        take_edge(1100, 120); /* overwrites the window's first edge */
    assert_int_equal(window_real_ns(&window, &after, segment), 0);
    assert_false(emit());
    assert_int_equal(record_count, 0); /* nothing is known of it, not even when it was */
}

static void windows_that_do_not_follow_each_other_are_none(void **state)
{
    (void)state;
    live_through_a_window();
    take_edge(1100, 120);
    open_window(&after);
    assert_false(emit());
    assert_int_equal(record_count, 0); /* nothing is known of it, not even when it was */
}

static void time_that_runs_backwards_is_none(void **state)
{
    (void)state;
    live_through_a_window();
    atomic_store(&segment->edges[edge_window(atomic_load(&segment->edge_word))].virtual_ns, 999ull * MS);
    assert_false(emit());
    assert_int_equal(record_count, 0); /* nothing is known of it, not even when it was */
}

static void what_the_sink_says_is_passed_on(void **state)
{
    (void)state;
    live_through_a_window();
    sink_result = -ENOSPC;
    emit();
    assert_int_equal(record_count, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_taker_wins_an_edge, begin, segment_end),
        cmocka_unit_test_setup_teardown(only_the_first_visit_of_a_window_is_kept, begin, segment_end),
        cmocka_unit_test_setup_teardown(a_window_says_what_it_held, begin, segment_end),
        cmocka_unit_test_setup_teardown(a_point_that_was_not_visited_is_left_out, begin, segment_end),
        cmocka_unit_test_setup_teardown(latencies_come_last, begin, segment_end),
        cmocka_unit_test_setup_teardown(debts_of_earlier_windows_spoil_it, begin, segment_end),
        cmocka_unit_test_setup_teardown(a_little_debt_does_not, begin, segment_end),
        cmocka_unit_test_setup_teardown(a_window_that_was_stuck_is_thrown_away, begin, segment_end),
        cmocka_unit_test_setup_teardown(when_it_was_and_what_was_stolen_is_told, begin, segment_end),
        cmocka_unit_test_setup_teardown(a_window_that_was_stolen_is_thrown_away_and_told_of, begin,
                                        segment_end),
        cmocka_unit_test_setup_teardown(a_window_whose_edge_is_gone_is_thrown_away, begin, segment_end),
        cmocka_unit_test_setup_teardown(windows_that_do_not_follow_each_other_are_none, begin, segment_end),
        cmocka_unit_test_setup_teardown(time_that_runs_backwards_is_none, begin, segment_end),
        cmocka_unit_test_setup_teardown(what_the_sink_says_is_passed_on, begin, segment_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
