/* In which regions a thread is, and how long it works there. Ticks are nanoseconds here. */
#include "fake_account.h"
#include "runtime/ledger/regions.h"
#include "shared/region_slots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

enum { US = 1000 };
enum { HERE = 0x1000, THERE = 0x2000, HIGH = 0x9000, LOW = 0x8000 }; /* marks, and where their frames lie */

static struct regions regions;
static struct segment_region *outer, *inner;

static int begin(void **state)
{
    int rc = fake_begin(state);
    if (rc)
        return rc;
    regions = (struct regions){0};
    outer = region_slot_of(runtime_segment, "outer");
    inner = region_slot_of(runtime_segment, "inner");
    return outer && inner ? 0 : -1;
}

static void is_told(const struct segment_region *region, uint64_t count, uint64_t ns)
{
    regions_tell(&regions);
    assert_int_equal(atomic_load(&region->count), count);
    assert_int_equal(atomic_load(&region->ns), ns);
}

static void a_name_has_one_slot(void **state)
{
    (void)state;
    assert_ptr_equal(region_slot_of(runtime_segment, "outer"), outer);
    assert_ptr_not_equal(outer, inner);
    assert_string_equal(inner->name, "inner");
    char name[16];
    for (int i = 0; i < SEGMENT_REGIONS - 2; i++) {
        snprintf(name, sizeof name, "%d", i);
        assert_non_null(region_slot_of(runtime_segment, name));
    }
    assert_null(region_slot_of(runtime_segment, "one too many"));
    assert_int_equal(atomic_load(&runtime_segment->refusals.regions), 1);
}

static void regions_within_each_other_count_once_each(void **state)
{
    (void)state;
    regions_begin(&regions, outer, 100 * US, HERE, HIGH);
    regions_begin(&regions, inner, 110 * US, HERE, LOW);
    regions_begin(&regions, outer, 120 * US, THERE, LOW); /* recursion by way of another one */
    regions_begin(&regions, outer, 125 * US, THERE, LOW - 64);
    regions_end(&regions, outer, 128 * US);
    regions_end(&regions, outer, 130 * US);
    regions_end(&regions, inner, 140 * US);
    regions_end(&regions, outer, 200 * US);
    assert_int_equal(regions.depth, 0);
    is_told(outer, 3, 100 * US);
    is_told(inner, 1, 30 * US);
    assert_int_equal(atomic_load(&outer->left_open), 0);
}

static void what_was_left_is_closed_and_counted(void **state)
{
    (void)state;
    regions_begin(&regions, outer, 0, HERE, HIGH);
    regions_begin(&regions, inner, 10 * US, HERE, LOW);
    regions_end(&regions, outer, 30 * US);
    is_told(inner, 1, 20 * US);
    assert_int_equal(atomic_load(&inner->left_open), 1);
    regions_begin(&regions, inner, 40 * US, HERE, LOW); /* gone round a loop, and past its end */
    regions_begin(&regions, inner, 50 * US, HERE, LOW);
    assert_int_equal(regions.depth, 1);
    assert_int_equal(atomic_load(&inner->left_open), 2);
    regions_end(&regions, inner, 60 * US);
    regions_end(&regions, inner, 70 * US);
    assert_int_equal(atomic_load(&inner->never_begun), 1);
    is_told(inner, 3, 40 * US);
}

static void too_deep_is_not_lost_count_of(void **state)
{
    (void)state;
    char name[16];
    for (int i = 0; i < REGION_FRAMES; i++) {
        snprintf(name, sizeof name, "%d", i);
        regions_begin(&regions, region_slot_of(runtime_segment, name), 0, HERE, HIGH - 64 * (uintptr_t)i);
    }
    regions_begin(&regions, outer, 10 * US, HERE, LOW);
    regions_begin(&regions, inner, 20 * US, HERE, LOW);
    regions_end(&regions, inner, 30 * US);
    regions_end(&regions, outer, 40 * US);
    assert_int_equal(regions.depth, REGION_FRAMES);
    for (int i = REGION_FRAMES; i-- > 0;) {
        snprintf(name, sizeof name, "%d", i);
        regions_end(&regions, region_slot_of(runtime_segment, name), 100 * US);
    }
    assert_int_equal(regions.depth, 0);
    is_told(region_slot_of(runtime_segment, "0"), 1, 100 * US);
    assert_int_equal(atomic_load(&runtime_segment->refusals.regions), 1);
}

