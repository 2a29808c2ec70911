/* What programs say about code that they generate. */
#include "experiment/code/perf_map.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct perf_map map;

static int end(void **state)
{
    (void)state;
    perf_map_release(&map);
    return 0;
}

static size_t parse(const char *text)
{
    return perf_map_parse(&map, text, strlen(text));
}

static void is(size_t number, uint64_t start, uint64_t size, const char *name)
{
    assert_true(number < map.count);
    assert_int_equal(map.entries[number].start, start);
    assert_int_equal(map.entries[number].size, size);
    assert_string_equal(map.names + map.entries[number].name, name);
}

static void functions_are_read(void **state)
{
    (void)state;
    const char *text = "7f0000001000 40 first\n0x7f0000002000 0x10 second one\r\nFFFFffff 1 C::f(int)\n";
    assert_int_equal(parse(text), strlen(text));
    assert_int_equal(map.count, 3);
    is(0, 0x7f0000001000, 0x40, "first");
    is(1, 0x7f0000002000, 0x10, "second one");
    is(2, 0xffffffff, 1, "C::f(int)");
}

static void bad_lines_are_passed_over(void **state)
{
    (void)state;
    parse("\n \nnonsense\n1000\n1000 40\n1000 40 \nxyz 40 name\n1000 -1 name\n1000 0 empty\n"
          "11112222333344445 40 too large\nffffffffffffffff 10 beyond the end\n1000\t40\ttabs\n"
          "0x 40 no number\n1000 40 good\n");
    assert_int_equal(map.count, 1);
    is(0, 0x1000, 0x40, "good");
}

static void a_line_counts_when_it_has_ended(void **state)
{
    (void)state;
    assert_int_equal(parse("1000 40 one\n2000 40 tw"), 12);
    assert_int_equal(map.count, 1);
    assert_int_equal(parse(""), 0);
}

static void tiers_are_one_function(void **state)
{
    (void)state;
    parse("1000 40 JS:~work /a.js:1:1\n2000 40 JS:*work /a.js:1:1\n3000 40 LazyCompile:^f\n4000 40 JS:plain\n"
          "5000 40 *other\n");
    is(0, 0x1000, 0x40, "JS:work /a.js:1:1");
    is(1, 0x2000, 0x40, "JS:work /a.js:1:1");
    is(2, 0x3000, 0x40, "LazyCompile:f");
    is(3, 0x4000, 0x40, "JS:plain");
    is(4, 0x5000, 0x40, "*other");
}

static void names_are_bounded(void **state)
{
    (void)state;
    char line[5000];
    memset(line, 'x', sizeof line);
    memcpy(line, "1000 40 a\033b", 11);
    line[sizeof line - 1] = '\n';
    assert_int_equal(perf_map_parse(&map, line, sizeof line), sizeof line);
    const char *name = map.names + map.entries[0].name;
    assert_true(strlen(name) < 1100);
    assert_int_equal(strncmp(name, "a?b", 3), 0);
}

static void append(const char *path, const char *text)
{
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* The test is the process that tells. */
static void a_file_is_read_as_it_grows(void **state)
{
    (void)state;
    char path[64], own[64];
    uint32_t pid = (uint32_t)getpid();
    snprintf(own, sizeof own, "/tmp/perf-%u.map", (unsigned)pid);
    unlink(own);
    assert_int_equal(perf_map_read(&map, pid, path), PERF_MAP_NONE);
    assert_string_equal(path, own);
    append(own, "1000 40 one\n2000 4");
    assert_int_equal(perf_map_read(&map, pid, path), PERF_MAP_GREW);
    assert_int_equal(map.count, 1);
    assert_int_equal(perf_map_read(&map, pid, path), PERF_MAP_NONE);
    append(own, "0 two\n");
    assert_int_equal(perf_map_read(&map, pid, path), PERF_MAP_GREW);
    assert_int_equal(map.count, 2);
    is(1, 0x2000, 0x40, "two");
    /* A new one, shorter. */
    unlink(own);
    append(own, "3000 40 three\n");
    assert_int_equal(perf_map_read(&map, pid, path), PERF_MAP_GREW);
    assert_int_equal(map.count, 1);
    is(0, 0x3000, 0x40, "three");
    unlink(own);
    /* Neither links nor devices nor strangers' files. */
    assert_int_equal(symlink("/etc/passwd", own), 0);
    assert_int_not_equal(perf_map_read(&map, pid, path), PERF_MAP_GREW);
    unlink(own);
    append(own, "4000 40 four\n");
    if (geteuid() != 65534 && chown(own, 65534, (gid_t)-1) == 0) /* who may give files away */
        assert_int_equal(perf_map_read(&map, pid, path), PERF_MAP_REFUSED);
    unlink(own);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(functions_are_read, end),
        cmocka_unit_test_teardown(bad_lines_are_passed_over, end),
        cmocka_unit_test_teardown(a_line_counts_when_it_has_ended, end),
        cmocka_unit_test_teardown(tiers_are_one_function, end),
        cmocka_unit_test_teardown(names_are_bounded, end),
        cmocka_unit_test_teardown(a_file_is_read_as_it_grows, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
