/* Words that fit into a width, names that do a terminal no harm, and links that open the right file. */
#include "report/cells.h"
#include "report/ink.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void expect_paragraph(const char *text, size_t columns, const char *expected)
{
    char *printed;
    size_t size;
    FILE *out = open_memstream(&printed, &size);
    put_paragraph(out, text, columns);
    fclose(out);
    assert_string_equal(printed, expected);
    free(printed);
}

static void test_paragraphs(void **state)
{
    (void)state;
    expect_paragraph("one two three\n", 7, "one two\nthree\n");
    expect_paragraph("one two three\n", 6, "one\ntwo\nthree\n");
    expect_paragraph("one two three\nfour", 0, "one two three\nfour");
    expect_paragraph("a sesquipedalian word", 6, "a\nsesquipedalian\nword");
    expect_paragraph("\n  kept  blanks\n\n", 20, "\n  kept  blanks\n\n");
    expect_paragraph("\xc3\xa4\xc3\xa4 \xc3\xb6\xc3\xb6", 5,
                     "\xc3\xa4\xc3\xa4 \xc3\xb6\xc3\xb6");          /* characters */
    expect_paragraph("says 65.6 %. And", 10, "says\n65.6 %.\nAnd"); /* a number with its sign */
    expect_paragraph("", 5, "");
}

static void expect_clean(const char *text, const char *expected)
{
    char *clean = clean_text(text, true);
    assert_string_equal(clean, expected);
    free(clean);
}

static void test_escapes(void **state)
{
    (void)state;
    expect_clean("plain \xc3\xa9 \xe2\x82\xac", "plain \xc3\xa9 \xe2\x82\xac");
    expect_clean("\033]0;title\a\r\n\t", "\\x1b]0;title\\a\\r\\n\\t");
    expect_clean("\x7f\x01", "\\x7f\\x01");
    expect_clean("a\xc2\x9b"
                 "31m",
                 "a\\u009b31m"); /* a control sequence in one character */
    expect_clean("\xe2\x80\xae"
                 "txt.c",
                 "\\u202etxt.c"); /* turns what follows */
    expect_clean("\xe2\x81\xa6\xef\xbb\xbf", "\\u2066\\ufeff");
    expect_clean("\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80");
    expect_clean("\xff", "\xef\xbf\xbd");
}

static void test_links(void **state)
{
    (void)state;
    char *printed, host[256] = "", expected[600];
    size_t size;
    const struct report_options with = {.links = true}, without = {.links = false};
    FILE *out = open_memstream(&printed, &size);
    static const char path[] = "/src/a b;\033%\xc3\xa9.c:12";
    assert_true(put_link(out, path, strlen(path) - 3, &with));
    put_link_end(out);
    assert_false(put_link(out, path, strlen(path) - 3, &without));
    assert_false(put_link(out, "relative.c", 10, &with));
    fclose(out);
    gethostname(host, sizeof host - 1);
    snprintf(expected, sizeof expected,
             "\033]8;;file://%s/src/a%%20b%%3B%%1B%%25%%C3%%A9.c\033\\\033]8;;\033\\", host);
    assert_string_equal(printed, expected);
    free(printed);
}

static void test_location_paths(void **state)
{
    (void)state;
    const struct analysis_result line = {.kind = "line", .location = "/a/b.c:12"},
                                 site = {.kind = "callsite", .location = "/a/b.c:12 <- /long/c.c:3"},
                                 function = {.kind = "function", .location = "a.c:f"};
    assert_int_equal(location_path_length(&line), 6);
    assert_int_equal(location_path_length(&site), 6);
    assert_int_equal(location_path_length(&function), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_paragraphs), cmocka_unit_test(test_escapes),
                                       cmocka_unit_test(test_links), cmocka_unit_test(test_location_paths)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
