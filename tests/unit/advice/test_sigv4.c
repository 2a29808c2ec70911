/* Signatures: those that Amazon publishes for its test suite, and one of a path with an encoded colon. */
#include "advice/sigv4.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const time_t when = 1440938160; /* 2015-08-30 12:36:00 */

static struct sigv4 example(void)
{
    return (struct sigv4){.access_key = "AKIDEXAMPLE",
                          .secret_key = "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
                          .region = "us-east-1",
                          .service = "service",
                          .host = "example.amazonaws.com",
                          .path = "/",
                          .body = "",
                          .now = when};
}

static void check(const struct sigv4 *request, const char *wanted)
{
    char date[SIGV4_DATE], *authorization = sigv4_sign(request, date);
    assert_non_null(authorization);
    assert_string_equal(authorization, wanted);
    assert_string_equal(date, "20150830T123600Z");
    free(authorization);
}

static void test_vanilla(void **state)
{
    (void)state;
    struct sigv4 request = example();
    check(&request, "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                    "SignedHeaders=host;x-amz-date, "
                    "Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b");
}

static void test_token(void **state)
{
    (void)state;
    struct sigv4 request = example();
    request.token =
        "AQoDYXdzEPT//////////wEXAMPLEtc764bNrC9SAPBSM22wDOk4x4HIZ8j4FZTwdQWLWsKWHGBuFqwAeMicRXmxfpSPfIeoIYRqTflfKD8YUuwthAx7mSEI/qkPpKPi/kMcGdQrmGdeehM4IC1NtBmUpp2wUE8phUZampKsburEDy0KPkyQDYwT7WZ0wq5VSXDvp75YU9HFvlRd8Tx6q6fE8YQcHNVXAkiY9q6d+xo0rKwT38xVqr7ZD0u0iPPkUL64lIZbqBAz+scqKmlzm8FDrypNC9Yjc8fPOLn9FX9KSYvKTr4rvx3iSIlTJabIQwj2ICCR/oLxBA==";
    check(&request, "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                    "SignedHeaders=host;x-amz-date;x-amz-security-token, "
                    "Signature=85d96828115b5dc0cfc3bd16ad9e210dd772bbebba041836c64533a82be05ead");
}

/* The path as it is sent is encoded once more before it is signed. */
static void test_path(void **state)
{
    (void)state;
    struct sigv4 request = example();
    request.region = "eu-north-1";
    request.service = "bedrock";
    request.host = "bedrock-runtime.eu-north-1.amazonaws.com";
    request.path = "/model/some.model-v1%3A0/converse-stream";
    request.token = "token";
    request.body = "{\"a\":1}";
    request.size = strlen(request.body);
    check(&request, "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/eu-north-1/bedrock/aws4_request, "
                    "SignedHeaders=host;x-amz-date;x-amz-security-token, "
                    "Signature=3d4749a3d2d9dfb91acdf029e5a5b07dd01dc9d6223288e5e7f518c651713c00");
}

static void test_encoding(void **state)
{
    (void)state;
    char *all = sigv4_encode("a-Z_0.9~/:%\xc3\xa9 +", false), *path = sigv4_encode("/a/b:c", true);
    assert_string_equal(all, "a-Z_0.9~%2F%3A%25%C3%A9%20%2B");
    assert_string_equal(path, "/a/b%3Ac");
    free(all);
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_vanilla), cmocka_unit_test(test_token),
                                       cmocka_unit_test(test_path), cmocka_unit_test(test_encoding)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
