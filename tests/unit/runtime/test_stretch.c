/* How much of what a thread runs between two hooked calls lies in the target. */
#include "fake_account.h"
#include "runtime/ledger/stretch.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { US = 1000, MS = 1000000, SAMPLES_UNTIL_GIVEN_UP = 64 };
enum { HERE = 0x1000, THERE = 0x2000, ELSEWHERE = 0x3000 }; /* return addresses */

static struct fake_account fake;
static struct stretch stretch;

static struct instant later(struct instant from, uint64_t ns)
{
    return (struct instant){from.wall_ns + ns, from.cpu_ns + ns};
}

static void begin_at(uintptr_t from, struct instant now)
{
    fake_target(500);
    stretch_start(&stretch, FAKE_SITE, from, now);
}

static uint64_t turn_at(uintptr_t at, struct instant *now)
{
    *now = instant_move(&fake.account.presence, stretch.since);
    return stretch_turn(&stretch, at, *now);
}

static void a_long_stretch_settles_at_its_samples_by_what_they_found(void **state)
{
    (void)state;
    struct instant now = {MS, MS};
    uint64_t in_target_ns = 0, ran_ns = 0;
    begin_at(ELSEWHERE, now);
    for (int i = 0; i < 100; i++) {
        now = later(now, FAKE_PERIOD_NS);
        ran_ns += FAKE_PERIOD_NS;
        in_target_ns += stretch_sample(&stretch, FAKE_SITE, i % 4 == 0, FAKE_PERIOD_NS, now);
    }
    assert_true(stretch.is_long);
    assert_in_range(in_target_ns, ran_ns / 4 - 3 * FAKE_PERIOD_NS, ran_ns / 4 + 3 * FAKE_PERIOD_NS);
}

/* Stretches of ten samples, all alike. In each the target is what the first two or the last two of them find: by what is
 * learnt of such stretches, a fifth of any part of one. */
static uint64_t step_through_alike(bool at_the_end, uint64_t *ran_ns)
{
    enum { STRETCHES = 200, SAMPLES = 10, LEARNING = 20 };
    struct account *account = fake_account(&fake);
    uint64_t in_target_ns = 0;
    begin_at(HERE, instant_now(&account->presence));
    for (int i = 0; i < STRETCHES; i++) {
        struct instant now = stretch.since;
        uint64_t stepped_ns = 0;
        for (int j = 0; j < SAMPLES; j++) {
            now = later(now, FAKE_PERIOD_NS);
            stepped_ns += stretch_sample(&stretch, FAKE_SITE, at_the_end ? j >= SAMPLES - 2 : j < 2,
                                         FAKE_PERIOD_NS, now);
        }
        stepped_ns += turn_at(HERE, &now);
        if (i < LEARNING)
            continue;
        in_target_ns += stepped_ns;
        *ran_ns += SAMPLES * FAKE_PERIOD_NS;
    }
    return in_target_ns;
}

static void a_long_stretch_is_not_taken_for_what_its_beginning_is(void **state)
{
    (void)state;
    for (int at_the_end = 0; at_the_end < 2; at_the_end++) {
        uint64_t ran_ns = 0, in_target_ns = step_through_alike(at_the_end, &ran_ns);
        assert_in_range(in_target_ns, ran_ns * 19 / 100, ran_ns * 21 / 100);
    }
}

static void a_thread_that_never_hits_is_followed_no_longer(void **state)
{
    (void)state;
    struct instant now = {MS, MS};
    begin_at(ELSEWHERE, now);
    for (int i = 0; i < SAMPLES_UNTIL_GIVEN_UP; i++) {
        assert_true(stretch_is_followed(&stretch));
        now = later(now, FAKE_PERIOD_NS);
        assert_int_equal(stretch_sample(&stretch, FAKE_SITE, false, FAKE_PERIOD_NS, now), 0);
    }
    assert_false(stretch_is_followed(&stretch));
    stretch_sample(&stretch, FAKE_SITE, true, FAKE_PERIOD_NS, later(now, FAKE_PERIOD_NS));
    assert_true(stretch_is_followed(&stretch));
}

static void who_hardly_runs_may_be_dropped_until_it_hits(void **state)
{
    (void)state;
    struct instant now = {MS, MS};
    begin_at(ELSEWHERE, now);
    assert_true(stretch_drop(&stretch));
    assert_false(stretch_is_followed(&stretch));
    assert_true(stretch_drop(&stretch));
    for (int i = 0; i < 8; i++)
        stretch_sample(&stretch, FAKE_SITE, true, FAKE_PERIOD_NS, now = later(now, FAKE_PERIOD_NS));
    assert_false(stretch_drop(&stretch));
    assert_true(stretch_is_followed(&stretch));
}

