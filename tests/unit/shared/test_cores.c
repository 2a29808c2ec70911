/* Which cores threads of the tree were seen on. */
#include "fake_segment.h"

#include "shared/cores.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct segment *segment;

static int begin(void **state)
{
    (void)state;
    segment = fake_segment();
    return segment ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    fake_segment_release(segment);
    return 0;
}

static void a_core_is_ours_after_a_thread_was_seen_on_it(void **state)
{
    (void)state;
    assert_false(core_was_ours(segment, 1, 100));
    core_note(segment, 1, 100, 7);
    assert_false(core_was_ours(segment, 1, 100));
    core_note(segment, 1, 101, 7);
    assert_true(core_was_ours(segment, 1, 100));
    assert_false(core_was_ours(segment, 0, 100));
}

/* A thread looks at the clock, loses its core to another one of the tree, and notes the moment when it is
 * back. */
static void a_late_note_does_not_hide_who_came_between(void **state)
{
    (void)state;
    core_note(segment, 1, 100, 7);
    core_note(segment, 1, 5000, 7);
    core_note(segment, 1, 100, 7);
    assert_true(core_was_ours(segment, 1, 100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_core_is_ours_after_a_thread_was_seen_on_it, begin, end),
        cmocka_unit_test_setup_teardown(a_late_note_does_not_hide_who_came_between, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
