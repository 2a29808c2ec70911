/* Questions and the message: what a thread that was killed in the middle leaves behind. */
#include "shared/questions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "segment_fixture.h"

enum { PROCESS = 3, ADDRESS = 0x1000 };

static uint64_t gone; /* the only thread that has ended */

static const uint64_t ours = 7, another = 8;

static bool has_ended(uint64_t owner)
{
    return owner == gone;
}

static int begin(void **state)
{
    gone = 0;
    return segment_begin(state);
}

static uint64_t word(uint64_t number)
{
    return thread_slot_word((uint32_t)number, (uint32_t)number + 100);
}

static bool ask(uint64_t who)
{
    return question_ask(segment, word(who), PROCESS, ADDRESS, has_ended);
}

/* As who claimed all of them, and got no further. */
static void claim_all(uint64_t who)
{
    for (int i = 0; i < SEGMENT_QUESTIONS; i++)
        atomic_store(&segment->questions[i].owner, word(who));
}

static void a_question_is_asked_and_answered(void **state)
{
    (void)state;
    struct segment_question *question = &segment->questions[0];
    assert_true(ask(ours));
    assert_int_equal(question_process(question), PROCESS);
    assert_int_equal(question->pid, ours + 100);
    assert_int_equal(question->address, ADDRESS);
    question_end(question);
    assert_int_equal(question_process(question), 0);
    assert_int_equal(question->owner, 0);
}

static void as_many_as_there_are_slots(void **state)
{
    (void)state;
    for (int i = 0; i < SEGMENT_QUESTIONS; i++)
        assert_true(ask(ours));
    assert_false(ask(ours));
    question_end(&segment->questions[5]);
    assert_true(ask(ours));
    assert_int_equal(question_process(&segment->questions[5]), PROCESS);
}

static void what_a_killed_thread_claimed_is_taken_over(void **state)
{
    (void)state;
    claim_all(another);
    assert_false(ask(ours));
    gone = word(another);
    for (int i = 0; i < SEGMENT_QUESTIONS; i++)
        assert_true(ask(ours));
}

static void what_it_had_asked_is_answered_first(void **state)
{
    (void)state;
    claim_all(another);
    atomic_store(&segment->questions[9].process, PROCESS);
    gone = word(another);
    for (int i = 1; i < SEGMENT_QUESTIONS; i++)
        assert_true(ask(ours));
    assert_false(ask(ours));
    assert_int_equal(segment->questions[9].owner, word(another));
}

/* Between the controller's two steps somebody finds the owner gone, and nothing asked. */
static struct segment_question *ending;

static bool has_ended_meanwhile(uint64_t owner)
{
    if (ending) {
        struct segment_question *question = ending;
        ending = NULL;
        question_end(question);
    }
    return has_ended(owner);
}

static void a_slot_that_was_freed_meanwhile_is_not_taken_as_another_ones(void **state)
{
    (void)state;
    gone = word(another);
    ending = &segment->questions[0];
    atomic_store(&ending->owner, word(another));
    for (int i = 1; i < SEGMENT_QUESTIONS; i++)
        atomic_store(&segment->questions[i].owner, word(ours));
    assert_false(question_ask(segment, word(ours), PROCESS, ADDRESS, has_ended_meanwhile));
    assert_int_equal(segment->questions[0].owner, 0);
    assert_true(ask(ours));
}

static void only_the_first_message_is_kept(void **state)
{
    (void)state;
    assert_null(message_left(segment));
    message_leave(segment, word(ours), "first", has_ended);
    message_leave(segment, word(another), "second", has_ended);
    gone = word(ours);
    message_leave(segment, word(another), "third", has_ended);
    assert_string_equal(message_left(segment), "first");
}

static void a_message_that_was_begun_is_finished_by_another(void **state)
{
    (void)state;
    atomic_store(&segment->message_owner, word(another));
    strcpy(segment->message, "cut off in the");
    message_leave(segment, word(ours), "ours", has_ended);
    assert_null(message_left(segment)); /* its owner lives, and goes on */
    gone = word(another);
    message_leave(segment, word(ours), "ours", has_ended);
    assert_string_equal(message_left(segment), "ours");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_question_is_asked_and_answered, begin, segment_end),
        cmocka_unit_test_setup_teardown(as_many_as_there_are_slots, begin, segment_end),
        cmocka_unit_test_setup_teardown(what_a_killed_thread_claimed_is_taken_over, begin, segment_end),
        cmocka_unit_test_setup_teardown(what_it_had_asked_is_answered_first, begin, segment_end),
        cmocka_unit_test_setup_teardown(a_slot_that_was_freed_meanwhile_is_not_taken_as_another_ones, begin,
                                        segment_end),
        cmocka_unit_test_setup_teardown(only_the_first_message_is_kept, begin, segment_end),
        cmocka_unit_test_setup_teardown(a_message_that_was_begun_is_finished_by_another, begin, segment_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