static void become_target(struct segment_region *region)
{
    atomic_store(&region->target, FAKE_SITE);
    atomic_store(&runtime_segment->target, segment_target_make(FAKE_SITE | SEGMENT_TARGET_REGION, 500));
    regions_follow(&regions);
}

static void time_in_the_target_is_settled_once(void **state)
{
    (void)state;
    become_target(inner);
    for (uint64_t at = 0; at < 100 * US; at += 10 * US) {
        regions_begin(&regions, outer, at, HERE, HIGH);
        regions_begin(&regions, inner, at + US, HERE, LOW);
        regions_begin(&regions, inner, at + 2 * US, THERE, LOW - 64);
        regions_end(&regions, inner, at + 3 * US);
        regions_end(&regions, inner, at + 4 * US);
        regions_end(&regions, outer, at + 9 * US);
    }
    assert_true(regions_are_in_target(&regions));
    assert_int_equal(regions_take(&regions), 30 * US);
    assert_int_equal(regions_take(&regions), 0);
    assert_false(regions_are_in_target(&regions));
    is_told(inner, 20, 30 * US);
    assert_int_equal(atomic_load(&runtime_segment->sites[FAKE_SITE].cpu_ns), 30 * US);
    assert_int_equal(atomic_load(&inner->baseline_ns), 0);
}

static void another_target_takes_what_is_open(void **state)
{
    (void)state;
    become_target(inner);
    uint64_t now = ticks_read();
    regions_begin(&regions, outer, now, HERE, HIGH);
    atomic_store(&inner->target, 0);
    atomic_store(&outer->target, FAKE_SITE + 1);
    atomic_store(&runtime_segment->target, segment_target_make((FAKE_SITE + 1) | SEGMENT_TARGET_REGION, 500));
    assert_int_equal(regions_take(&regions), 0); /* of the old one nothing is settled any more */
    regions_follow(&regions);
    assert_int_equal(regions.target_depth, 1);
    assert_true(regions_take(&regions) <= ticks_read() - now);
}

static void what_is_no_work_is_taken_off(void **state)
{
    (void)state;
    regions.stopped = ticks_read();
    uint64_t now = regions.stopped;
    regions_begin(&regions, outer, now, HERE, HIGH);
    while (ticks_read() - now < 200 * US)
        continue;
    regions_go_on(&regions, NULL); /* it waited from its beginning until now */
    uint64_t back = ticks_read();
    regions_end(&regions, outer, back);
    regions_tell(&regions);
    assert_true(atomic_load(&outer->ns) <= back - now - 200 * US);
}

/* As the marks do it. Returns whether the entry was timed. */
static bool enter(struct segment_region *region, uint64_t now, uintptr_t at, uintptr_t stack)
{
    if (regions_pass(&regions, region, at, stack))
        return false;
    regions_begin(&regions, region, now, at, stack);
    return true;
}

static void leave(struct segment_region *region, uint64_t now)
{
    if (!regions_end_passed(&regions, region))
        regions_end(&regions, region, now);
    else if (regions.depth && !regions.passed.region)
        regions_close_inner(&regions);
}

static void is_near(uint64_t found, uint64_t expected)
{
    assert_in_range(found, expected - expected / 20, expected + expected / 20);
}

static void few_of_many_entries_are_timed(void **state)
{
    (void)state;
    enum { PAIRS = 1000000, EVERY = 2 };
    uint64_t now = US, took = 0, timed = 0;
    become_target(outer);
    for (unsigned i = 0; i < PAIRS; i++) { /* a rhythm, and the region within it at some entries */
        uint64_t length = i % EVERY ? US / 2 : 2 * US;
        timed += enter(outer, now, HERE, HIGH);
        if (i % 5 == 0) {
            enter(inner, now, HERE, LOW);
            leave(inner, now + 100);
        }
        leave(outer, now + length);
        took += length;
        now += length + US;
    }
    assert_in_range(timed, PAIRS / 70, PAIRS / 20);
    is_near(regions_take(&regions), took);
    regions_tell(&regions);
    assert_int_equal(atomic_load(&outer->count), PAIRS);
    is_near(atomic_load(&outer->ns), took);
    assert_int_equal(atomic_load(&inner->count), PAIRS / 5);
    assert_int_equal(atomic_load(&inner->ns), PAIRS / 5 * 100);
    assert_int_equal(atomic_load(&outer->left_open) + atomic_load(&outer->never_begun), 0);
}

