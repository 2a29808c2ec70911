/* A view says of a profile that grows what `coz report` would say of it as it is. */
#include "base/clock.h"
#include "profile/verified.h"
#include "serve/view.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/coz-test-view-XXXXXX";
static const uint64_t second = 1000000000;
static const struct view_options usual = {0}, awaiting = {.awaits = true};

static void put_startup(FILE *out, const char *build)
{
    fprintf(out, "{\"type\":\"startup\",\"time\":1,\"program\":\"/bin/p\",\"build_id\":\"%s\"}\n", build);
}

/* Windows of a block in which half the speed saves two fifths. */
static void put_windows(FILE *out, int block, int from, int to)
{
    for (int window = from; window <= to; window++) {
        int elapsed = window % 2 ? 100000000 + 100000 * ((block + window) % 5) : 60000000;
        fprintf(out,
                "{\"type\":\"experiment\",\"selected\":\"a.c:1\",\"speedup\":%s,\"duration\":%d,"
                "\"selected_samples\":90,\"block\":%d,\"window\":%d}\n"
                "{\"type\":\"throughput-point\",\"name\":\"p\",\"delta\":1000,\"elapsed\":%d}\n",
                window % 2 ? "0" : "0.5", elapsed, block, window, elapsed);
    }
}

static void put_end(FILE *out)
{
    fputs(
        "{\"type\":\"runtime\",\"time\":4000000000}\n{\"type\":\"samples\",\"location\":\"a.c:1\",\"count\":300}\n",
        out);
}

static FILE *open_profile(const char *mode)
{
    FILE *out = fopen(path, mode);
    assert_non_null(out);
    return out;
}

static char *data_of(struct view *view)
{
    char *text = NULL;
    size_t size = 0;
    struct coz_error error;
    FILE *out = open_memstream(&text, &size);
    assert_non_null(out);
    int code = view_put_data(view, out, &error);
    fclose(out);
    if (code == -ENOSYS) {
        print_message("%s\n", error.text);
        free(text);
        return NULL;
    }
    assert_int_equal(code, 0);
    return text;
}

/* What a view that has followed says is what one says that reads all at once. */
static void check_as_read_anew(struct view *view)
{
    struct view *fresh;
    assert_int_equal(view_open(&fresh, path, &usual, NULL), 0);
    char *one = data_of(view), *other = data_of(fresh);
    if (one && other)
        assert_string_equal(one, other);
    free(one);
    free(other);
    view_close(fresh);
}

static void test_growing(void **state)
{
    (void)state;
    struct view *view;
    FILE *out = open_profile("w");
    assert_int_equal(flock(fileno(out), LOCK_EX), 0); /* as a run does */
    put_startup(out, "0a");
    put_windows(out, 1, 1, 3);
    fflush(out);
    assert_int_equal(view_open(&view, path, &usual, NULL), 0);
    assert_true(view_is_live(view));
    assert_int_equal(view_state(view), 1);
    uint64_t now = second;
    assert_false(view_look(view, now));
    for (int block = 1; block <= 8; block++) {
        put_windows(out, block, block == 1 ? 4 : 1, 5);
        fflush(out);
        assert_true(view_look(view, now += second));
        assert_int_equal(view_state(view), 1 + block);
        assert_int_equal(analysis_windows(view_analysis(view)), 5 * block);
        check_as_read_anew(view);
        /* However long nothing comes: it is being written. */
        assert_false(view_look(view, now += 100 * second));
    }
    put_end(out);
    fclose(out);
    assert_true(view_look(view, now += second));
    assert_false(view_is_live(view));
    check_as_read_anew(view);
    view_close(view);
}

/* A run that was killed has no end; its last block counts all the same, as it does for `coz report`. */
static void test_killed_and_run_again(void **state)
{
    (void)state;
    struct view *view;
    const struct analysis_result *results;
    FILE *out = open_profile("w");
    assert_int_equal(flock(fileno(out), LOCK_EX), 0);
    put_startup(out, "0a");
    for (int block = 1; block <= 4; block++)
        put_windows(out, block, 1, 5);
    put_windows(out, 5, 1, 3);
    fflush(out);
    assert_int_equal(view_open(&view, path, &usual, NULL), 0);
    assert_int_equal(analysis_results(view_analysis(view), &results), 1);
    assert_int_equal(results[0].curve_count, 1);
    size_t before = results[0].curve[0].windows;
    fclose(out);
    uint64_t now = second;
    assert_true(view_look(view, now));
    assert_false(view_is_live(view));
    assert_int_equal(analysis_results(view_analysis(view), &results), 1);
    assert_int_equal(results[0].curve_count, 1);
    assert_true(results[0].curve[0].windows > before);
    check_as_read_anew(view);

    out = open_profile("a");
    assert_int_equal(flock(fileno(out), LOCK_EX), 0);
    put_startup(out, "0a");
    put_windows(out, 1, 1, 5);
    fflush(out);
    assert_true(view_look(view, now += second));
    assert_true(view_is_live(view));
    put_end(out);
    fclose(out);
    assert_true(view_look(view, now += second));
    assert_int_equal(analysis_windows(view_analysis(view)), 28);
    check_as_read_anew(view);
    view_close(view);
}

