/* Targets are drawn in proportion to recent samples, with a floor; fixed ones in turn. */
#include "experiment/targets/targets.h"
#include "stats/estimate/curve.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "segment_fixture.h"

enum { SITES = 6, MANY_SITES = 14, DRAWS = 20000 };

static struct targets targets;

static int begin(void **state)
{
    targets = (struct targets){0};
    return segment_begin(state);
}

static int end(void **state)
{
    targets_release(&targets);
    return segment_end(state);
}

static void sampled(uint32_t site, uint64_t ns)
{
    atomic_fetch_add(&segment->sites[site].cpu_ns, ns);
}

static void update(void)
{
    assert_int_equal(targets_update(&targets, &(struct segment_owner){.segment = segment, .fd = -1}, SITES),
                     0);
}

static void draw(unsigned drawn[SITES])
{
    uint64_t seed = 7;
    memset(drawn, 0, SITES * sizeof *drawn);
    for (int i = 0; i < DRAWS; i++) {
        uint32_t site = targets_draw(&targets, &seed);
        assert_in_range(site, 1, SITES - 1);
        drawn[site]++;
    }
}

static void nothing_is_drawn_without_samples(void **state)
{
    (void)state;
    uint64_t seed = 1;
    assert_int_equal(targets_draw(&targets, &seed), 0);
    update();
    assert_int_equal(targets_draw(&targets, &seed), 0);
}

static void draws_follow_the_samples(void **state)
{
    (void)state;
    unsigned drawn[SITES];
    sampled(1, 600000);
    sampled(2, 300000);
    sampled(3, 100000);
    update();
    draw(drawn);
    assert_in_range(drawn[1], DRAWS * 58 / 100, DRAWS * 62 / 100);
    assert_in_range(drawn[2], DRAWS * 28 / 100, DRAWS * 32 / 100);
    assert_in_range(drawn[3], DRAWS * 9 / 100, DRAWS * 11 / 100);
    assert_int_equal(drawn[4] + drawn[5], 0);
}

static void small_shares_have_a_floor_and_the_smallest_none(void **state)
{
    (void)state;
    unsigned drawn[SITES];
    sampled(1, 9960000);
    sampled(2, 30000); /* 0.3 %: drawn as if it had 1 % */
    sampled(3, 5000);  /* 0.05 %: not drawn */
    update();
    draw(drawn);
    assert_in_range(drawn[2], DRAWS / 100 - 70, DRAWS / 100 + 70);
    assert_int_equal(drawn[3], 0);
}

static unsigned tried_of(const unsigned *drawn, uint32_t count)
{
    unsigned tried = 0;
    for (uint32_t site = 1; site < count; site++)
        tried += drawn[site] > 0;
    return tried;
}

static void few_are_tried_and_those_are_finished(void **state)
{
    (void)state;
    unsigned drawn[MANY_SITES] = {0};
    uint64_t seed = 1;
    sampled(1, 9000);
    for (uint32_t site = 2; site < MANY_SITES; site++)
        sampled(site, 300);
    struct segment_owner owner = {.segment = segment, .fd = -1};
    assert_int_equal(targets_update(&targets, &owner, MANY_SITES), 0);
    for (int i = 0; i < 15; i++)
        drawn[targets_draw(&targets, &seed)]++;
    assert_int_equal(tried_of(drawn, MANY_SITES), 3);
}

static void where_only_few_have_a_part_all_get_an_answer_soon(void **state)
{
    (void)state;
    unsigned drawn[SITES] = {0};
    uint64_t seed = 1;
    sampled(1, 5400);
    sampled(2, 3900);
    sampled(3, 400);
    sampled(4, 300);
    update();
    for (int i = 0; i < 16; i++)
        drawn[targets_draw(&targets, &seed)]++;
    for (int site = 1; site <= 4; site++)
        assert_true(drawn[site] >= CURVE_MIN_UNITS);
}

static void all_with_a_notable_part_get_an_answer_soon(void **state)
{
    (void)state;
    unsigned drawn[SITES] = {0};
    uint64_t seed = 1;
    sampled(1, 8000);
    for (uint32_t site = 2; site < SITES; site++)
        sampled(site, 700);
    update();
    for (int i = 0; i < 5 * (SITES - 1); i++)
        drawn[targets_draw(&targets, &seed)]++;
    for (int site = 1; site < SITES; site++)
        assert_true(drawn[site] >= CURVE_MIN_UNITS);
}

