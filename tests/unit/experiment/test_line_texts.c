/* What a profile keeps of source lines. */
#include "experiment/sources/line_texts.h"

#include "base/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static char path[64];

static void write_source(const char *text)
{
    snprintf(path, sizeof path, "/tmp/coz-lines-%d.c", (int)getpid());
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static const char *find(struct source_files *files, const char *line)
{
    static char text[2 * LINE_TEXT_BYTES + 8];
    char location[256];
    snprintf(location, sizeof location, line, path, path);
    line_texts_find(files, location, text, sizeof text);
    return text;
}

static void test_texts(void **state)
{
    (void)state;
    write_source("int a;\n\n\t  x  =\tf(y);  \r\nlast");
    struct source_files files = {.started_ns = clock_read_ns(CLOCK_REALTIME) + 1000000000};
    assert_string_equal(find(&files, "%s:1"), "int a;");
    assert_string_equal(find(&files, "%s:2"), "");
    assert_string_equal(find(&files, "%s:3"), "x = f(y);");
    assert_string_equal(find(&files, "%s:4"), "last");
    assert_string_equal(find(&files, "%s:5"), "");
    assert_string_equal(find(&files, "%s:0"), "");
    assert_string_equal(find(&files, "%s"), "");
    assert_string_equal(find(&files, "%s:3 <- %s:1"), "x = f(y); <- int a;");
    assert_string_equal(find(&files, "%s:3 <- %s:2"), "");
    assert_string_equal(find(&files, "/nowhere.c:3"), "");
    assert_string_equal(find(&files, "/etc/passwd:1"), "");
    source_files_release(&files);
    /* Changed since the run began. */
    struct source_files later = {.started_ns = 1};
    assert_string_equal(find(&later, "%s:1"), "");
    source_files_release(&later);
    unlink(path);
}

static void test_long_lines_end_with_a_character(void **state)
{
    (void)state;
    char source[3 * LINE_TEXT_BYTES];
    for (int shift = 0; shift < 3; shift++) {
        size_t length = (size_t)shift;
        memset(source, 'a', length);
        while (length + 4 < sizeof source) {
            memcpy(source + length, "\xe2\x82\xac", 3);
            length += 3;
        }
        source[length] = '\0';
        write_source(source);
        struct source_files files = {.started_ns = clock_read_ns(CLOCK_REALTIME) + 1000000000};
        const char *text = find(&files, "%s:1");
        assert_in_range(strlen(text), LINE_TEXT_BYTES - 2, LINE_TEXT_BYTES);
        assert_int_equal((strlen(text) - (size_t)shift) % 3, 0);
        source_files_release(&files);
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_texts),
                                       cmocka_unit_test(test_long_lines_end_with_a_character)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
