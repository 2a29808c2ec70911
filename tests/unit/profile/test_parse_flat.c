/* Lines of JSON are read in place where they are plain: what comes of it is what the other reader of them says. */
#include "base/random.h"
#include "profile/layout.h"
#include "profile/parse.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

enum { LINE_BYTES = LAYOUT_STRING_MAX + 4096 };

static void assert_same(const char *line, const struct profile_record *flat,
                        const struct profile_record *other)
{
    const struct layout *layout = layout_by_type(other->type);
    if (flat->type != other->type)
        fail_msg("%s: another type", line);
    if (other->type == PROFILE_EXPERIMENT && flat->experiment.has_block != other->experiment.has_block)
        fail_msg("%s: another block", line);
    for (size_t i = 0; i < layout->count; i++) {
        const struct layout_member *member = &layout->members[i];
        const char *a = (const char *)flat + member->offset, *b = (const char *)other + member->offset;
        if (member->kind != LAYOUT_STRING) {
            if (memcmp(a, b, sizeof(uint64_t)) != 0)
                fail_msg("%s: another \"%s\"", line, member->json);
            continue;
        }
        const char *text, *wanted;
        memcpy(&text, a, sizeof text);
        memcpy(&wanted, b, sizeof wanted);
        if (!text != !wanted || (text && strcmp(text, wanted) != 0))
            fail_msg("%s: \"%s\" is %s", line, member->json, text ? text : "nothing");
    }
}

/* Whether it was read in place; in any case what it says is right, or it is as it was. */
static bool is_flat(const char *line, size_t length)
{
    char place[LINE_BYTES + 1] = "";
    struct profile_record flat, other;
    struct parse_state state = {0};
    struct parse_complaint complaint;
    memcpy(place, line, length);
    bool is = parse_flat(place, length, &flat);
    if (!is)
        assert_memory_equal(place, line, length);
    if (is && parse_json(&state, line, length, &other, &complaint) != PARSE_RECORD)
        fail_msg("%s: that is no record", line);
    if (is)
        assert_same(line, &flat, &other);
    parse_release(&state);
    return is;
}

static const char *const plain[] = {
    "{\"type\":\"startup\",\"time\":17000000000000000,\"program\":\"/usr/bin/sort\",\"sampler\":\"perf\",\"cores\":8,\"model\":\"x @ 3.00GHz\",\"load\":1.25}",
    ("{\"type\":\"experiment\",\"selected\":\"src/sort.c:310\",\"speedup\":0.5,\"duration\":150090000,\"selected_samples\":60,\"block\":0,\"window\":2,"
     "\"selected_ns\":1,\"sampled_ns\":2,\"delay\":3,\"paused\":4,\"settled\":5,\"began\":6,\"stolen\":7}"),
    "{\"type\":\"experiment\",\"selected\":\"a b <- c:3\",\"kind\":\"callsite\",\"speedup\":-0.25,\"duration\":0}",
    " {\t\"type\" : \"throughput-point\" , \"delta\":12 ,\"name\":\"merged\"\t}  ",
    "{\"type\":\"latency-point\",\"name\":\"p\xc3\xa4\",\"arrivals\":4,\"departures\":4,\"difference\":2.0001,\"new\":\"x\",\"newer\":-7.5}",
    "{\"type\":\"runtime\",\"time\":999999999999999999,\"others\":0.123456789012345,\"stolen\":0}",
    "{\"type\":\"samples\",\"location\":\"a.c:1\",\"count\":1.0,\"text\":\"x = y;\",\"function\":\"f\",\"file\":\"a.h\",\"kind\":\"line\"}",
    "{\"type\":\"runtime\",\"time\":1,\"time\":2}",
    "{\"type\":\"source\",\"path\":\"\xf0\x9f\x98\x80.c\",\"md5\":\"0\",\"sha256\":\"1\"}",
};