/* Sites 1 to count have those parts. After so many draws each of the first ones had at least that many. */
static void first_get(uint32_t first, unsigned least, int draws, const uint64_t *parts, uint32_t count)
{
    unsigned drawn[MANY_SITES] = {0};
    uint64_t seed = 1;
    for (uint32_t i = 0; i < count; i++)
        sampled(i + 1, parts[i]);
    struct segment_owner owner = {.segment = segment, .fd = -1};
    assert_int_equal(targets_update(&targets, &owner, count + 1), 0);
    for (int i = 0; i < draws; i++)
        drawn[targets_draw(&targets, &seed)]++;
    for (uint32_t site = 1; site <= first; site++)
        assert_true(drawn[site] >= least);
}

/* Which has some 26 blocks for lines. */
static void ten_with_a_notable_part_get_an_answer_in_half_a_minute(void **state)
{
    static const uint64_t parts[] = {425, 128, 125, 99, 86, 45, 39, 28, 21, 20};
    (void)state;
    first_get(10, CURVE_MIN_KNOWN_UNITS, 26, parts, sizeof parts / sizeof *parts);
}

/* Where a visit takes tens of milliseconds, half a minute has ten blocks. */
static void few_blocks_are_enough_for_four(void **state)
{
    static const uint64_t parts[] = {478, 456, 25, 19, 11};
    (void)state;
    first_get(4, CURVE_MIN_KNOWN_UNITS, 10, parts, sizeof parts / sizeof *parts);
}

/* Three more beside them change nothing for the ten. */
static void of_thirteen_the_ten_largest_get_an_answer(void **state)
{
    static const uint64_t parts[] = {130, 125, 115, 103, 94, 87, 78, 55, 39, 38, 29, 14, 13};
    (void)state;
    first_get(10, CURVE_MIN_UNITS, 40, parts, sizeof parts / sizeof *parts);
}

static void of_nine_all_get_an_answer_even_with_a_hundredth(void **state)
{
    static const uint64_t parts[] = {540, 190, 180, 26, 24, 21, 11, 10, 7};
    (void)state;
    first_get(9, CURVE_MIN_UNITS, 60, parts, sizeof parts / sizeof *parts);
}

static void what_was_lost_is_drawn_again(void **state)
{
    (void)state;
    unsigned drawn[SITES] = {0};
    uint64_t seed = 1;
    sampled(1, 9000);
    sampled(2, 1000);
    update();
    for (int i = 0; i < 60; i++) {
        uint32_t site = targets_draw(&targets, &seed);
        drawn[site]++;
        if (site == 2 && drawn[2] <= 6) { /* both windows of the block */
            targets_lose(&targets, site, 0.5);
            targets_lose(&targets, site, 0.5);
        }
        if (i == 15)
            assert_true(drawn[2] >= 6); /* as often as an answer takes, and still without one */
    }
    assert_int_equal(targets.blocks[2], drawn[2] - 6);
    targets_lose(&targets, UINT32_MAX, 1);
}

static void one_with_next_to_no_part_waits(void **state)
{
    (void)state;
    uint64_t seed = 7;
    sampled(1, 700000);
    sampled(2, 298000);
    sampled(3, 2000);
    update();
    unsigned drawn[SITES] = {0};
    for (int i = 0; i < 9; i++)
        drawn[targets_draw(&targets, &seed)]++;
    assert_in_range(drawn[1], 4, 6);
    assert_in_range(drawn[2], 3, 5);
    assert_int_equal(drawn[3], 0);
    for (int i = 0; i < 40; i++)
        drawn[targets_draw(&targets, &seed)]++;
    assert_int_not_equal(drawn[3], 0);
}

static void earlier_runs_count(void **state)
{
    (void)state;
    uint64_t seed = 1;
    for (uint32_t site = 1; site < SITES; site++)
        sampled(site, 1000);
    for (int i = 0; i < 3; i++)
        assert_int_equal(targets_remember(&targets, 2 + (uint32_t)i, SITES), 0);
    update();
    /* Three were begun by an earlier run, with too few blocks: they come before any other. */
    for (int i = 0; i < 3; i++)
        assert_in_range(targets_draw(&targets, &seed), 2, 4);
}