static void short_stretches_learn_their_share_together(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    struct instant now = instant_now(&account->presence);
    begin_at(HERE, now);
    uint64_t in_target_ns = 0, ran_ns = 0;
    for (int i = 0; i < 2000; i++) { /* HERE to THERE: every other sample hits; THERE to HERE: none does */
        stretch.since = now = instant_now(&account->presence);
        if (i % 8 == 0)
            stretch_sample(&stretch, FAKE_SITE, i % 16 == 0, FAKE_PERIOD_NS, now);
        stretch.since = later(now, (uint64_t)(-20 * US));
        uint64_t part_ns = turn_at(THERE, &now);
        if (i >= 1000) {
            in_target_ns += part_ns;
            ran_ns += 20 * US;
        }
        stretch.since = now = instant_now(&account->presence);
        if (i % 8 == 4)
            stretch_sample(&stretch, FAKE_SITE, false, FAKE_PERIOD_NS, now);
        in_target_ns += i >= 1000 ? turn_at(HERE, &now) : 0 * turn_at(HERE, &now);
    }
    assert_in_range(in_target_ns, ran_ns * 35 / 100, ran_ns * 75 / 100);
}

static void our_own_time_is_none_of_it(void **state)
{
    (void)state;
    struct instant now = {MS, MS};
    begin_at(ELSEWHERE, now);
    stretch_skip(&stretch, now, later(now, 300 * US));
    assert_int_equal(stretch.since.cpu_ns, MS + 300 * US);
    stretch_anew(&stretch, later(now, 500 * US));
    assert_int_equal(stretch.since.cpu_ns, MS + 500 * US);
}

static void time_in_a_wait_moves_the_wall_clock_only(void **state)
{
    (void)state;
    struct instant now = {MS, MS};
    begin_at(ELSEWHERE, now);
    stretch_waited(&stretch, (struct instant){MS + 5 * MS, MS + 100 * US});
    assert_int_equal(stretch.since.cpu_ns, MS);
    assert_int_equal(stretch.since.wall_ns, 6 * MS - 100 * US);
}

static void another_target_begins_anew(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    struct instant now = instant_now(&account->presence);
    begin_at(HERE, now);
    atomic_store(&runtime_segment->target, segment_target_make(FAKE_SITE + 1, 500));
    assert_int_equal(turn_at(THERE, &now), 0);
    stretch_sample(&stretch, FAKE_SITE + 1, true, FAKE_PERIOD_NS, now);
    assert_int_equal(stretch.target, FAKE_SITE + 1);
}

/* Threads of two names that run the same code: all of one, nothing of the other, from the first call on. */
static void a_thread_is_in_the_target_or_it_is_not(void **state)
{
    (void)state;
    struct account *account = fake_account(&fake);
    struct instant now = instant_now(&account->presence);
    struct stretch other = {0};
    runtime_segment->granularity = GRANULARITY_THREAD;
    begin_at(HERE, now);
    stretch_name(&stretch, FAKE_SITE, true, now);
    stretch_name(&other, FAKE_SITE, false, now);
    assert_true(stretch_is_followed(&stretch));
    assert_false(stretch_is_followed(&other));
    for (int i = 0; i < 20; i++) {
        now = instant_now(&account->presence);
        stretch.since = later(now, (uint64_t)(-20 * US));
        uint64_t part_ns = turn_at(THERE, &now);
        assert_in_range(part_ns, 20 * US, 20 * MS);
        assert_int_equal(stretch_sample(&other, FAKE_SITE, false, FAKE_PERIOD_NS, later(now, FAKE_PERIOD_NS)),
                         0);
    }
    /* By a sample it is known that it has the name, or has it no longer. */
    now = instant_now(&account->presence);
    stretch_sample(&other, FAKE_SITE, true, FAKE_PERIOD_NS, now);
    assert_true(stretch_is_followed(&other));
    assert_int_equal(stretch_sample(&other, FAKE_SITE, true, FAKE_PERIOD_NS, later(now, 40 * US)), 40 * US);
    stretch_sample(&other, FAKE_SITE, false, FAKE_PERIOD_NS, later(now, 60 * US));
    assert_false(stretch_is_followed(&other));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_long_stretch_settles_at_its_samples_by_what_they_found, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(a_long_stretch_is_not_taken_for_what_its_beginning_is, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(a_thread_that_never_hits_is_followed_no_longer, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(who_hardly_runs_may_be_dropped_until_it_hits, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(short_stretches_learn_their_share_together, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(our_own_time_is_none_of_it, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(time_in_a_wait_moves_the_wall_clock_only, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(another_target_begins_anew, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(a_thread_is_in_the_target_or_it_is_not, fake_begin, fake_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
