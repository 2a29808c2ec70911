/* Why a line has no effect: what its threads wait for, by what the profile says of them. */
#include "stats/waits/reason.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void add(struct waiting *waiting, struct profile_record record)
{
    assert_int_equal(waiting_add(waiting, &record), 0);
}

static void add_wait(struct waiting *waiting, const char *class, const char *place, uint64_t ns)
{
    add(waiting, (struct profile_record){.type = PROFILE_WAIT, .wait = {class, place, 1, ns, 0}});
}

static void add_wake(struct waiting *waiting, const char *class, const char *place, const char *by,
                     uint64_t ns)
{
    add(waiting,
        (struct profile_record){.type = PROFILE_WAKE, .wake = {class, place, by, NULL, NULL, 1, ns}});
}

static void add_samples(struct waiting *waiting, const char *location, uint64_t ns)
{
    add(waiting, (struct profile_record){.type = PROFILE_SAMPLES,
                                         .samples = {.location = location, .count = 1, .cpu_ns = ns}});
}

static void add_await(struct waiting *waiting, const char *location, const char *class, const char *place,
                      uint64_t ns)
{
    add(waiting, (struct profile_record){.type = PROFILE_AWAIT, .await = {location, NULL, class, place, ns}});
}

static void is_near(double value, double expected)
{
    assert_true(value > expected - 1e-9 && value < expected + 1e-9);
}

static void who_ends_it_is_told(void **state)
{
    (void)state;
    struct waiting *waiting = waiting_new();
    /* It takes from two queues, which the same line of the worker fills. */
    add_wait(waiting, "condition", "main.c:20", 1000);
    add_wake(waiting, "condition", "main.c:20", "worker.c:88", 900);
    add_wait(waiting, "lock", "main.c:30", 100);
    add_wake(waiting, "lock", "main.c:30", "worker.c:88", 100);
    add_samples(waiting, "main.c:7", 100);
    add_await(waiting, "main.c:7", "condition", "main.c:20", 70);
    add_await(waiting, "main.c:7", "lock", "main.c:30", 10);
    struct reason reason = reason_find(waiting, "line", "main.c:7");
    assert_string_equal(reason.by, "worker.c:88");
    assert_string_equal(reason.place, "main.c:20");
    is_near(reason.share, 0.7 * 0.9 + 0.1);
    waiting_free(waiting);
}

/* Nobody ends it, or many do. */
static void else_the_wait(void **state)
{
    (void)state;
    struct waiting *waiting = waiting_new();
    add_wait(waiting, "io-read", "a.c:1", 1000);
    add_wake(waiting, "io-read", "a.c:1", "b.c:1", 400);
    add_wake(waiting, "io-read", "a.c:1", "b.c:2", 400);
    add_samples(waiting, "a.c:9", 100);
    add_await(waiting, "a.c:9", "io-read", "a.c:1", 60);
    add_await(waiting, "a.c:9", "sleep", NULL, 20);
    struct reason reason = reason_find(waiting, "line", "a.c:9");
    assert_null(reason.by);
    assert_string_equal(reason.class, "io-read");
    assert_string_equal(reason.place, "a.c:1");
    is_near(reason.share, 0.6);
    waiting_free(waiting);
}

static void little_explains_nothing(void **state)
{
    (void)state;
    struct waiting *waiting = waiting_new();
    add_wait(waiting, "sleep", "a.c:1", 1000);
    add_samples(waiting, "a.c:9", 100);
    add_await(waiting, "a.c:9", "sleep", "a.c:1", 9);
    is_near(reason_find(waiting, "line", "a.c:9").share, 0);
    is_near(reason_find(waiting, "line", "a.c:10").share, 0);
    is_near(reason_find(waiting, "function", "a.c:9").share, 0);
    /* A second run adds to it. */
    add_samples(waiting, "a.c:9", 100);
    add_await(waiting, "a.c:9", "sleep", "a.c:1", 91);
    is_near(reason_find(waiting, "line", "a.c:9").share, 0.5);
    waiting_free(waiting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_ends_it_is_told),
        cmocka_unit_test(else_the_wait),
        cmocka_unit_test(little_explains_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
