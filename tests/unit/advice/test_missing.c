/* A coz that was built without libcurl: it says so before anything else, and shows what it would ask. */
#include "advice/advice.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_it_says_so(void **state)
{
    (void)state;
    const struct advice_options options = {.provider = "nobody"};
    struct advice *advice;
    struct coz_error err;
    assert_int_equal(advice_new(&advice, &options, "system", "question", &err), -ENOSYS);
    assert_null(advice);
    assert_non_null(strstr(err.text, "because there was no libcurl"));
    assert_non_null(strstr(err.text, "libcurl4-openssl-dev"));
    assert_non_null(strstr(err.text, "coz report --format prompt"));
}

static void test_it_shows(void **state)
{
    (void)state;
    const struct advice_options options = {.provider = "ollama", .model = "m", .only_shown = true};
    struct advice *advice;
    struct coz_error err;
    char *shown = NULL;
    size_t size;
    assert_int_equal(advice_new(&advice, &options, "system", "question", &err), 0);
    FILE *out = open_memstream(&shown, &size);
    advice_show(advice, out);
    fclose(out);
    assert_non_null(strstr(shown, "\"content\":\"question\""));
    free(shown);
    advice_free(advice);
}

/* Even if it came that far. */
static void test_nothing_is_sent(void **state)
{
    (void)state;
    const struct advice_options options = {.provider = "ollama", .model = "m", .only_shown = true};
    static const struct advice_sink sink;
    struct advice *advice;
    struct coz_error err;
    assert_int_equal(advice_new(&advice, &options, "system", "question", &err), 0);
    assert_int_equal(advice_send(advice, &sink, &err), -ENOSYS);
    advice_free(advice);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_it_says_so), cmocka_unit_test(test_it_shows),
                                       cmocka_unit_test(test_nothing_is_sent)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
