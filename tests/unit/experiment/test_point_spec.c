/* What -p names, and what is said of what names nothing. */
#include "experiment/points/calls.h"
#include "experiment/points/spec.h"
#include "runtime/real/list.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static struct point_spec parsed(const char *text)
{
    struct point_spec spec;
    struct coz_error err = {""};
    if (point_spec_parse(text, &spec, &err))
        fail_msg("%s: %s", text, err.text);
    assert_string_equal(spec.text, text);
    return spec;
}

static void assert_place(struct place_spec place, enum place_kind kind, const char *name, const char *file,
                         unsigned line)
{
    assert_int_equal(place.kind, kind);
    assert_string_equal(place.name, name);
    assert_string_equal(place.file, file);
    assert_int_equal(place.line, line);
}

static void test_every_kind(void **state)
{
    (void)state;
    assert_place(parsed("src/worker.c:88").at, PLACE_LINE, "", "src/worker.c", 88);
    assert_place(parsed("/tmp/a:b.c:3").at, PLACE_LINE, "", "/tmp/a:b.c", 3);
    assert_place(parsed("worker.c:88@sampled").at, PLACE_SAMPLED, "", "worker.c", 88);
    assert_place(parsed("serve").at, PLACE_FUNCTION, "serve", "", 0);
    assert_place(parsed("ns::Queue<int, 4>::push").at, PLACE_FUNCTION, "ns::Queue<int, 4>::push", "", 0);
    assert_place(parsed("queue.c:put").at, PLACE_FUNCTION, "queue.c:put", "", 0);
    assert_place(parsed("serve@return").at, PLACE_RETURN, "serve", "", 0);
    assert_place(parsed("exit").at, PLACE_EXIT, "", "", 0);
    assert_place(parsed("call:send").at, PLACE_CALL, "send", "", 0);
    assert_int_equal(parsed("call:send").at.call, CALL_send);
    assert_place(parsed("call:write@log.c:7").at, PLACE_CALL, "write", "log.c", 7);
    struct place_spec probe = parsed("usdt:postgresql:transaction-commit").at;
    assert_place(probe, PLACE_USDT, "transaction-commit", "", 0);
    assert_string_equal(probe.provider, "postgresql");
}

static void test_latency_has_two_ends(void **state)
{
    (void)state;
    struct point_spec spec = parsed("begin=call:recv,end=call:send@out.c:9");
    assert_true(spec.is_latency);
    assert_place(spec.at, PLACE_CALL, "recv", "", 0);
    assert_place(spec.end, PLACE_CALL, "send", "out.c", 9);
    spec = parsed("begin=Pair<int,end>::take,end=done@return");
    assert_place(spec.at, PLACE_FUNCTION, "Pair<int,end>::take", "", 0);
    assert_place(spec.end, PLACE_RETURN, "done", "", 0);
    assert_false(parsed("begin").is_latency);
}

static void assert_refused(const char *text, const char *words)
{
    struct point_spec spec;
    struct coz_error err = {""};
    assert_int_equal(point_spec_parse(text, &spec, &err), -EINVAL);
    if (!strstr(err.text, words))
        fail_msg("%s: \"%s\" does not say \"%s\"", text, err.text, words);
}

static void test_what_is_none_is_told(void **state)
{
    (void)state;
    assert_refused("", "which line, function or call?");
    assert_refused("worker.c", "which line of it?");
    assert_refused("worker.c:0", "from 1");
    assert_refused("worker.c:88@return", "only functions return");
    assert_refused("serve@sampled", "FILE:LINE@sampled");
    assert_refused("serve@retrun", "@return");
    assert_refused("usdt:commit", "usdt:PROVIDER:NAME");
    assert_refused("usdt::commit", "usdt:PROVIDER:NAME");
    assert_refused("call:", "call:NAME");
    assert_refused("call:send@return", "leave @return out");
    assert_refused("call:send@worker.c", "FILE:LINE");
    assert_refused("begin=call:recv", "begin=SPEC,end=SPEC");
    assert_refused("begin=call:recv,end=exit", "no moment");
    assert_refused("begin=a.c:1@sampled,end=call:send", "no moment");
    char text[SEGMENT_POINT_NAME + 1] = "";
    memset(text, 'x', SEGMENT_POINT_NAME);
    assert_refused(text, "longer than 199");
}

static void test_the_nearest_calls_are_named(void **state)
{
    (void)state;
    assert_refused("call:sned", "the nearest are: send");
    assert_refused("call:sendm", "sendmsg, sendmmsg");
    assert_refused("call:printf_in_a_library_of_its_own", "coz points --calls");
    assert_refused("call:pthread_mutex_lock", "so often");
    assert_string_equal(call_name(CALL_fsync), "fsync");
    assert_int_equal(call_worth(CALL_nanosleep), 0);
    assert_int_equal(call_of_symbol("send"), CALL_send);
    assert_int_equal(call_of_symbol("__poll_chk"), CALL_poll);
    assert_int_equal(call_of_symbol("sendfile64"), CALL_sendfile);
    assert_int_equal(call_of_symbol("64"), -1);
    assert_int_equal(call_of_symbol("___chk"), -1);
    assert_int_equal(call_of_symbol("_chk"), -1);
    assert_int_equal(call_of_symbol(""), -1);
    assert_int_equal(call_of_symbol("printf"), -1);
}

static void test_every_call_is_hooked(void **state)
{
    (void)state;
#define NAME_OF(result, name, parameters) #name,
    static const char *const hooks[] = {HOOKS(NAME_OF)};
#undef NAME_OF
    for (unsigned call = 0; call < SEGMENT_CALL_COUNT; call++) {
        bool hooked = false;
        for (size_t i = 0; i < sizeof hooks / sizeof *hooks; i++)
            hooked |= strcmp(hooks[i], call_name(call)) == 0;
        if (!hooked)
            fail_msg("%s is in shared/calls.h, and in no hook", call_name(call));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_kind),           cmocka_unit_test(test_latency_has_two_ends),
        cmocka_unit_test(test_what_is_none_is_told), cmocka_unit_test(test_the_nearest_calls_are_named),
        cmocka_unit_test(test_every_call_is_hooked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
