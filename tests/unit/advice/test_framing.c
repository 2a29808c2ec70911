/* Streams cut into messages: the same ones wherever the network cuts, and no end of memory or sense. */
#include "advice/framing.h"

#include "../../amazon_message.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

struct taken {
    char text[2000];
};

/* "name=data;", and "!" before an exception. */
static int take(void *context, const struct frame *frame)
{
    struct taken *taken = context;
    char one[600];
    snprintf(one, sizeof one, "%s%s=%s;", frame->is_exception ? "!" : "", frame->name, frame->data);
    strcat(taken->text, one);
    assert_int_equal(strlen(frame->data), frame->size);
    return 0;
}

/* In pieces of so many bytes; returns how it went. */
static int feed(enum framing_kind kind, const char *bytes, size_t size, size_t piece, struct taken *taken)
{
    struct coz_error err;
    struct framing framing = {.kind = kind, .take = take, .context = taken};
    int code = 0;
    *taken = (struct taken){""};
    for (size_t at = 0; at < size && code == 0; at += piece)
        code = framing_add(&framing, bytes + at, size - at < piece ? size - at : piece, &err);
    if (code == 0)
        code = framing_end(&framing, &err);
    framing_release(&framing);
    return code;
}

static void check(enum framing_kind kind, const char *bytes, size_t size, const char *wanted)
{
    struct taken taken;
    for (size_t piece = 1; piece <= size + 1; piece++) {
        assert_int_equal(feed(kind, bytes, size, piece, &taken), 0);
        assert_string_equal(taken.text, wanted);
    }
}

static void test_events(void **state)
{
    (void)state;
    static const char text[] =
        ": comment\n\nevent: one\ndata: {1}\nid: 7\n\ndata:a\ndata: b\r\n\r\n\n\nevent: none\n\ndata: "
        "last\n\ndatabase: x\n\n";
    check(FRAMING_EVENTS, text, strlen(text), "one={1};=a\nb;=last;");
}

static void test_lines(void **state)
{
    (void)state;
    static const char text[] = "{1}\r\n\n{2}\n{3}";
    check(FRAMING_LINES, text, strlen(text), "={1};={2};={3};");
}

/* ---- Amazon's ---- */

static size_t make_message(unsigned char *at, const char *type, const char *kind, const char *name,
                           const char *payload)
{
    size_t headers = amazon_add_header(at + AMAZON_PRELUDE, kind, name);
    headers += amazon_add_header(at + AMAZON_PRELUDE + headers, ":message-type", type);
    return amazon_end(at, headers, payload);
}

static void test_amazon(void **state)
{
    (void)state;
    unsigned char bytes[1000];
    size_t first = make_message(bytes, "event", ":event-type", "delta", "{1}");
    size_t size = first + make_message(bytes + first, "exception", ":exception-type", "throttled", "{2}");
    size += make_message(bytes + size, "event", ":event-type", "end", "");
    check(FRAMING_AMAZON, (char *)bytes, size, "delta={1};!throttled={2};end=;");

    struct taken taken;
    assert_int_equal(feed(FRAMING_AMAZON, (char *)bytes, first + 20, 7, &taken),
                     0); /* cut: the rest is not there */
    assert_string_equal(taken.text, "delta={1};");
    for (size_t i = 0; i < first; i++) {
        bytes[i] ^= 0x10;
        assert_int_equal(feed(FRAMING_AMAZON, (char *)bytes, size, size, &taken), -EBADMSG);
        assert_string_equal(taken.text, "");
        bytes[i] ^= 0x10;
    }
}

/* Lengths that do not fit, with checksums that do. */
static void test_amazon_lengths(void **state)
{
    (void)state;
    static const uint32_t cases[][2] = {{0, 0},         {15, 0}, {16, 1}, {40, 25}, {UINT32_MAX, UINT32_MAX},
                                        {UINT32_MAX, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char bytes[64] = {0};
        struct taken taken;
        amazon_set_u32(bytes, cases[i][0]);
        amazon_set_u32(bytes + 4, cases[i][1]);
        amazon_set_u32(bytes + 8, amazon_checksum(bytes, 8));
        int code = feed(FRAMING_AMAZON, (char *)bytes, sizeof bytes, sizeof bytes, &taken);
        assert_true(code == -EBADMSG || code == -EMSGSIZE);
    }
    /* A header that ends behind the headers' end. */
    unsigned char bytes[64] = {0};
    struct taken taken;
    size_t size = make_message(bytes, "event", ":event-type", "x", "");
    bytes[12] = 200;
    amazon_set_u32(bytes + size - 4, amazon_checksum(bytes, size - 4));
    assert_int_equal(feed(FRAMING_AMAZON, (char *)bytes, size, size, &taken), -EBADMSG);
}

static void test_endless(void **state)
{
    (void)state;
    enum { MUCH = 2 << 20 };
    char *bytes = malloc(MUCH);
    struct taken taken;
    memset(bytes, 'x', MUCH);
    assert_int_equal(feed(FRAMING_LINES, bytes, MUCH, 10000, &taken), -EMSGSIZE);
    assert_int_equal(feed(FRAMING_EVENTS, bytes, MUCH, MUCH, &taken), -EMSGSIZE);
    for (size_t i = 0; i < MUCH; i += 16)
        memcpy(bytes + i, "data: 123456789\n", 16);
    assert_int_equal(feed(FRAMING_EVENTS, bytes, MUCH, 10000, &taken), -EMSGSIZE);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_events), cmocka_unit_test(test_lines),
                                       cmocka_unit_test(test_amazon), cmocka_unit_test(test_amazon_lengths),
                                       cmocka_unit_test(test_endless)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