static void what_was_long_ago_fades(void **state)
{
    (void)state;
    unsigned drawn[SITES];
    sampled(1, 1000000);
    update();
    for (int i = 0; i < 40; i++) {
        sampled(2, 1000);
        update();
    }
    draw(drawn);
    assert_true(drawn[2] > drawn[1]);
    /* The same totals again are no new samples. */
    double recent = targets.recent_ns[2];
    update();
    assert_true(targets.recent_ns[2] < recent);
}

static void sites_may_come_later(void **state)
{
    (void)state;
    uint64_t seed = 1;
    sampled(1, 1000);
    assert_int_equal(targets_update(&targets, &(struct segment_owner){.segment = segment, .fd = -1}, 2), 0);
    assert_int_equal(targets_draw(&targets, &seed), 1);
    sampled(4, 1000000000);
    assert_int_equal(targets_update(&targets, &(struct segment_owner){.segment = segment, .fd = -1}, SITES),
                     0);
    assert_int_equal(targets_draw(&targets, &seed), 4);
}

static void waits(uint32_t site)
{
    assert_int_equal(targets_add_beside(&targets, site, BESIDE_WAIT, SITES), 0);
}

/* Of eight blocks one is a wait's, however long it is: the largest first, until it has enough for an answer. */
static void waits_may_be_few(void **state)
{
    (void)state;
    unsigned drawn[SITES] = {0};
    uint64_t seed = 1;
    targets.waits_are_few = true;
    waits(4);
    waits(5);
    sampled(1, 1000);
    sampled(4, 500000);
    sampled(5, 900000);
    update();
    for (int i = 0; i < 8 * 5; i++)
        drawn[targets_draw(&targets, &seed)]++;
    assert_int_equal(drawn[1], 35);
    assert_int_equal(drawn[5], 5);
    for (int i = 0; i < 8 * 5; i++)
        drawn[targets_draw(&targets, &seed)]++;
    assert_int_equal(drawn[4], 5);
    for (int i = 0; i < 8 * 100; i++)
        drawn[targets_draw(&targets, &seed)]++;
    assert_int_equal(drawn[1], 770);
    assert_in_range(drawn[5], 60, 75); /* 900 of 1400 */
}

/* So it is over several runs: no wait comes sooner because lines were tried before. */
static void waits_of_earlier_runs_count(void **state)
{
    (void)state;
    uint64_t seed = 1;
    targets.waits_are_few = true;
    for (int i = 0; i < 14; i++)
        assert_int_equal(targets_remember(&targets, 1, SITES), 0);
    targets_remember_wait(&targets);
    targets_remember_wait(&targets);
    waits(4);
    sampled(1, 1000);
    sampled(4, 500000);
    update();
    for (int i = 0; i < 7; i++)
        assert_int_equal(targets_draw(&targets, &seed), 1);
    assert_int_equal(targets_draw(&targets, &seed), 4);
    assert_int_equal(targets_draw(&targets, &seed), 1);
}

static void who_only_waits_is_drawn_as_well(void **state)
{
    (void)state;
    uint64_t seed = 1;
    targets.waits_are_few = true;
    waits(4);
    update();
    assert_int_equal(targets_draw(&targets, &seed), 0);
    sampled(4, 500000);
    update();
    assert_int_equal(targets_draw(&targets, &seed), 4);
}

static void fixed_ones_take_turns(void **state)
{
    (void)state;
    uint64_t seed = 1;
    sampled(5, 1000000);
    update();
    targets.fixed[0] = 3;
    targets.fixed[1] = 1;
    targets.fixed_count = 2;
    for (int i = 0; i < 10; i++)
        assert_int_equal(targets_draw(&targets, &seed), i % 2 ? 1 : 3);
}

/* The counters of most sites were never written to: they have no memory, and get none by being looked at. */
static void looking_takes_no_memory(void **state)
{
    (void)state;
    const uint32_t sampled_sites[] = {5, 70000, 70001, SEGMENT_SITES - 1};
    struct segment_owner owner;
    struct stat before, after;
    uint32_t found = 0, looked_at = 0;
    assert_int_equal(segment_create(&owner, NULL), 0);
    for (size_t i = 0; i < sizeof sampled_sites / sizeof *sampled_sites; i++)
        atomic_store(&owner.segment->sites[sampled_sites[i]].cpu_ns, 1000000);
    assert_int_equal(fstat(owner.fd, &before), 0);
    assert_int_equal(targets_update(&targets, &owner, SEGMENT_SITES), 0);
    for (uint32_t from = 1, end; segment_next_counted(&owner, &from, &end); from = end) {
        assert_true(from < end && end <= SEGMENT_SITES);
        looked_at += end - from;
        for (uint32_t site = from; site < end; site++)
            found += atomic_load(&owner.segment->sites[site].cpu_ns) > 0;
    }
    assert_int_equal(fstat(owner.fd, &after), 0);
    assert_int_equal(found, sizeof sampled_sites / sizeof *sampled_sites);
    assert_true(looked_at < SEGMENT_SITES / 2);
    assert_int_equal(after.st_blocks, before.st_blocks);
    assert_true(targets.recent_ns[70001] > 0);
    segment_destroy(&owner);
}