static void test_another_file(void **state)
{
    (void)state;
    struct view *view;
    FILE *out = open_profile("w");
    put_startup(out, "0a");
    put_windows(out, 1, 1, 5);
    put_end(out);
    fclose(out);
    assert_int_equal(view_open(&view, path, &usual, NULL), 0);
    out = open_profile("w"); /* cut off, and written anew */
    put_startup(out, "0b");
    put_windows(out, 1, 1, 3);
    put_end(out);
    fclose(out);
    assert_true(view_look(view, second));
    assert_int_equal(analysis_windows(view_analysis(view)), 3);
    check_as_read_anew(view);

    /* It goes away, and another comes. */
    assert_int_equal(unlink(path), 0);
    assert_false(view_look(view, 2 * second));
    assert_int_equal(analysis_windows(view_analysis(view)), 3);
    out = open_profile("w");
    put_startup(out, "0c");
    put_windows(out, 1, 1, 4);
    put_end(out);
    fclose(out);
    assert_true(view_look(view, 3 * second));
    assert_int_equal(analysis_windows(view_analysis(view)), 4);
    view_close(view);
}

static void test_awaited(void **state)
{
    (void)state;
    struct view *view;
    struct coz_error error;
    unlink(path);
    assert_int_equal(view_open(&view, path, &usual, &error), -ENOENT);
    assert_non_null(strstr(error.text, path));
    assert_int_equal(view_open(&view, path, &awaiting, &error), 0);
    assert_false(view_look(view, second));
    assert_int_equal(view_state(view), 1);
    FILE *out = open_profile("w");
    put_startup(out, "0a");
    put_windows(out, 1, 1, 5);
    fclose(out);
    assert_true(view_look(view, 2 * second));
    assert_int_equal(analysis_windows(view_analysis(view)), 5);
    view_close(view);
}

static void test_refused(void **state)
{
    (void)state;
    struct view *view;
    struct coz_error error;
    struct view_options mixing = {.mixes_builds = true};
    FILE *out = open_profile("w");
    fputs("nonsense\n", out);
    fclose(out);
    assert_int_equal(view_open(&view, path, &usual, &error), -EINVAL);
    assert_non_null(strstr(error.text, "is no profile"));
    out = open_profile("w");
    put_startup(out, "0a");
    put_end(out);
    put_startup(out, "0b");
    put_end(out);
    fclose(out);
    assert_int_equal(view_open(&view, path, &usual, &error), -EINVAL);
    assert_non_null(strstr(error.text, "different builds"));
    assert_int_equal(view_open(&view, path, &mixing, &error), 0);
    view_close(view);
    assert_int_equal(view_open(&view, "/tmp", &usual, &error), -EISDIR);
    assert_int_equal(view_open_bytes(&view, "x", "", 0, &usual, &error), -EINVAL);
    assert_int_equal(view_open_bytes(&view, "x", "\0\0{", 3, &usual, &error), -EINVAL);
}

static void test_brought(void **state)
{
    (void)state;
    static const char old[] =
        "startup\ttime=1\nexperiment\tselected=a.c:1\tspeedup=0.5\tduration=100\tselected-samples=3\n"
        "throughput-point\tname=p\tdelta=9\n";
    struct view *view;
    assert_int_equal(view_open_bytes(&view, "/some/where/old.coz", old, sizeof old - 1, &usual, NULL), 0);
    assert_string_equal(view_name(view), "old.coz");
    assert_int_equal(analysis_windows(view_analysis(view)), 1);
    assert_false(view_look(view, second));
    assert_false(view_is_live(view));
    view_close(view);
}

static void verify(const char *folder, const char *point)
{
    static const struct verified_effect unknown = {NAN, NAN, NAN};
    char profile[200];
    snprintf(profile, sizeof profile, "%s/p.jsonl", folder);
    char *ledger = verified_path(profile);
    const struct verified verified = {.time_ns = 1,
                                      .before = "a",
                                      .after = "b",
                                      .point = point,
                                      .gain = {0.2, 0.1, 0.3},
                                      .line = unknown,
                                      .promise = unknown};
    assert_int_equal(verified_append(ledger, &verified, NULL), 0);
    free(ledger);
}

static void expect_verified(struct view *view, const char *wanted)
{
    char *data = data_of(view);
    if (data && !strstr(data, wanted))
        fail_msg("%s is not in %s", wanted, data);
    free(data);
}

static void test_verified(void **state)
{
    (void)state;
    char folder[] = "/tmp/coz-test-ledger-XXXXXX", command[200], profile[200];
    struct view *view;
    assert_non_null(mkdtemp(folder));
    snprintf(profile, sizeof profile, "%s/p.jsonl", folder);
    FILE *out = fopen(profile, "w");
    assert_non_null(out);
    put_startup(out, "0a");
    put_end(out);
    fclose(out);
    assert_int_equal(view_open(&view, profile, &usual, NULL), 0);
    expect_verified(view, "\"verified\":[]");
    assert_false(view_look(view, second));
    verify(folder, "first");
    assert_true(view_look(view, 2 * second));
    assert_int_equal(view_state(view), 2);
    expect_verified(view, "\"point\":\"first\"");
    expect_verified(view, "\"outcome\":\"gained\"");
    assert_false(view_look(view, 3 * second));
    verify(folder, "second");
    assert_true(view_look(view, 4 * second));
    expect_verified(view, "\"point\":\"second\"");
    view_close(view);
    assert_int_equal(view_open_bytes(&view, profile, "{\"type\":\"runtime\",\"time\":1}\n", 28, &usual, NULL),
                     0);
    expect_verified(view, "\"verified\":[]"); /* what is brought has no place beside which to look */
    view_close(view);
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_growing),      cmocka_unit_test(test_killed_and_run_again),
        cmocka_unit_test(test_another_file), cmocka_unit_test(test_awaited),
        cmocka_unit_test(test_refused),      cmocka_unit_test(test_brought),
        cmocka_unit_test(test_verified),
    };
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
