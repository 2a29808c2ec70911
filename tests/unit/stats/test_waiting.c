/* What threads waited for, over several runs, and the chain of who waits for whom. */
#include "stats/waits/waiting.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void add_wait(struct waiting *waiting, const char *class, const char *place, uint64_t ns)
{
    struct profile_record record = {.type = PROFILE_WAIT, .wait = {class, place, 1, ns, 0}};
    assert_int_equal(waiting_add(waiting, &record), 0);
}

static void add_wake(struct waiting *waiting, const char *place, const char *by, const char *after,
                     uint64_t ns)
{
    struct profile_record record = {.type = PROFILE_WAKE,
                                    .wake = {"io-read", place, by, after ? "io-read" : NULL, after, 1, ns}};
    assert_int_equal(waiting_add(waiting, &record), 0);
}

static void runs_are_added_up(void **state)
{
    (void)state;
    struct waiting *waiting = waiting_new();
    const struct waiting_wait *waits;
    add_wait(waiting, "sleep", "a.c:1", 10);
    add_wait(waiting, "lock", NULL, 15);
    add_wait(waiting, "sleep", "a.c:1", 20);
    struct profile_record run = {.type = PROFILE_RUNTIME};
    run.runtime.lived_ns = 100;
    run.runtime.cpu_ns = 30;
    run.runtime.queued_ns = 7;
    assert_int_equal(waiting_add(waiting, &run), 0);
    assert_int_equal(waiting_add(waiting, &run), 0);
    assert_int_equal(waiting_waits(waiting, &waits), 2);
    assert_string_equal(waits[0].place, "a.c:1");
    assert_int_equal(waits[0].time_ns, 30);
    assert_int_equal(waits[0].count, 2);
    assert_string_equal(waits[1].place, "");
    assert_int_equal(waiting_lived_ns(waiting), 200);
    assert_int_equal(waiting_cpu_ns(waiting), 60);
    assert_int_equal(waiting_queued_ns(waiting), 14);
    add_wait(waiting, "lock", NULL, 100); /* and it is found again where it was sorted to */
    assert_int_equal(waiting_waits(waiting, &waits), 2);
    assert_string_equal(waits[0].class, "lock");
    assert_int_equal(waits[0].time_ns, 115);
    waiting_free(waiting);
}

/* The client waits for the server, which waits for the backend, which waits for the server. */
static void a_chain_ends_where_it_comes_round(void **state)
{
    (void)state;
    struct waiting *waiting = waiting_new();
    const struct waiting_wait *waits;
    size_t chain[8];
    add_wait(waiting, "io-read", "backend.c:1", 50);
    add_wait(waiting, "io-read", "server.c:1", 60);
    add_wait(waiting, "io-read", "client.c:1", 70);
    add_wake(waiting, "client.c:1", "server.c:9", "server.c:1", 65);
    add_wake(waiting, "client.c:1", "other.c:9", NULL, 5);
    add_wake(waiting, "server.c:1", "backend.c:9", "backend.c:1", 60);
    add_wake(waiting, "backend.c:1", "server.c:8", "server.c:1", 50);
    assert_int_equal(waiting_waits(waiting, &waits), 3);
    assert_int_equal(waiting_chain(waiting, 0, chain, 8), 3);
    assert_string_equal(waits[chain[0]].place, "client.c:1");
    assert_string_equal(waits[chain[0]].wakes[0].by, "server.c:9");
    assert_string_equal(waits[chain[1]].place, "server.c:1");
    assert_string_equal(waits[chain[2]].place, "backend.c:1");
    assert_int_equal(waiting_chain(waiting, 0, chain, 2), 2);
    assert_ptr_equal(waiting_after(waiting, &waits[0].wakes[0]), &waits[chain[1]]);
    assert_null(waiting_after(waiting, &waits[0].wakes[1]));
    waiting_free(waiting);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_are_added_up),
        cmocka_unit_test(a_chain_ends_where_it_comes_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
