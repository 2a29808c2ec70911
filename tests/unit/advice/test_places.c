/* Where a statement may stand: lines of a source are marked with what is right. */
#include "advice/points/places.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* The source of a text: as it is read from a file. */
static void read_text(struct point_sources *sources, const char *text)
{
    char path[] = "/tmp/coz-places.XXXXXX.c", *paths[] = {path};
    int fd = mkstemps(path, 2);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    close(fd);
    const struct source_choice choice = {.paths = paths, .path_count = 1};
    assert_int_equal(point_sources_read(sources, &choice, NULL), 0);
    unlink(path);
}

/* Before a line of kind '+' a statement may stand, of '.' it is inside of one, of '-' never. */
struct line {
    char kind;
    const char *text;
};

static void check(const struct line *lines, size_t count)
{
    static const char kinds[] = "-.+";
    char text[4000] = "";
    struct point_sources sources;
    for (size_t i = 0; i < count; i++)
        strcat(strcat(text, lines[i].text), "\n");
    read_text(&sources, text);
    assert_int_equal(sources.items[0].line_count, count);
    enum place *places = places_find(&sources.items[0]);
    for (size_t i = 0; i < count; i++)
        if (kinds[places[i]] != lines[i].kind)
            fail_msg("line %zu, `%s`: %c instead of %c", i + 1, lines[i].text, kinds[places[i]],
                     lines[i].kind);
    free(places);
    point_sources_release(&sources);
}

#define CHECK(lines) check(lines, sizeof lines / sizeof *lines)

static void test_statements(void **state)
{
    (void)state;
    static const struct line lines[] = {
        {'-', "#include <stdio.h>"},
        {'-', "int f(int a,"},
        {'.', "      int b)"},
        {'.', "{"},
        {'+', "    int x = a +"},
        {'.', "            b;"},
        {'+', "    if (x)"},
        {'.', "        x++;"},
        {'-', "    else"},
        {'.', "        x--;"},
        {'+', "    for (int i = 0; i < 3;"},
        {'.', "         i++)"},
        {'.', "        for (;;)"},
        {'.', "            break;"},
        {'+', "    do {"},
        {'+', "        x++;"},
        {'+', "    }"},
        {'-', "    while (x < 3);"},
        {'+', "    switch (x) {"},
        {'-', "    case 1:"},
        {'+', "        x = 2;"},
        {'+', "        break;"},
        {'-', "    default:"},
        {'+', "        return 7;"},
        {'-', "    }"},
        {'+', "    return x;"},
        {'-', "}"},
        {'-', "int y;"},
    };
    CHECK(lines);
}

static void test_texts_and_comments(void **state)
{
    (void)state;
    static const struct line lines[] = {
        {'-', "void f(void) {"},
        {'+', "    char c = '{', d = '\\'', e[] = \"}{ \\\" ( /* \";"},
        {'+', "    /* a comment { "},
        {'.', "       that goes on; */ g(c, 0x1'000);"},
        {'+', "    // if (x) {"},
        {'+', "#define MACRO(x) do { \\"},
        {'.', "        g(x); \\"},
        {'.', "    } while (0"},
        {'+', "    g(d,"},
        {'.', "#if 1"},
        {'.', "      1"},
        {'.', "#endif"},
        {'.', "    );"},
        {'+', "    const char *r = R\"x( \" { )\" ;"},
        {'.', "        ( )x\";"},
        {'+', "    int a[] = {"},
        {'.', "        1, 2"},
        {'.', "    };"},
        {'+', "    g(a[0],"},
        {'.', "      r);"},
        {'+', "    g((struct pair){"},
        {'.', "        1, 2});"},
        {'+', "    struct local {"},
        {'-', "        int one;"},
        {'-', "    } z;"},
        {'+', "    f2: g(z);"},
        {'+', "}"},
        {'-', "enum kinds {"},
        {'-', "    A,"},
        {'.', "    B"},
        {'.', "};"},
        {'-', "namespace n {"},
        {'-', "struct counter *f2(void)"},
        {'.', "{"},
        {'+', "    return 0;"},
        {'-', "}"},
        {'-', "}"},
    };
    CHECK(lines);
}

static size_t include_of(const char *text)
{
    struct point_sources sources;
    read_text(&sources, text);
    size_t line = places_include(&sources.items[0]);
    point_sources_release(&sources);
    return line;
}

static void test_header(void **state)
{
    (void)state;
    assert_int_equal(include_of("#include <a.h>\n#include <coz.h>\nint x;\n"), 0);
    assert_int_equal(
        include_of("/* A\n   comment. */\n#define _GNU_SOURCE\n#include <a.h>\n\n#include \"b.h\"\nint x;\n"),
        7);
    assert_int_equal(include_of("#include <a.h>\n#ifdef X\n#include <x.h>\n#endif\n#include <b.h>\n"), 2);
    assert_int_equal(include_of("#ifndef A_H\n#define A_H\n#include <a.h>\nint x;\n#endif\n"), 4);
    assert_int_equal(include_of("#ifndef A_H\n#define A_H\nint x;\n#endif\n"), 3);
    assert_int_equal(include_of("#ifndef _GNU_SOURCE\n#define _GNU_SOURCE\n#endif\n#include <a.h>\nint x;\n"),
                     5);
    assert_int_equal(include_of("/* A comment.\n#include <no.h>\n */\nint x;\n"), 4);
    assert_int_equal(include_of("int x;\n"), 1);
    assert_int_equal(include_of("#include <a.h>\nint x;\n#include <late.h>\n"), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_statements),
                                       cmocka_unit_test(test_texts_and_comments),
                                       cmocka_unit_test(test_header)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