static void who_is_put_first_is_drawn_next(void **state)
{
    (void)state;
    uint64_t seed = 3;
    sampled(1, 900000);
    sampled(2, 100000);
    update();
    for (int i = 0; i < 40; i++)
        targets_draw(&targets, &seed);
    assert_int_equal(targets_put_first(&targets, 4, SITES), 0); /* which has no samples at all */
    uint32_t draws = targets.draws;
    for (int i = 0; i < CURVE_MIN_UNITS; i++) {
        assert_int_equal(targets_draw(&targets, &seed), 4);
        assert_int_equal(targets_turn(&targets, 4), i);
    }
    assert_int_equal(targets.draws, draws + CURVE_MIN_UNITS);
    unsigned drawn[SITES];
    draw(drawn);
    assert_int_equal(drawn[4], 0);
}

static void who_is_named_is_put_first(void **state)
{
    (void)state;
    uint64_t seed = 3;
    targets.fixed[0] = 5;
    targets.fixed[1] = 2;
    targets.fixed[2] = 3;
    targets.fixed_count = 3;
    targets.only_fixed = true;
    assert_int_equal(targets_draw(&targets, &seed), 5);
    assert_int_equal(targets_put_first(&targets, 3, SITES), 0);
    assert_int_equal(targets_draw(&targets, &seed), 3);
    assert_int_equal(targets_draw(&targets, &seed), 5);
    assert_int_equal(targets_put_first(&targets, 2, SITES), 0);
    assert_int_equal(targets_draw(&targets, &seed), 2);
    assert_int_equal(targets_put_first(&targets, 1, SITES), -EINVAL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_drawn_without_samples, begin, end),
        cmocka_unit_test_setup_teardown(draws_follow_the_samples, begin, end),
        cmocka_unit_test_setup_teardown(small_shares_have_a_floor_and_the_smallest_none, begin, end),
        cmocka_unit_test_setup_teardown(few_are_tried_and_those_are_finished, begin, end),
        cmocka_unit_test_setup_teardown(where_only_few_have_a_part_all_get_an_answer_soon, begin, end),
        cmocka_unit_test_setup_teardown(what_was_lost_is_drawn_again, begin, end),
        cmocka_unit_test_setup_teardown(of_thirteen_the_ten_largest_get_an_answer, begin, end),
        cmocka_unit_test_setup_teardown(of_nine_all_get_an_answer_even_with_a_hundredth, begin, end),
        cmocka_unit_test_setup_teardown(few_blocks_are_enough_for_four, begin, end),
        cmocka_unit_test_setup_teardown(ten_with_a_notable_part_get_an_answer_in_half_a_minute, begin, end),
        cmocka_unit_test_setup_teardown(all_with_a_notable_part_get_an_answer_soon, begin, end),
        cmocka_unit_test_setup_teardown(one_with_next_to_no_part_waits, begin, end),
        cmocka_unit_test_setup_teardown(earlier_runs_count, begin, end),
        cmocka_unit_test_setup_teardown(what_was_long_ago_fades, begin, end),
        cmocka_unit_test_setup_teardown(sites_may_come_later, begin, end),
        cmocka_unit_test_setup_teardown(waits_may_be_few, begin, end),
        cmocka_unit_test_setup_teardown(waits_of_earlier_runs_count, begin, end),
        cmocka_unit_test_setup_teardown(who_only_waits_is_drawn_as_well, begin, end),
        cmocka_unit_test_setup_teardown(fixed_ones_take_turns, begin, end),
        cmocka_unit_test_setup_teardown(looking_takes_no_memory, begin, end),
        cmocka_unit_test_setup_teardown(who_is_put_first_is_drawn_next, begin, end),
        cmocka_unit_test_setup_teardown(who_is_named_is_put_first, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
