/* The frames of a stack, as profiles have them: whatever stands there. */
#include "profile/frames.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void frames_come_one_after_the_other(void **state)
{
    (void)state;
    const char *rest = "f\t/src/a.c:3\tinlined\nns::g(int)\t/src/b.c:9\n\t\nlast";
    struct profile_frame frame;
    assert_true(profile_frame_next(&rest, &frame));
    assert_string_equal(frame.function, "f");
    assert_string_equal(frame.place, "/src/a.c:3");
    assert_true(frame.is_inlined);
    profile_frame_release(&frame);
    assert_true(profile_frame_next(&rest, &frame));
    assert_string_equal(frame.function, "ns::g(int)");
    assert_string_equal(frame.place, "/src/b.c:9");
    assert_false(frame.is_inlined);
    profile_frame_release(&frame);
    assert_true(profile_frame_next(&rest, &frame));
    assert_null(frame.function);
    assert_null(frame.place);
    profile_frame_release(&frame);
    assert_true(profile_frame_next(&rest, &frame)); /* cut off */
    assert_string_equal(frame.function, "last");
    assert_null(frame.place);
    profile_frame_release(&frame);
    assert_false(profile_frame_next(&rest, &frame));
}

static void nothing_has_no_frames(void **state)
{
    (void)state;
    const char *rest = "";
    struct profile_frame frame;
    assert_false(profile_frame_next(&rest, &frame));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_come_one_after_the_other),
        cmocka_unit_test(nothing_has_no_frames),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
