/* Who may come in. */
#include "serve/gate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct gate gate;

static enum gate_place place_of(const char *rest)
{
    char path[200];
    snprintf(path, sizeof path, "/%s%s", gate.token, rest);
    return gate_find(&gate, path).place;
}

static void test_tokens_differ(void **state)
{
    (void)state;
    struct gate other;
    assert_int_equal(gate_init(&other, 1, NULL), 0);
    assert_int_equal(strlen(other.token), 48);
    assert_int_equal(strspn(other.token, "0123456789abcdef"), 48);
    assert_string_not_equal(other.token, gate.token);
}

static void test_hosts(void **state)
{
    (void)state;
    static const char *const ours[] = {"127.0.0.1:8123", "localhost:8123", "LocalHost:8123", "[::1]:8123"};
    static const char *const others[] = {"",
                                         "127.0.0.1",
                                         "127.0.0.1:8124",
                                         "localhost",
                                         "evil.example:8123",
                                         "127.0.0.1.evil.example:8123",
                                         "localhost:8123.evil.example",
                                         "localhost:8123 ",
                                         "[::1]",
                                         "::1:8123",
                                         "[::1]:8124",
                                         "[::]:8123",
                                         "[::1]:8123.evil.example",
                                         "[::ffff:127.0.0.1]:8123",
                                         "0.0.0.0:8123"};
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        assert_null(gate_refusal(&gate, ours[i], NULL));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_non_null(gate_refusal(&gate, others[i], NULL));
    assert_non_null(gate_refusal(&gate, NULL, NULL));
}

static void test_origins(void **state)
{
    (void)state;
    static const char *const others[] = {"",
                                         "null",
                                         "https://127.0.0.1:8123",
                                         "http://127.0.0.1",
                                         "http://127.0.0.1:80",
                                         "http://evil.example",
                                         "http://evil.example:8123",
                                         "http://127.0.0.1:8123@evil.example",
                                         "http://[::1]",
                                         "http://[::2]:8123",
                                         "file://"};
    assert_null(gate_refusal(&gate, "localhost:8123", "http://localhost:8123"));
    assert_null(gate_refusal(&gate, "127.0.0.1:8123", "http://127.0.0.1:8123"));
    assert_null(gate_refusal(&gate, "[::1]:8123", "http://[::1]:8123"));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_non_null(gate_refusal(&gate, "localhost:8123", others[i]));
}

static void test_ways(void **state)
{
    (void)state;
    assert_int_equal(place_of("/1/"), PLACE_PAGE);
    assert_int_equal(place_of("/16/events"), PLACE_EVENTS);
    assert_int_equal(place_of("/7/explain"), PLACE_EXPLAIN);
    assert_int_equal(place_of("/profiles"), PLACE_PROFILES);
    assert_int_equal(place_of("/wishes"), PLACE_WISHES);
    char path[100];
    snprintf(path, sizeof path, "/%s/16/events", gate.token);
    assert_int_equal(gate_find(&gate, path).number, 16);
    snprintf(path, sizeof path, "/%s/2/against/15", gate.token);
    assert_int_equal(gate_find(&gate, path).place, PLACE_AGAINST);
    assert_int_equal(gate_find(&gate, path).number, 2);
    assert_int_equal(gate_find(&gate, path).before, 15);

    static const char *const nowhere[] = {
        "",           "/",          "/0/",         "/01/",         "/1",           "/1/x",
        "/-1/",       "/+1/",       "/1000/",      "/profiles/",   "/1/events/",   "/1//",
        "x/1/",       "/events",    "//1/",        "/1/../../etc", "/../1/events", "/1/wishes",
        "/explain",   "/0/explain", "/1/explain/", "/1/against/",  "/1/against/0", "/1/against/2/",
        "/against/1", "/1/against"};
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
        assert_int_equal(place_of(nowhere[i]), PLACE_NONE);
}

static void test_wrong_tokens(void **state)
{
    (void)state;
    char path[100];
    for (size_t i = 1; i <= 48; i++) {
        snprintf(path, sizeof path, "/%s/1/", gate.token);
        path[i] = path[i] == '0' ? '1' : '0';
        assert_int_equal(gate_find(&gate, path).place, PLACE_NONE);
    }
    assert_int_equal(gate_find(&gate, "").place, PLACE_NONE);
    assert_int_equal(gate_find(&gate, "/").place, PLACE_NONE);
    assert_int_equal(gate_find(&gate, "/1/").place, PLACE_NONE);
    snprintf(path, sizeof path, "/%.40s/1/", gate.token);
    assert_int_equal(gate_find(&gate, path).place, PLACE_NONE);
    snprintf(path, sizeof path, "x%s/1/", gate.token);
    assert_int_equal(gate_find(&gate, path).place, PLACE_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tokens_differ), cmocka_unit_test(test_hosts),
        cmocka_unit_test(test_origins),       cmocka_unit_test(test_ways),
        cmocka_unit_test(test_wrong_tokens),
    };
    if (gate_init(&gate, 8123, NULL) < 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
