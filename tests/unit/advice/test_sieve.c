/* Text from elsewhere: clean and without secrets, however it is cut. */
#include "advice/sieve.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char secret[] = "sk-abcdefgh", longer[] = "sk-abcdefgh-and-more";

struct taken {
    char text[1000];
    size_t size;
};

static int take(void *context, const char *text, size_t size)
{
    struct taken *taken = context;
    memcpy(taken->text + taken->size, text, size);
    taken->size += size;
    taken->text[taken->size] = '\0';
    return 0;
}

/* In pieces of so many bytes. */
static void check(const char *text, size_t size, const char *wanted)
{
    for (size_t piece = 1; piece <= size + 1; piece++) {
        struct taken taken = {.size = 0};
        struct sieve sieve = {.secrets = {secret, longer, "short"}, .put = take, .context = &taken};
        for (size_t at = 0; at < size; at += piece)
            assert_int_equal(sieve_add(&sieve, text + at, size - at < piece ? size - at : piece), 0);
        assert_int_equal(sieve_end(&sieve), 0);
        sieve_release(&sieve);
        assert_string_equal(taken.text, wanted);
    }
}

#define CHECK(text, wanted) check(text, sizeof text - 1, wanted)

static void test_clean_text_stays(void **state)
{
    (void)state;
    CHECK("a\tb\n\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80.", "a\tb\n\xc3\xa9\xe6\xbc\xa2\xf0\x9f\x98\x80.");
}

static void test_what_steers_goes(void **state)
{
    (void)state;
    CHECK("a\x1b[31mb\rc\x07"
          "d\x7f"
          "e\0f",
          "a[31mbcdef");
    CHECK("a\xc2\x9b"
          "1mb\xe2\x80\xae"
          "c\xe2\x80\x8b"
          "d\xef\xbb\xbf"
          "e",
          "a1mbcde");
}

static void test_what_is_no_utf8(void **state)
{
    (void)state;
    CHECK("a\xc3", "a\xef\xbf\xbd");
    CHECK("a\xc3"
          "b\x80\xff.",
          "a\xef\xbf\xbd"
          "b\xef\xbf\xbd\xef\xbf\xbd.");
    CHECK("\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"); /* half of a pair */
    CHECK("\xf0\x9f\x98", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");
}

static void test_secrets_go(void **state)
{
    (void)state;
    CHECK("your key is sk-abcdefgh.", "your key is [key].");
    CHECK("sk-abcdefgh-and-more!", "[key]!");
    CHECK("sk-abcdefgh-and-mor", "[key]-and-mor");
    CHECK("sk-sk-sk-abcdefghsk-abcdefghsk-abcdef", "sk-sk-[key][key]sk-abcdef");
    CHECK("sk-abc\x1b"
          "de\xe2\x80\x8b"
          "fgh",
          "[key]");
    CHECK("a short one is none", "a short one is none");
}

static int refuse(void *context, const char *text, size_t size)
{
    (void)context, (void)text, (void)size;
    return -7;
}

static void test_refusal_is_handed_on(void **state)
{
    (void)state;
    struct sieve sieve = {.put = refuse};
    assert_int_equal(sieve_add(&sieve, "a", 1), -7);
    sieve_release(&sieve);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clean_text_stays), cmocka_unit_test(test_what_steers_goes),
        cmocka_unit_test(test_what_is_no_utf8), cmocka_unit_test(test_secrets_go),
        cmocka_unit_test(test_refusal_is_handed_on)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
