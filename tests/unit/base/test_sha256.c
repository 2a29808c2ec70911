/* SHA-256 against values that another implementation computed, at the lengths where padding changes. */
#include "base/sha256.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_known_values(void **state)
{
    (void)state;
    static const struct {
        size_t size; /* of x and x and x..., but 3 are "abc" */
        const char *digest;
    } known[] = {{0, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="},
                 {3, "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="},
                 {55, "1eKFaDzU78AtAhpcYgFGlJWJAQBdb3HongmJ+sd+QHI="},
                 {56, "BMJiYTcO51QVSdFt7jIMcj4/0UZx5moJmv4KN3wWiI4="},
                 {63, "dSILRyGCeOZW8gE7uPDEVaJerwHobGSSTp1I2Jd21vI="},
                 {64, "fOEAlx9k5wAej+WlGXPs3+HO1Cvv5+6NX9YhlQa1OTw="},
                 {65, "lTfF/fEgSC99WNJentWD9SwCtOME6oFNsWM61WWu1+k="},
                 {1000, "RPg1RJSlugO6F5Ko0+nFNMR6kYGYD956P0SwbvKufH8="}};
    char bytes[1000], text[SHA256_BASE64];
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        memset(bytes, 'x', sizeof bytes);
        if (known[i].size == 3)
            memcpy(bytes, "abc", 3);
        sha256_base64(bytes, known[i].size, text);
        assert_string_equal(text, known[i].digest);
    }
}

static void test_hexadecimal(void **state)
{
    (void)state;
    char text[SHA256_HEX];
    sha256_hex("abc", 3, text);
    assert_string_equal(text, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known_values),
                                       cmocka_unit_test(test_hexadecimal)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
