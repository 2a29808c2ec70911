/* Whom to ask and where, by the environment. */
#include "advice/provider.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const variables[] = {"ANTHROPIC_API_KEY",  "ANTHROPIC_BASE_URL",
                                        "OPENAI_API_KEY",     "OPENAI_BASE_URL",
                                        "AWS_ACCESS_KEY_ID",  "AWS_SECRET_ACCESS_KEY",
                                        "AWS_SESSION_TOKEN",  "AWS_REGION",
                                        "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
                                        "OLLAMA_HOST",        "COZ_PROVIDER",
                                        "COZ_MODEL"};

static int forget(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
    return 0;
}

static void check(const char *name, const char *model, const char *url, const char *host)
{
    struct provider provider;
    struct coz_error err = {""};
    int code = provider_choose(&provider, name, model, true, &err);
    if (code < 0)
        fail_msg("%s", err.text);
    assert_string_equal(provider.url, url);
    assert_string_equal(provider.host, host);
    assert_non_null(strstr(url, provider.path));
    provider_release(&provider);
}

static void refuse(const char *name, const char *model, const char *words)
{
    struct provider provider;
    struct coz_error err = {""};
    assert_int_equal(provider_choose(&provider, name, model, true, &err), -EINVAL);
    if (!strstr(err.text, words))
        fail_msg("`%s` does not say `%s`", err.text, words);
    provider_release(&provider);
}

static void test_usual_places(void **state)
{
    (void)state;
    refuse(NULL, NULL, "Nothing says whom to ask");
    setenv("OLLAMA_HOST", "", 1);
    refuse(NULL, NULL, "Nothing says whom to ask");
    check("ollama", "m", "http://127.0.0.1:11434/api/chat", "127.0.0.1:11434");
    setenv("OPENAI_API_KEY", "key", 1);
    check(NULL, NULL, "https://api.openai.com/v1/chat/completions", "api.openai.com");
    setenv("ANTHROPIC_API_KEY", "key", 1);
    check(NULL, NULL, "https://api.anthropic.com/v1/messages", "api.anthropic.com");
    setenv("COZ_PROVIDER", "openai", 1);
    check(NULL, NULL, "https://api.openai.com/v1/chat/completions", "api.openai.com");
    setenv("AWS_SECRET_ACCESS_KEY", "secret", 1);
    refuse("bedrock", "m", "AWS_REGION");
    setenv("AWS_REGION", "eu-north-1", 1);
    refuse("bedrock", "m", "AWS_ACCESS_KEY_ID");
    setenv("AWS_ACCESS_KEY_ID", "id", 1);
    refuse("bedrock", NULL, "--model");
    check("bedrock", "a.b-v1:0",
          "https://bedrock-runtime.eu-north-1.amazonaws.com/model/a.b-v1%3A0/converse-stream",
          "bedrock-runtime.eu-north-1.amazonaws.com");
    check("bedrock", "arn:aws:x/y",
          "https://bedrock-runtime.eu-north-1.amazonaws.com/model/arn%3Aaws%3Ax%2Fy/converse-stream",
          "bedrock-runtime.eu-north-1.amazonaws.com");
    setenv("AWS_REGION", "eu.evil.example/", 1);
    refuse("bedrock", "m", "AWS_REGION");
}

static void test_ollama(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"there", "there:11434"},       {"there:80", "there"},          {"10.0.0.7:1234", "10.0.0.7:1234"},
        {"0.0.0.0", "127.0.0.1:11434"}, {"0.0.0.0:99", "127.0.0.1:99"}, {"[::1]", "[::1]:11434"},
        {"[::1]:99", "[::1]:99"},       {"http://there", "there"},      {"http://there:99/", "there:99"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char url[100];
        setenv("OLLAMA_HOST", cases[i][0], 1);
        strcat(strcat(strcpy(url, "http://"), cases[i][1]), "/api/chat");
        check("ollama", "m", url, cases[i][1]);
    }
}

static void test_places_that_are_none(void **state)
{
    (void)state;
    static const char *const bases[] = {"there",
                                        "ftp://there",
                                        "https://",
                                        "https://a:b@there",
                                        "https://there?x",
                                        "https://there/#x",
                                        "https://the re",
                                        "https://there/a b",
                                        "https://there\r\nX: y"};
    setenv("ANTHROPIC_API_KEY", "sk-the-key", 1);
    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++) {
        setenv("ANTHROPIC_BASE_URL", bases[i], 1);
        refuse("anthropic", NULL, "ANTHROPIC_BASE_URL must");
    }
    static const char *const plain[] = {"http://there", "http://127.evil.example",
                                        "http://127.0.0.1.evil.example", "http://localhost.evil.example",
                                        "http://10.0.0.1"};
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) {
        setenv("ANTHROPIC_BASE_URL", plain[i], 1);
        refuse("anthropic", NULL, "unencrypted");
    }
    setenv("ANTHROPIC_BASE_URL", "http://localhost:99/x/", 1);
    check("anthropic", NULL, "http://localhost:99/x/v1/messages", "localhost:99");
    setenv("ANTHROPIC_BASE_URL", "https://there:443/x", 1);
    check("anthropic", NULL, "https://there/x/v1/messages", "there");
}

static void test_keys_that_are_none(void **state)
{
    (void)state;
    refuse("anthropic", NULL, "set ANTHROPIC_API_KEY");
    refuse("openai", NULL, "set OPENAI_API_KEY");
    setenv("OPENAI_API_KEY", "a\nb", 1);
    refuse("openai", NULL, "OPENAI_API_KEY holds");
    unsetenv("OPENAI_API_KEY");
    setenv("OPENAI_BASE_URL", "http://there/v1", 1);
    check("openai", "m", "http://there/v1/chat/completions", "there");
    refuse("openai", "a b", "no model");
    refuse("nobody", "m", "no provider `nobody`");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(test_usual_places, forget),
                                       cmocka_unit_test_setup(test_ollama, forget),
                                       cmocka_unit_test_setup(test_places_that_are_none, forget),
                                       cmocka_unit_test_setup(test_keys_that_are_none, forget)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