static void seldom_or_long_entries_are_all_timed(void **state)
{
    (void)state;
    uint64_t now = US;
    for (unsigned i = 0; i < 1000; i++, now += 110 * US) {
        assert_true(enter(outer, now, HERE, HIGH));
        leave(outer, now + US);
    }
    for (unsigned i = 0; i < 1000; i++, now += 51 * US) { /* long ones: 20 us apart would not be seldom */
        assert_true(enter(inner, now, HERE, HIGH));
        leave(inner, now + 50 * US);
    }
    is_told(outer, 1000, 1000 * US);
    is_told(inner, 1000, 50000 * US);
}

/* Passes entries by until one was. Returns when. */
static uint64_t pass_one(uint64_t now, uintptr_t at, uintptr_t stack)
{
    while (enter(outer, now, at, stack)) {
        leave(outer, now + 100);
        now += 200;
    }
    return now;
}

static void an_entry_that_was_passed_by_ends_as_any_other(void **state)
{
    (void)state;
    uint64_t now = pass_one(US, HERE, HIGH);
    assert_false(enter(outer, now, THERE, LOW)); /* recursion */
    assert_true(enter(inner, now, HERE, LOW));   /* never ended */
    leave(outer, now + 100);
    assert_int_equal(regions.depth, 1);
    leave(outer, now + 100);
    assert_int_equal(regions.depth, 0);
    assert_null(regions.passed.region);
    assert_int_equal(atomic_load(&inner->left_open), 1);
    assert_int_equal(atomic_load(&outer->left_open), 0);
}

static void an_entry_that_was_passed_by_and_left_is_noticed(void **state)
{
    (void)state;
    uint64_t now = pass_one(US, HERE, LOW);
    now = pass_one(now, HERE, LOW); /* round a loop, and past its end */
    assert_int_equal(atomic_load(&outer->left_open), 1);
    now = pass_one(now, THERE, HIGH); /* the function that began it has returned */
    assert_int_equal(atomic_load(&outer->left_open), 2);
    leave(outer, now);
    pass_one(now, HERE, LOW);
    regions_close(&regions);
    assert_int_equal(atomic_load(&outer->left_open), 3);
    assert_int_equal(atomic_load(&outer->never_begun), 0);
}

static void an_entry_is_counted_though_another_region_took_its_place(void **state)
{
    (void)state;
    char name[16];
    struct segment_region *other = inner;
    for (int i = 0; regions_tally_slot(&regions, other) != regions_tally_slot(&regions, outer); i++) {
        snprintf(name, sizeof name, "%d", i);
        other = region_slot_of(runtime_segment, name);
    }
    uint64_t now = pass_one(US, HERE, HIGH);
    regions_tell(&regions);
    uint64_t before = atomic_load(&outer->count);
    enter(other, now, HERE, LOW);
    enter(outer, now, THERE, LOW - 64);
    leave(outer, now);
    leave(other, now + 100);
    leave(outer, now + 100);
    regions_tell(&regions);
    assert_int_equal(atomic_load(&outer->count), before + 1);
    assert_int_equal(atomic_load(&other->count), 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, fake_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_name_has_one_slot),
        TEST(regions_within_each_other_count_once_each),
        TEST(what_was_left_is_closed_and_counted),
        TEST(too_deep_is_not_lost_count_of),
        TEST(time_in_the_target_is_settled_once),
        TEST(another_target_takes_what_is_open),
        TEST(what_is_no_work_is_taken_off),
        TEST(few_of_many_entries_are_timed),
        TEST(seldom_or_long_entries_are_all_timed),
        TEST(an_entry_that_was_passed_by_ends_as_any_other),
        TEST(an_entry_that_was_passed_by_and_left_is_noticed),
        TEST(an_entry_is_counted_though_another_region_took_its_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
