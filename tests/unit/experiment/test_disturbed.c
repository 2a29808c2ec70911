/* What is left of a run when the machine was somebody else's in some of its windows. */
#include "experiment/schedule/disturbed.h"

#include "fake_segment.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { SITE = 7, LATER = 300000, RUN_NS = 1000 };

static struct disturbed disturbed;
static struct segment_owner owner;

static int begin(void **state)
{
    (void)state;
    disturbed = (struct disturbed){0};
    owner = (struct segment_owner){.fd = -1, .segment = fake_segment()};
    return owner.segment ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    disturbed_release(&disturbed);
    fake_segment_release(owner.segment);
    return 0;
}

static void run(uint32_t site, uint64_t ns)
{
    atomic_fetch_add(&owner.segment->sites[site].baseline_ns, ns);
}

static uint64_t rest(uint32_t site)
{
    return disturbed_rest_of_site(&disturbed, &owner, site, RUN_NS);
}

static void only_disturbed_windows_are_left_out(void **state)
{
    (void)state;
    run(SITE, 10); /* before the first window */
    disturbed_open(&disturbed, &owner);
    run(SITE, 20);
    disturbed_open(&disturbed, &owner);
    run(SITE, 3);
    run(LATER, 5); /* had no sample when the window began */
    disturbed_leave_out(&disturbed, &owner, 50);
    run(SITE, 40); /* a window with a speedup follows, and none is open */
    disturbed_leave_out(&disturbed, &owner, 60);
    disturbed_open(&disturbed, &owner);
    run(LATER, 70);
    assert_int_equal(rest(SITE), 70);
    assert_int_equal(rest(LATER), 70);
    assert_int_equal(disturbed_rest_of_run(&disturbed, RUN_NS), RUN_NS - 50);
}

static void all_counts_where_nothing_was_disturbed(void **state)
{
    (void)state;
    run(SITE, 10);
    assert_int_equal(rest(SITE), 10);
    assert_int_equal(disturbed_rest_of_run(&disturbed, RUN_NS), RUN_NS);
}

static void all_counts_where_nearly_all_was_disturbed(void **state)
{
    (void)state;
    disturbed_open(&disturbed, &owner);
    run(SITE, 10);
    disturbed_leave_out(&disturbed, &owner, RUN_NS / 4 * 3 + 1);
    assert_int_equal(rest(SITE), 10);
    assert_int_equal(disturbed_rest_of_run(&disturbed, RUN_NS), RUN_NS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(only_disturbed_windows_are_left_out, begin, end),
        cmocka_unit_test_setup_teardown(all_counts_where_nothing_was_disturbed, begin, end),
        cmocka_unit_test_setup_teardown(all_counts_where_nearly_all_was_disturbed, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
