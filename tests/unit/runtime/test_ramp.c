/* What a thread that is getting ahead tells the others, and what they make of it. */
#include "fake_account.h"
#include "runtime/ledger/ramp.h"
#include "shared/growth.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { US = 1000, TRIES = 1000 };

static struct fake_account ours, theirs;

/* Another process's account: the owner's CPU clock is not to be had there, and the wall clock stands for it.
 */
static struct account *stranger(void)
{
    struct account *account = fake_account(&theirs);
    account->pid = ours.account.pid + 1;
    account->presence.number = ours.account.presence.number + 1;
    return account;
}

/* Publishes and folds until no stall of the machine comes between: a ramp that has climbed for longer than a
 * millisecond is taken for nothing. Returns the longest time, by the wall clock, for which it can have
 * climbed. */
static uint64_t publish_and_fold(struct account *owner, struct account *other, double rate)
{
    for (int i = 0; i < TRIES; i++) {
        uint64_t since_ns = clock_wall_ns() - 200 * US;
        ramp_publish(owner, rate, (struct instant){since_ns, 0});
        other->folded_ns = 0;
        ramps_fold(other);
        if (fake_required())
            return clock_wall_ns() - since_ns;
    }
    return 0;
}

static void others_fold_as_far_as_the_owner_has_come(void **state)
{
    (void)state;
    struct account *owner = fake_account(&ours), *other = stranger();
    assert_false(ramps_are_up());
    uint64_t longest_ns = publish_and_fold(owner, other, 0.5);
    assert_true(ramps_are_up());
    assert_in_range(fake_required(), 100 * US, longest_ns / 2);
    /* what it was in between is in the history */
    assert_true(growth_at(runtime_segment, clock_wall_ns()) == fake_required());
    ramp_end(owner);
}

static void the_owner_does_not_fold_its_own(void **state)
{
    (void)state;
    struct account *owner = fake_account(&ours);
    ramp_publish(owner, 0.5, (struct instant){clock_wall_ns() - 200 * US, 0});
    ramps_fold(owner);
    assert_int_equal(fake_required(), 0);
    ramp_end(owner);
}

static void what_is_held_or_hidden_is_not_folded(void **state)
{
    (void)state;
    struct account *owner = fake_account(&ours), *other = stranger();
    assert_true(publish_and_fold(owner, other, 0.5) > 0);
    uint64_t required_ns = fake_required();
    ramp_hold(owner);
    other->folded_ns = 0;
    ramps_fold(other);
    assert_int_equal(fake_required(), required_ns);
    ramp_hide(owner);
    assert_false(ramps_are_up());
    other->folded_ns = 0;
    ramps_fold(other);
    assert_int_equal(fake_required(), required_ns);
    ramp_end(owner);
}

static void folds_are_not_more_often_than_every_20_us(void **state)
{
    (void)state;
    struct account *owner = fake_account(&ours), *other = stranger();
    assert_true(publish_and_fold(owner, other, 0.5) > 0);
    other->folded_ns = clock_wall_ns() + 1000000000u; /* looked just now, and will have for long */
    uint64_t required_ns, looked_ns;
    /* Again, should this thread lose its core in between; but a fold in time is wrong each time. */
    do {
        ramp_publish(owner, 1, (struct instant){clock_wall_ns() - 900 * US, 0});
        required_ns = fake_required();
        other->folded_ns = looked_ns = clock_wall_ns();
        ramps_fold(other);
    } while (clock_wall_ns() - looked_ns >= 20 * US);
    assert_int_equal(fake_required(), required_ns);
    ramp_end(owner);
}

static void an_ended_owner_leaves_no_slot_behind(void **state)
{
    (void)state;
    for (int i = 0; i < 3 * SEGMENT_RAMPS; i++) {
        struct account *owner = fake_account(&ours);
        ramp_publish(owner, 0.5, owner->mark);
        assert_non_null(owner->ramp);
        ramp_end(owner);
        assert_null(owner->ramp);
    }
    assert_false(ramps_are_up());
}

static void when_all_slots_are_taken_a_thread_publishes_nothing(void **state)
{
    (void)state;
    static struct fake_account many[SEGMENT_RAMPS + 1];
    for (int i = 0; i <= SEGMENT_RAMPS; i++) {
        struct account *owner = fake_account(&many[i]);
        ramp_publish(owner, 0.5, owner->mark);
        assert_true((owner->ramp != NULL) == (i < SEGMENT_RAMPS));
    }
    for (int i = 0; i <= SEGMENT_RAMPS; i++)
        ramp_end(&many[i].account);
}

static void a_slot_of_a_thread_that_was_killed_is_taken_over(void **state)
{
    (void)state;
    const uint32_t nobody = (1 << SEGMENT_PID_BITS) - 1; /* the largest there is */
    for (int i = 0; i < SEGMENT_RAMPS; i++) {
        atomic_store(&runtime_segment->ramp_slots[i].tid, nobody);
        atomic_store(&runtime_segment->ramp_slots[i].pid, nobody);
    }
    struct account *owner = fake_account(&ours);
    ramp_publish(owner, 0.5, owner->mark);
    assert_non_null(owner->ramp);
    ramp_end(owner);
}

/* The owner was a thread of this process, and has ended: its CPU clock is not there any more. */
static void errno_is_kept(void **state)
{
    (void)state;
    struct account *owner = fake_account(&theirs), *other = fake_account(&ours);
    owner->presence.number = (1 << SEGMENT_PID_BITS) - 1; /* the largest there is: nobody */
    ramp_publish(owner, 0.5, (struct instant){clock_wall_ns(), 0});
    assert_true(ramps_are_up());
    errno = EXDEV;
    ramps_fold(other);
    assert_int_equal(errno, EXDEV);
    assert_false(ramps_are_up()); /* it was asked for */
    assert_int_equal(fake_required(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(others_fold_as_far_as_the_owner_has_come, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(the_owner_does_not_fold_its_own, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(what_is_held_or_hidden_is_not_folded, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(folds_are_not_more_often_than_every_20_us, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(an_ended_owner_leaves_no_slot_behind, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(when_all_slots_are_taken_a_thread_publishes_nothing, fake_begin,
                                        fake_end),
        cmocka_unit_test_setup_teardown(errno_is_kept, fake_begin, fake_end),
        cmocka_unit_test_setup_teardown(a_slot_of_a_thread_that_was_killed_is_taken_over, fake_begin,
                                        fake_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
