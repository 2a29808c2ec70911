/* Which sources are hashed at a run's end, and which are not. */
#include "experiment/sources/source_hashes.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { MOST = 8 };

static char folder[] = "/tmp/coz-test-hashes-XXXXXX";
static struct source_files files;
static struct source_hashes hashes;
static struct {
    enum profile_type type;
    char path[128], sha256[80];
} seen[MOST];
static size_t seen_count;
static int answer;

static int sink(void *context, const struct profile_record *record)
{
    assert_ptr_equal(context, seen);
    assert_true(seen_count < MOST);
    seen[seen_count].type = record->type;
    if (record->type == PROFILE_SOURCE) {
        snprintf(seen[seen_count].path, sizeof seen->path, "%s", record->source.path);
        snprintf(seen[seen_count].sha256, sizeof seen->sha256, "%s", record->source.sha256);
    }
    seen_count++;
    return answer;
}

static const char *path_of(const char *name)
{
    static char paths[4][128];
    static unsigned next;
    char *path = paths[next++ % 4];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static void put_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int begin(void **state)
{
    (void)state;
    files = (struct source_files){.started_ns = INT64_MAX};
    hashes = (struct source_hashes){&files, sink, seen};
    seen_count = 0;
    answer = 0;
    return 0;
}

static int end(void **state)
{
    (void)state;
    source_files_release(&files);
    return 0;
}

static void note(const char *location, const char *kind, const char *file, uint64_t count)
{
    struct profile_record record = {
        .type = PROFILE_SAMPLES,
        .samples = {.location = location, .kind = kind, .file = file, .count = count}};
    assert_int_equal(source_hashes_note(&hashes, &record), 0);
}

static void the_most_sampled_first(void **state)
{
    (void)state;
    char location[300];
    put_file("a.c", "abc");
    put_file("b.c", "");
    put_file("passwords", "secret");
    snprintf(location, sizeof location, "%s:1 <- %s:7", path_of("b.c"), path_of("a.c"));
    note(location, "callsite", NULL, 10);
    snprintf(location, sizeof location, "%s:2", path_of("a.c"));
    note(location, NULL, NULL, 10);
    note("f", "function", path_of("a.c"), 1);
    note("g", "function", path_of("gone.c"), 100);
    snprintf(location, sizeof location, "%s:2", path_of("passwords"));
    note(location, NULL, NULL, 10);
    assert_int_equal(seen_count, 5); /* passed on */
    assert_int_equal(seen[4].type, PROFILE_SAMPLES);
    seen_count = 0;
    assert_int_equal(source_hashes_write(&hashes), 0);
    assert_int_equal(seen_count, 2);
    assert_int_equal(seen[0].type, PROFILE_SOURCE);
    assert_string_equal(seen[0].path, path_of("a.c"));
    assert_string_equal(seen[0].sha256, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_string_equal(seen[1].path, path_of("b.c"));
}

static void not_what_changed_meanwhile(void **state)
{
    (void)state;
    put_file("a.c", "abc");
    note("f", "function", path_of("a.c"), 1);
    seen_count = 0;
    files.started_ns = 1000;
    assert_int_equal(source_hashes_write(&hashes), 0);
    assert_int_equal(seen_count, 0);
}

static void what_the_sink_says_is_passed_on(void **state)
{
    (void)state;
    put_file("a.c", "abc");
    put_file("b.c", "abc");
    note("f", "function", path_of("a.c"), 1);
    note("f", "function", path_of("b.c"), 1);
    answer = -ENOSPC;
    seen_count = 0;
    assert_int_equal(source_hashes_write(&hashes), -ENOSPC);
    assert_int_equal(seen_count, 1);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(path_of("a.c"));
    unlink(path_of("b.c"));
    unlink(path_of("passwords"));
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_most_sampled_first, begin, end),
        cmocka_unit_test_setup_teardown(not_what_changed_meanwhile, begin, end),
        cmocka_unit_test_setup_teardown(what_the_sink_says_is_passed_on, begin, end),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
