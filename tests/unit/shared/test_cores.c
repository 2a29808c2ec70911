/* Which cores threads of the tree were seen on. */
#include "shared/cores.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "segment_fixture.h"

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
        cmocka_unit_test_setup_teardown(a_core_is_ours_after_a_thread_was_seen_on_it, segment_begin,
                                        segment_end),
        cmocka_unit_test_setup_teardown(a_late_note_does_not_hide_who_came_between, segment_begin,
                                        segment_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
