/* When objects and bytes were handed on, and what was required then. */
#include "fake_account.h"
#include "runtime/ledger/handover.h"
#include "shared/thread_slots.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static int door, other;

static struct segment_thread *thread_of(uint32_t tid)
{
    struct segment_thread *slot = thread_slot_claim(runtime_segment, tid, (uint32_t)getpid());
    assert_non_null(slot);
    return slot;
}

static void an_object_is_known_since_it_was_handed_on(void **state)
{
    (void)state;
    struct handover found;
    uint64_t before_ns = clock_wall_ns() - 1;
    assert_false(handover_find(&door, before_ns, &found));
    fake_require(1000);
    handover_note(&door, 7);
    fake_require(5000); /* became due later */
    assert_true(handover_find(&door, before_ns, &found));
    assert_int_equal(found.required_ns, 1007);
    assert_in_range(found.ns, before_ns, clock_wall_ns());
    assert_false(handover_find(&door, found.ns, &found));
    assert_false(handover_find(&other, before_ns, &found));
}

static void who_hands_on_before_it_pays_is_that_much_earlier(void **state)
{
    (void)state;
    struct handover found;
    struct segment_thread *own = thread_of(1), *waker = thread_of(2);
    uint64_t before_ns = clock_wall_ns() - 1;
    fake_require(1000);
    handover_note(&door, -300);
    assert_true(handover_find(&door, before_ns, &found));
    assert_int_equal(found.required_ns, 700);
    handover_note_bytes(waker, -400);
    assert_true(handover_find_bytes(own, before_ns, clock_wall_ns(), &found));
    assert_int_equal(found.required_ns, 600);
}

static void the_latest_time_counts(void **state)
{
    (void)state;
    struct handover found;
    uint64_t before_ns = clock_wall_ns() - 1;
    fake_require(1000);
    handover_note(&door, 0);
    fake_require(3000);
    handover_note(&door, 0);
    assert_true(handover_find(&door, before_ns, &found));
    assert_int_equal(found.required_ns, 3000);
}

static void bytes_are_known_of_all_threads_but_the_own(void **state)
{
    (void)state;
    struct handover found;
    struct segment_thread *own = thread_of(1), *first = thread_of(2), *second = thread_of(3);
    uint64_t before_ns = clock_wall_ns() - 1;
    handover_note_bytes(own, 0);
    assert_false(handover_find_bytes(own, before_ns, clock_wall_ns(), &found));
    fake_require(2000);
    handover_note_bytes(second, 0);
    uint64_t between_ns = clock_wall_ns();
    while (clock_wall_ns() == between_ns)
        ;
    fake_require(4000);
    handover_note_bytes(first, 5);
    assert_true(handover_find_bytes(own, before_ns, clock_wall_ns(), &found));
    assert_int_equal(found.required_ns, 4005);
    assert_true(handover_find_bytes(own, before_ns, between_ns, &found)); /* the wait was over then */
    assert_int_equal(found.required_ns, 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_object_is_known_since_it_was_handed_on, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(who_hands_on_before_it_pays_is_that_much_earlier, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(the_latest_time_counts, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(bytes_are_known_of_all_threads_but_the_own, fake_begin, fake_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
