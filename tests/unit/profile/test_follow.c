/* A profile is read while it is written: what was appended, once and in order; and it is noticed when it is
 * another one. */
#include "profile/reader.h"
#include "profile/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h> /* nanosleep */
#include <unistd.h>

#include <cmocka.h>

#define WINDOW                                                                                               \
    "{\"type\":\"experiment\",\"selected\":\"a.c:1\",\"speedup\":0,\"duration\":1,\"selected_samples\":1}\n"
#define POINT "{\"type\":\"throughput-point\",\"name\":\"p\",\"delta\":%d}\n"

static char path[] = "/tmp/coz-test-follow-XXXXXX";

struct seen {
    size_t records, problems;
    uint64_t last_delta;
};

static int on_record(void *context, const struct profile_record *record)
{
    struct seen *seen = context;
    seen->records++;
    if (record->type == PROFILE_THROUGHPUT)
        seen->last_delta = record->throughput.delta;
    return 0;
}

static void on_problem(void *context, const struct profile_problem *problem)
{
    (void)problem;
    struct seen *seen = context;
    seen->problems++;
}

static void write_text(const char *mode, const char *text)
{
    FILE *file = fopen(path, mode);
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static struct profile_follower *follow(struct seen *seen)
{
    struct profile_follower *follower;
    struct profile_visitor visitor = {on_record, on_problem, seen};
    assert_int_equal(profile_follow(&follower, path, &visitor, NULL), 0);
    return follower;
}

static void test_what_was_appended(void **state)
{
    (void)state;
    struct seen seen = {0};
    write_text("w", WINDOW);
    struct profile_follower *follower = follow(&seen);
    assert_int_equal(profile_follow_on(follower, NULL), 1);
    assert_int_equal(seen.records, 1);
    assert_int_equal(profile_follow_on(follower, NULL), 0);
    char point[100];
    snprintf(point, sizeof point, POINT, 17);
    write_text("a", point);
    assert_int_equal(profile_follow_on(follower, NULL), 1);
    assert_int_equal(seen.records, 2);
    assert_int_equal(seen.last_delta, 17);

    /* A line comes in two parts, and is no problem meanwhile. */
    snprintf(point, sizeof point, POINT, 1234);
    char first[40] = "";
    memcpy(first, point, 30);
    write_text("a", first);
    assert_int_equal(profile_follow_on(follower, NULL), 1);
    assert_int_equal(seen.records, 2);
    write_text("a", point + 30);
    assert_int_equal(profile_follow_on(follower, NULL), 1);
    assert_int_equal(seen.records, 3);
    assert_int_equal(seen.last_delta, 1234);
    assert_int_equal(seen.problems, 0);
    assert_int_equal(profile_follow_end(follower, NULL), 0);
    assert_int_equal(seen.records + seen.problems, 3);
    profile_unfollow(follower);
}

static void test_what_is_cut_off_at_the_end(void **state)
{
    (void)state;
    struct seen seen = {0};
    write_text("w", WINDOW "{\"type\":\"through");
    struct profile_follower *follower = follow(&seen);
    assert_int_equal(profile_follow_on(follower, NULL), 1);
    assert_int_equal(seen.problems, 0);
    assert_int_equal(profile_follow_end(follower, NULL), 0);
    assert_int_equal(seen.problems, 1);
    assert_int_equal(profile_follow_end(follower, NULL), 0);
    assert_int_equal(seen.problems, 1);
    profile_unfollow(follower);
}

static void test_another_file(void **state)
{
    (void)state;
    struct seen seen = {0};
    struct coz_error error;
    write_text("w", WINDOW WINDOW);
    struct profile_follower *follower = follow(&seen);
    assert_int_equal(profile_follow_on(follower, &error), 1);
    write_text("w", WINDOW); /* shorter */
    assert_int_equal(profile_follow_on(follower, &error), -ESTALE);
    assert_non_null(strstr(error.text, "cut off"));
    profile_unfollow(follower);

    follower = follow(&seen);
    assert_int_equal(profile_follow_on(follower, &error), 1);
    char aside[sizeof path + 8];
    snprintf(aside, sizeof aside, "%s.old", path);
    assert_int_equal(rename(path, aside), 0);
    assert_int_equal(profile_follow_on(follower, &error), 0); /* nothing has its name yet */
    write_text("w", WINDOW WINDOW WINDOW);
    assert_int_equal(profile_follow_on(follower, &error), -ESTALE);
    assert_non_null(strstr(error.text, "another file"));
    profile_unfollow(follower);
    unlink(aside);
}

static void test_a_pipe(void **state)
{
    (void)state;
    struct seen seen = {0};
    struct profile_visitor visitor = {on_record, on_problem, &seen};
    struct profile_follower *follower;
    int ends[2];
    char name[32];
    assert_int_equal(pipe(ends), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
    assert_int_equal(profile_follow(&follower, name, &visitor, NULL), 0);
    assert_int_equal(write(ends[1], WINDOW, sizeof WINDOW - 1), sizeof WINDOW - 1);
    close(ends[1]);
    assert_int_equal(profile_follow_on(follower, NULL), 1);
    assert_int_equal(seen.records, 1);
    assert_int_equal(profile_follow_on(follower, NULL), 0);
    assert_int_equal(profile_follow_on(follower, NULL), 0);
    assert_false(profile_is_written(follower));
    profile_unfollow(follower);
    close(ends[0]);
}

static void test_whether_it_is_written(void **state)
{
    (void)state;
    struct seen seen = {0};
    struct profile_writer *writer, *second;
    write_text("w", WINDOW);
    struct profile_follower *follower = follow(&seen);
    assert_false(profile_is_written(follower));
    assert_int_equal(profile_writer_open(&writer, path, PROFILE_JSON_LINES, NULL, NULL), 0);
    assert_true(profile_is_written(follower));
    assert_int_equal(profile_writer_open(&second, path, PROFILE_JSON_LINES, NULL, NULL), -EBUSY);
    profile_writer_close(writer);
    assert_false(profile_is_written(follower));

    /* Looking does not keep a run from writing. */
    for (int i = 0; i < 100; i++) {
        assert_false(profile_is_written(follower));
        assert_int_equal(profile_writer_open(&writer, path, PROFILE_JSON_LINES, NULL, NULL), 0);
        profile_writer_close(writer);
    }
    profile_unfollow(follower);
}

/* Whoever waits here waits for the look at the file to be over. */
static int looking = -1, waits;

int nanosleep(const struct timespec *duration, struct timespec *left)
{
    (void)duration, (void)left;
    waits++;
    return flock(looking, LOCK_UN);
}

/* Somebody who looks holds the file for a moment: a run waits for that, and is not refused. */
static void test_writer_waits_for_a_look(void **state)
{
    (void)state;
    struct profile_writer *writer;
    write_text("w", WINDOW);
    looking = open(path, O_RDONLY | O_CLOEXEC);
    assert_true(looking >= 0);
    assert_int_equal(flock(looking, LOCK_SH), 0);
    waits = 0;
    assert_int_equal(profile_writer_open(&writer, path, PROFILE_JSON_LINES, NULL, NULL), 0);
    assert_int_equal(waits, 1);
    profile_writer_close(writer);
    close(looking);
}

static void test_bytes(void **state)
{
    (void)state;
    struct seen seen = {0};
    struct profile_visitor visitor = {on_record, on_problem, &seen};
    const char *text = "experiment\tselected=a.c:1\tspeedup=0.5\tduration=10\tselected-samples=3\n"
                       "throughput-point\tname=p\tdelta=9\nnonsense\n" WINDOW;
    assert_int_equal(profile_read_bytes("dropped", text, strlen(text), &visitor, NULL), 0);
    assert_int_equal(seen.records, 3);
    assert_int_equal(seen.last_delta, 9);
    assert_int_equal(seen.problems, 1);
    assert_int_equal(profile_read_bytes("dropped", "", 0, &visitor, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_was_appended),
        cmocka_unit_test(test_what_is_cut_off_at_the_end),
        cmocka_unit_test(test_another_file),
        cmocka_unit_test(test_whether_it_is_written),
        cmocka_unit_test(test_writer_waits_for_a_look),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_a_pipe),
    };
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