static const char *const others[] = {
    "",
    "{}",
    "[]",
    "{\"type\":\"runtime\"}",
    "{\"time\":1,\"type\":\"runtime\"}",
    "{\"type\":\"runtime\",\"type\":\"runtime\",\"time\":1}",
    "{\"type\":\"weather\",\"sun\":true}",
    "{\"type\":\"runtime\",\"time\":1,\"new\":[{}]}",
    "{\"type\":\"runtime\",\"time\":1,\"new\":null}",
    "{\"type\":\"runtime\",\"time\":1}x",
    "{\"type\":\"runtime\",\"time\":1,}",
    "{\"type\":\"runtime\",\"time\":01}",
    "{\"type\":\"runtime\",\"time\":1e3}",
    "{\"type\":\"runtime\",\"time\":1.}",
    "{\"type\":\"runtime\",\"time\":.5}",
    "{\"type\":\"runtime\",\"time\":-1}",
    "{\"type\":\"runtime\",\"time\":1.5}",
    "{\"type\":\"runtime\",\"time\":1795569146951104384}",
    "{\"type\":\"runtime\",\"time\":1,\"others\":0.1234567890123456}",
    "{\"type\":\"runtime\",\"time\":\"1\"}",
    "{\"type\":\"runtime\",\"time\":1",
    "{\"type\":\"samples\",\"location\":\"\",\"count\":1}",
    "{\"type\":\"samples\",\"location\":\"a\\\"b\",\"count\":1}",
    "{\"type\":\"samples\",\"location\":\"a\tb\",\"count\":1}",
    "{\"type\":\"samples\",\"location\":\"\xff\",\"count\":1}",
    "{\"type\":\"samples\",\"location\":\"\xc3\",\"count\":1}",
    "{\"type\":\"samples\",\"location\":\"\xed\xa0\x80\",\"count\":1}",
    "{\"type\":\"samples\",\"location\":7,\"count\":1}",
    "{\"type\":\"experiment\",\"selected\":\"a.c:1\",\"speedup\":1.5,\"duration\":1}",
};

static void test_plain_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        if (!is_flat(plain[i], strlen(plain[i])))
            fail_msg("%s: is not read in place", plain[i]);
}

static void test_other_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (is_flat(others[i], strlen(others[i])))
            fail_msg("%s: is read in place", others[i]);
    assert_false(
        is_flat("{\"type\":\"runtime\",\"time\":1\0}", sizeof "{\"type\":\"runtime\",\"time\":1\0}" - 1));
}

static void test_long_texts(void **state)
{
    (void)state;
    char line[LINE_BYTES], text[LAYOUT_STRING_MAX + 2];
    for (int more = 0; more < 2; more++) {
        memset(text, 'a', sizeof text);
        text[LAYOUT_STRING_MAX + more] = '\0';
        int length =
            snprintf(line, sizeof line, "{\"type\":\"samples\",\"location\":\"%s\",\"count\":1}", text);
        assert_int_equal(is_flat(line, (size_t)length), more == 0);
    }
}

/* Lines with bytes changed, taken out and put in: whatever is read in place is right, and some of them are. */
static void test_broken_lines(void **state)
{
    (void)state;
    static const char bytes[] = "{}[]\",:.-+eE0123456789 \t\\u\x01\x7f\x80\xc3\xa4\xff"
                                "atn";
    uint64_t random = 17;
    size_t flat = 0;
    for (int i = 0; i < 200000; i++) {
        const char *from = plain[random_below(&random, sizeof plain / sizeof *plain)];
        char line[LINE_BYTES];
        size_t length = strlen(from);
        memcpy(line, from, length + 1);
        for (uint64_t changes = 1 + random_below(&random, 3); changes > 0 && length > 1; changes--) {
            size_t at = random_below(&random, length);
            char byte = bytes[random_below(&random, sizeof bytes)];
            switch (random_below(&random, 3)) {
            case 0:
                line[at] = byte;
                break;
            case 1:
                memmove(line + at, line + at + 1, length-- - at);
                break;
            default:
                memmove(line + at + 1, line + at, ++length - at);
                line[at] = byte;
            }
        }
        flat += is_flat(line, length);
    }
    assert_in_range(flat, 20000, 180000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_lines),
        cmocka_unit_test(test_other_lines),
        cmocka_unit_test(test_long_texts),
        cmocka_unit_test(test_broken_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
