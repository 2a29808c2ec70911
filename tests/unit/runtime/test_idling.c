/* What a thread's samples tell of where it waits. */
#include "runtime/thread/idling.h"

#include "shared/waits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "segment_fixture.h"

struct segment *runtime_segment;

static uint64_t told(uint32_t site, uint32_t wait)
{
    return atomic_load(&await_at(segment, await_key(site, wait))->ns);
}

static void samples_are_shared_out(void **state)
{
    (void)state;
    static const uint32_t sites[] = {5, 6};
    struct idling idling = {.began_ns = 1000};
    runtime_segment = segment;
    idling_sample(&idling, sites, 2, 100, 2000); /* has not waited */
    idling_add(&idling, 0, 500);
    idling_add(&idling, 3, 10); /* next to nothing */
    idling_add(&idling, 0, 200);
    idling_sample(&idling, sites, 2, 100, 2000);
    idling_sample(&idling, sites, 1, 100, 2400);
    assert_int_equal(told(5, 0), 70 + 50);
    assert_int_equal(told(6, 0), 70);
    assert_int_equal(told(5, 3), 0);
}

static void who_waits_most_is_kept(void **state)
{
    (void)state;
    static const uint32_t site = 5;
    struct idling idling = {.began_ns = 1};
    runtime_segment = segment;
    for (uint32_t round = 0; round < 100; round++) {
        idling_add(&idling, 7, 50);
        for (uint32_t wait = 100; wait < 120; wait++)
            idling_add(&idling, wait, 1);
    }
    idling_sample(&idling, &site, 1, 1000, 10001);
    assert_int_equal(told(5, 7), 500);
    assert_int_equal(told(5, 110), 0);
}

static void an_unknown_life_tells_nothing(void **state)
{
    (void)state;
    static const uint32_t site = 5;
    struct idling idling = {.began_ns = 0};
    runtime_segment = segment;
    idling_add(&idling, 7, 50);
    idling_sample(&idling, &site, 1, 1000, 100);
    assert_int_equal(told(5, 7), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(samples_are_shared_out, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(who_waits_most_is_kept, segment_begin, segment_end),
        cmocka_unit_test_setup_teardown(an_unknown_life_tells_nothing, segment_begin, segment_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
