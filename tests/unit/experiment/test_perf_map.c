/* What programs say about code that they generate. */
#include "experiment/code/perf_map.h"

#include <fcntl.h>
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

static enum perf_map_news look(char path[64])
{
    size_t budget = 1 << 20;
    return perf_map_read(&map, (uint32_t)getpid(), &budget, path);
}

static void append(const char *path, const char *text)
{
    FILE *file = fopen(path, "a");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

/* The test is the process that tells. There is no such file yet. */
static void name_own(char own[64])
{
    snprintf(own, 64, "/tmp/perf-%u.map", (unsigned)getpid());
    unlink(own);
}

static void a_file_is_read_as_it_grows(void **state)
{
    (void)state;
    char path[64], own[64];
    name_own(own);
    assert_int_equal(look(path), PERF_MAP_NONE);
    assert_string_equal(path, own);
    append(own, "1000 40 one\n2000 4");
    assert_int_equal(look(path), PERF_MAP_GREW);
    assert_int_equal(map.count, 1);
    assert_int_equal(look(path), PERF_MAP_NONE);
    append(own, "0 two\n");
    assert_int_equal(look(path), PERF_MAP_GREW);
    assert_int_equal(map.count, 2);
    is(1, 0x2000, 0x40, "two");
    /* A new one, shorter. */
    unlink(own);
    append(own, "3000 40 three\n");
    assert_int_equal(look(path), PERF_MAP_GREW);
    assert_int_equal(map.count, 1);
    is(0, 0x3000, 0x40, "three");
    unlink(own);
    /* Neither links nor devices nor strangers' files. */
    assert_int_equal(symlink("/etc/passwd", own), 0);
    assert_int_not_equal(look(path), PERF_MAP_GREW);
    unlink(own);
    append(own, "4000 40 four\n");
    if (geteuid() != 65534 && chown(own, 65534, (gid_t)-1) == 0) /* who may give files away */
        assert_int_equal(look(path), PERF_MAP_REFUSED);
    unlink(own);
}

/* Its number stays the same, and its size may be any. */
static void rewrite(const char *path, const char *text)
{
    FILE *file = fopen(path, "r+");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fflush(file), 0);
    assert_int_equal(ftruncate(fileno(file), (off_t)strlen(text)), 0);
    fclose(file);
}

static void a_file_that_is_written_anew_is_read_anew(void **state)
{
    (void)state;
    char path[64], own[64];
    name_own(own);
    append(own, "1000 40 one\n2000 40 two\n");
    assert_int_equal(look(path), PERF_MAP_GREW);
    rewrite(own, "5000 40 first\n6000 40 second\n7000 40 third\n"); /* longer */
    assert_int_equal(look(path), PERF_MAP_GREW);
    assert_int_equal(map.count, 3);
    is(0, 0x5000, 0x40, "first");
    is(2, 0x7000, 0x40, "third");
    rewrite(own, "8000 40 eight\n"); /* shorter */
    assert_int_equal(look(path), PERF_MAP_GREW);
    assert_int_equal(map.count, 1);
    is(0, 0x8000, 0x40, "eight");
    /* As long, and with the same end; what was read then is not read again. */
    rewrite(own, "9000 40 eight\n");
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1000}};
    assert_int_equal(utimensat(AT_FDCWD, own, times, 0), 0);
    assert_int_equal(look(path), PERF_MAP_GREW);
    assert_int_equal(map.count, 1);
    is(0, 0x9000, 0x40, "eight");
    assert_int_equal(look(path), PERF_MAP_NONE);
    unlink(own);
}

static void a_look_reads_only_so_much(void **state)
{
    (void)state;
    enum { LINES = 40000, BUDGET = 1 << 17 };
    char path[64], own[64];
    name_own(own);
    FILE *file = fopen(own, "w");
    assert_non_null(file);
    for (int i = 0; i < LINES; i++)
        fprintf(file, "%x 40 function number %d\n", 0x1000 + i * 0x40, i);
    long size = ftell(file);
    fclose(file);
    assert_true(size > 4 * BUDGET);
    size_t looks = 0, budget;
    do {
        uint64_t before = map.read;
        budget = BUDGET;
        assert_int_equal(perf_map_read(&map, (uint32_t)getpid(), &budget, path), PERF_MAP_GREW);
        assert_true(map.read - before < 2 * BUDGET);
        looks++;
        assert_true(looks < 100);
    } while (map.is_behind);
    assert_true(looks >= (size_t)size / BUDGET);
    assert_true(budget > 0);
    assert_int_equal(map.read, size);
    assert_int_equal(map.count, LINES);
    is(LINES - 1, 0x1000 + (LINES - 1) * 0x40, 0x40, "function number 39999");
    /* Nothing is left to read; and with no budget nothing is read. */
    assert_int_equal(look(path), PERF_MAP_NONE);
    append(own, "1 1 late\n");
    budget = 0;
    assert_int_equal(perf_map_read(&map, (uint32_t)getpid(), &budget, path), PERF_MAP_NONE);
    assert_int_equal(look(path), PERF_MAP_GREW);
    is(LINES, 1, 1, "late");
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
        cmocka_unit_test_teardown(a_file_that_is_written_anew_is_read_anew, end),
        cmocka_unit_test_teardown(a_look_reads_only_so_much, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
