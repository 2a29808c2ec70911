/* The profile's reader and writer: what is bad is named and passed over, what was written is read back. */
#include "profile/reader.h"
#include "profile/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char path[] = "/tmp/coz-test-profile-XXXXXX";

struct seen {
    size_t records, problems;
    struct profile_record last;
    char name[128]; /* the last record's texts */
    size_t line, column;
    char what[256];
    int answer; /* of the visitor */
};

/* The record's texts, which live no longer than the reader's memory. */
static void keep_texts(char *texts, size_t size, const struct profile_record *record)
{
    const char *name = NULL;
    switch (record->type) {
    case PROFILE_WAIT:
        snprintf(texts, size, "%s %s", record->wait.class, record->wait.place);
        return;
    case PROFILE_WAKE:
        snprintf(texts, size, "%s %s by %s after %s %s", record->wake.class, record->wake.place,
                 record->wake.by, record->wake.after_class, record->wake.after_place);
        return;
    case PROFILE_AWAIT:
        snprintf(texts, size, "%s %s %s %s", record->await.location, record->await.kind, record->await.class,
                 record->await.place);
        return;
    case PROFILE_STACK:
        snprintf(texts, size, "%s %s %s", record->stack.location, record->stack.kind, record->stack.frames);
        return;
    case PROFILE_REMARK:
        snprintf(texts, size, "%s %s", record->remark.text, record->remark.remedy);
        return;
    case PROFILE_LATENCY_TIMES:
        snprintf(texts, size, "%s: %s", record->latency_times.name, record->latency_times.counts);
        return;
    case PROFILE_EXPERIMENT:
        name = record->experiment.selected;
        break;
    case PROFILE_SAMPLES:
        name = record->samples.location;
        break;
    case PROFILE_STARTUP:
        name = record->startup.program;
        break;
    case PROFILE_PROCESS:
        name = record->process.program;
        break;
    case PROFILE_DISCARDED:
        name = record->discarded.why;
        break;
    case PROFILE_SOURCE:
        name = record->source.path;
        break;
    case PROFILE_RUNTIME:
        break;
    case PROFILE_THROUGHPUT:
    case PROFILE_LATENCY:
    case PROFILE_PROCESS_POINT:
    case PROFILE_PROCESS_LATENCY:
        name = record->throughput.name;
        break;
    }
    snprintf(texts, size, "%s", name ? name : "");
}

static int on_record(void *context, const struct profile_record *record)
{
    struct seen *seen = context;
    keep_texts(seen->name, sizeof seen->name, record);
    seen->last = *record;
    seen->records++;
    return seen->answer;
}

static void on_problem(void *context, const struct profile_problem *problem)
{
    struct seen *seen = context;
    assert_string_equal(problem->path, path);
    seen->problems++;
    seen->line = problem->line;
    seen->column = problem->column;
    snprintf(seen->what, sizeof seen->what, "%s", problem->what);
}

static void put_file(const char *bytes, size_t length)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static struct seen read_file(void)
{
    struct seen seen = {0};
    struct coz_error error = {""};
    struct profile_visitor visitor = {on_record, on_problem, &seen};
    if (profile_read(path, &visitor, &error) != 0)
        fail_msg("%s", error.text);
    return seen;
}

static struct seen read_bytes(const char *bytes, size_t length)
{
    put_file(bytes, length);
    return read_file();
}

/* The parser's own idea of where it stopped: not ours to test beyond "somewhere in the line". */
enum { JANSSONS = 999 };

#define WINDOW "{\"type\":\"experiment\",\"selected\":\"a.c:1\",\"speedup\":0,\"duration\":5}\n"

static void test_bad_lines_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *line, *what; /* what: a part of the problem; NULL: none */
        size_t column;
    } cases[] = {
        {"hello world", "neither a JSON object", 1},
        {"{\"type\":", "not JSON", JANSSONS},
        {"[1,2]", "not a JSON object", 1},
        {"{\"time\":1}", "has no \"type\"", 1},
        {"{\"type\":7}", "\"type\" is not text", 2},
        {"{\"type\":\"weather\",\"sun\":true}", NULL, 0},
        {"{\"type\":\"runtime\",\"time\":1,\"new\":[{}]}", NULL, 0},
        {"{\"type\":\"runtime\"}", "runtime has no \"time\"", 1},
        {"{\"type\":\"runtime\",\"time\":-5}", "\"time\" is negative", 19},
        {"{\"type\":\"runtime\",\"time\":\"5\"}", "\"time\" is text where a number", 19},
        {"{\"type\":\"runtime\",\"time\":null}", "\"time\" is not a number", 19},
        {"{\"type\":\"runtime\",\"time\":1e300}", "\"time\" is too large", 19},
        {"{\"type\":\"runtime\",\"time\":1e999}", "not JSON: real number overflow", JANSSONS},
        {"{\"type\":\"runtime\",\"time\":99999999999999999999}", "not JSON: too big integer", JANSSONS},
        {"{\"type\":\"runtime\",\"time\":NaN}", "not JSON", JANSSONS},
        {"{\"type\":\"runtime\",\"time\":2.5}", "\"time\" is not a whole number", 19},
        {"{\"type\":\"samples\",\"location\":5,\"count\":1}", "\"location\" is a number", 19},
        {"{\"type\":\"samples\",\"location\":\"\",\"count\":1}", "\"location\" is empty", 19},
        {"{\"type\":\"samples\",\"location\":\"a\\u0000b\",\"count\":1}", "not JSON", JANSSONS},
        {"{\"type\":\"samples\",\"location\":\"\xff\xfe\",\"count\":1}",
         "not JSON: unable to decode byte 0xff", JANSSONS},
        {"{\"type\":\"experiment\",\"selected\":\"a.c:1\",\"speedup\":1.5,\"duration\":1}",
         "\"speedup\" is not a speedup", 41},
        {"{\"type\":\"throughput-point\",\"name\":\"p\",\"delta\":-1}", "\"delta\" is negative", 39},
        {"{\"type\":\"latency-point\",\"name\":\"p\",\"arrivals\":1,\"departures\":1,\"difference\":-0.5}",
         "\"difference\" is negative", 64},
        {"runtime\ttime=-5", "time is negative", 9},
        {"runtime\ttime=0x10", "time is not a number", 9},
        {"runtime\ttime=nan", "time is not a number", 9},
        {"runtime\ttime=", "time is not a number", 9},
        {"runtime\ttime=5e", "time is not a number", 9},
        {"runtime\ttime=1e99", "time is too large", 9},
        {"runtime\ttime=99999999999999999999", "time is too large", 9},
        {"runtime\tother=5", "runtime has no time", 1},
        {"samples\tlocation=\tcount=5", "location is empty", 9},
        {"samples\tlocation=a.c:1\tcount=x", "count is not a number", 24},
        {"experiment\tselected=a.c:1\tspeedup=7\tduration=1", "speedup is not a speedup", 27},
        {"weather\tsun=1", NULL, 0},
        {"   ", NULL, 0},
        {"\t", NULL, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char bytes[512];
        int length =
            snprintf(bytes, sizeof bytes, WINDOW "%s\n{\"type\":\"runtime\",\"time\":77}\n", cases[i].line);
        struct seen seen = read_bytes(bytes, (size_t)length);
        if (seen.problems != (cases[i].what ? 1U : 0U))
            fail_msg("%s: %zu problems (%s)", cases[i].line, seen.problems, seen.what);
        bool in_line = seen.column >= 1 && seen.column <= strlen(cases[i].line) + 1;
        bool right_column = cases[i].column == JANSSONS ? in_line : seen.column == cases[i].column;
        if (cases[i].what && (!strstr(seen.what, cases[i].what) || seen.line != 2 || !right_column))
            fail_msg("%s: %zu:%zu: %s", cases[i].line, seen.line, seen.column, seen.what);
        /* The lines around it are still read. */
        assert_int_equal(seen.last.type, PROFILE_RUNTIME);
        assert_int_equal(seen.last.runtime.time_ns, 77);
    }
}

static void test_points_need_their_experiment(void **state)
{
    (void)state;
#define POINT "{\"type\":\"throughput-point\",\"name\":\"p\",\"delta\":3}\n"
    struct seen seen = read_bytes(POINT, strlen(POINT));
    assert_int_equal(seen.records, 0);
    assert_non_null(strstr(seen.what, "no experiment stands before"));
    /* The second experiment is unreadable: its point must not go to the first. */
    const char *text = WINDOW POINT "{\"type\":\"experiment\",\"selected\":\"a.c:1\"}\n" POINT;
    seen = read_bytes(text, strlen(text));
    assert_int_equal(seen.records, 2);
    assert_int_equal(seen.problems, 2);
    assert_int_equal(seen.line, 4);
    assert_non_null(strstr(seen.what, "was unreadable"));
}

static void test_torn_last_line(void **state)
{
    (void)state;
    const char *torn = WINDOW "{\"type\":\"throughput-po";
    struct seen seen = read_bytes(torn, strlen(torn));
    assert_int_equal(seen.records, 1);
    assert_int_equal(seen.problems, 1);
    assert_non_null(strstr(seen.what, "cut off"));
    const char *whole = WINDOW "{\"type\":\"runtime\",\"time\":5}";
    seen = read_bytes(whole, strlen(whole));
    assert_int_equal(seen.records, 2);
    assert_int_equal(seen.problems, 0);
    const char *number = "runtime\ttime=12"; /* of 12345, perhaps */
    seen = read_bytes(number, strlen(number));
    assert_int_equal(seen.records, 0);
    assert_int_equal(seen.problems, 1);
}

static void test_odd_files(void **state)
{
    (void)state;
    assert_int_equal(read_bytes("", 0).records, 0);
    struct seen seen = read_bytes("\n\n\r\n", 4);
    assert_int_equal(seen.problems + seen.records, 0);
    const char *windows = "\xef\xbb\xbf{\"type\":\"runtime\",\"time\":5}\r\nruntime\ttime=6\r\n";
    seen = read_bytes(windows, strlen(windows));
    assert_int_equal(seen.records, 2);
    assert_int_equal(seen.last.runtime.time_ns, 6);
    static const char zeros[] = "\0\0\0\n{\"type\":\0}\nruntime\ttime=1\0\n";
    seen = read_bytes(zeros, sizeof zeros - 1);
    assert_int_equal(seen.records, 0);
    assert_int_equal(seen.problems, 3);

    size_t length = 5 << 20;
    char *huge = malloc(length + 64);
    assert_non_null(huge);
    memset(huge, 'x', length);
    strcpy(huge + length, "\nruntime\ttime=1\n");
    seen = read_bytes(huge, length + strlen(huge + length));
    assert_int_equal(seen.records, 1);
    assert_int_equal(seen.problems, 1);
    assert_non_null(strstr(seen.what, "longer than"));
    memset(huge, '[', 1000000); /* deep nesting */
    huge[1000000] = '\n';
    seen = read_bytes(huge, 1000001);
    assert_int_equal(seen.problems, 1);
    free(huge);
}

static void test_errors(void **state)
{
    (void)state;
    struct seen seen = {.answer = -ECANCELED};
    struct coz_error error = {""};
    struct profile_visitor visitor = {on_record, NULL, &seen};
    assert_int_equal(profile_read("/nonexistent/profile", &visitor, &error), -ENOENT);
    assert_non_null(strstr(error.text, "/nonexistent/profile"));
    assert_int_equal(profile_read("/tmp", &visitor, NULL), -EISDIR);
    put_file(WINDOW "garbage\n" WINDOW, strlen(WINDOW "garbage\n" WINDOW));
    assert_int_equal(profile_read(path, &visitor, &error), -ECANCELED);
    assert_int_equal(seen.records, 1);
}

static const struct profile_record samples_of_all[] = {
    {.type = PROFILE_STARTUP,
     .startup = {1700000000123456789, "/bin/a \"b\"\\", "0123abcd", "perf", "function", 64, 2, "A model",
                 1.25}},
    {.type = PROFILE_EXPERIMENT,
     .experiment = {"src/\xc3\xa4.c:12", "function", 0.1, 123456789, 42, true, 0, 3, 7, 8, 9, 10, 11, 12,
                    13}},
    {.type = PROFILE_EXPERIMENT, .experiment = {.selected = "b.c:1", .speedup = -0.25, .duration_ns = 1}},
    {.type = PROFILE_THROUGHPUT, .throughput = {"done", 17, 99}},
    {.type = PROFILE_LATENCY, .latency = {"request", 5, 4, 2.75, 0}},
    {.type = PROFILE_SAMPLES,
     .samples = {.location = "b.c:1", .count = 1000, .cpu_ns = 5, .baseline_ns = 4, .function = "f"}},
    {.type = PROFILE_SAMPLES,
     .samples = {"ns::f(int)", 1000, 5, 4, "function", 3, "none", NULL, "/src/b.c", 6, 7}},
    {.type = PROFILE_RUNTIME, .runtime = {INT64_MAX, 1, 2, 0.25, 0.125, 5, 6, 7}},
    {.type = PROFILE_EXPERIMENT, .experiment = {.selected = "b.c:1", .duration_ns = 1}},
    {.type = PROFILE_PROCESS_POINT, .process_point = {"done", 1234, 8}},
    {.type = PROFILE_PROCESS_LATENCY, .process_latency = {"request", 1234, 5, 4, 1.25, 99}},
    {.type = PROFILE_LATENCY_TIMES, .latency_times = {"request", 300, "1 0 7", 2, 3}},
    {.type = PROFILE_PROCESS, .process = {1234, 1200, "/bin/b", 55, 66}},
    {.type = PROFILE_DISCARDED, .discarded = {77, 88, 9, "stolen"}},
    {.type = PROFILE_SOURCE, .source = {"/src/b.c", "0123abcd", "4567ef"}},
    {.type = PROFILE_WAIT, .wait = {"lock", "/src/b.c:3", 77, 88, 66}},
    {.type = PROFILE_WAKE, .wake = {"lock", "/src/b.c:3", "/src/b.c:9", "sleep", "/src/b.c:8", 70, 80}},
    {.type = PROFILE_AWAIT, .await = {"f", "function", "lock", "/src/b.c:3", 90}},
    {.type = PROFILE_STACK,
     .stack = {"/src/b.c:3", "callsite", 12, "f\t/src/b.c:3\tinlined\ng\t/src/b.c:9\n"}},
    {.type = PROFILE_REMARK, .remark = {77, "It \"sleeps\".", "Wake it."}},
};

static void check_same(const struct profile_record *a, const struct profile_record *b)
{
    assert_int_equal(a->type, b->type);
    switch (a->type) {
    case PROFILE_PROCESS_POINT:
        assert_int_equal(a->process_point.pid, b->process_point.pid);
        assert_int_equal(a->process_point.delta, b->process_point.delta);
        break;
    case PROFILE_PROCESS_LATENCY:
        assert_int_equal(a->process_latency.pid, b->process_latency.pid);
        assert_int_equal(a->process_latency.arrivals, b->process_latency.arrivals);
        assert_int_equal(a->process_latency.departures, b->process_latency.departures);
        assert_true(a->process_latency.difference == b->process_latency.difference);
        assert_int_equal(a->process_latency.elapsed_ns, b->process_latency.elapsed_ns);
        break;
    case PROFILE_LATENCY_TIMES:
        assert_int_equal(a->latency_times.bucket, b->latency_times.bucket);
        assert_int_equal(a->latency_times.unmatched, b->latency_times.unmatched);
        assert_int_equal(a->latency_times.refused, b->latency_times.refused);
        break;
    case PROFILE_PROCESS:
        assert_int_equal(a->process.pid, b->process.pid);
        assert_int_equal(a->process.parent, b->process.parent);
        assert_int_equal(a->process.samples, b->process.samples);
        assert_int_equal(a->process.cpu_ns, b->process.cpu_ns);
        break;
    case PROFILE_STARTUP:
        assert_int_equal(a->startup.time_ns, b->startup.time_ns);
        assert_int_equal(a->startup.cores, b->startup.cores);
        assert_int_equal(a->startup.allowed, b->startup.allowed);
        assert_true(a->startup.load == b->startup.load);
        break;
    case PROFILE_EXPERIMENT:
        assert_true(a->experiment.speedup == b->experiment.speedup);
        assert_int_equal(a->experiment.duration_ns, b->experiment.duration_ns);
        assert_int_equal(a->experiment.selected_samples, b->experiment.selected_samples);
        assert_int_equal(a->experiment.has_block, b->experiment.has_block);
        assert_int_equal(a->experiment.block, b->experiment.block);
        assert_int_equal(a->experiment.window, b->experiment.window);
        assert_int_equal(a->experiment.selected_ns, b->experiment.selected_ns);
        assert_int_equal(a->experiment.sampled_ns, b->experiment.sampled_ns);
        assert_int_equal(a->experiment.delay_ns, b->experiment.delay_ns);
        assert_int_equal(a->experiment.paused_ns, b->experiment.paused_ns);
        assert_int_equal(a->experiment.began_ns, b->experiment.began_ns);
        assert_int_equal(a->experiment.stolen_ns, b->experiment.stolen_ns);
        break;
    case PROFILE_THROUGHPUT:
        assert_int_equal(a->throughput.delta, b->throughput.delta);
        assert_int_equal(a->throughput.elapsed_ns, b->throughput.elapsed_ns);
        break;
    case PROFILE_LATENCY:
        assert_int_equal(a->latency.arrivals, b->latency.arrivals);
        assert_int_equal(a->latency.departures, b->latency.departures);
        assert_true(a->latency.difference == b->latency.difference);
        break;
    case PROFILE_RUNTIME:
        assert_int_equal(a->runtime.time_ns, b->runtime.time_ns);
        assert_int_equal(a->runtime.samples, b->runtime.samples);
        assert_true(a->runtime.others == b->runtime.others);
        assert_true(a->runtime.stolen == b->runtime.stolen);
        assert_int_equal(a->runtime.lived_ns, b->runtime.lived_ns);
        assert_int_equal(a->runtime.cpu_ns, b->runtime.cpu_ns);
        assert_int_equal(a->runtime.queued_ns, b->runtime.queued_ns);
        break;
    case PROFILE_SAMPLES:
        assert_int_equal(a->samples.count, b->samples.count);
        assert_int_equal(a->samples.cpu_ns, b->samples.cpu_ns);
        assert_int_equal(a->samples.self_ns, b->samples.self_ns);
        break;
    case PROFILE_DISCARDED:
        assert_int_equal(a->discarded.began_ns, b->discarded.began_ns);
        assert_int_equal(a->discarded.real_ns, b->discarded.real_ns);
        assert_int_equal(a->discarded.stolen_ns, b->discarded.stolen_ns);
        break;
    case PROFILE_WAIT:
        assert_int_equal(a->wait.count, b->wait.count);
        assert_int_equal(a->wait.time_ns, b->wait.time_ns);
        assert_int_equal(a->wait.baseline_ns, b->wait.baseline_ns);
        break;
    case PROFILE_WAKE:
        assert_int_equal(a->wake.count, b->wake.count);
        assert_int_equal(a->wake.time_ns, b->wake.time_ns);
        break;
    case PROFILE_AWAIT:
        assert_int_equal(a->await.time_ns, b->await.time_ns);
        break;
    case PROFILE_STACK:
        assert_int_equal(a->stack.count, b->stack.count);
        break;
    case PROFILE_REMARK:
        assert_int_equal(a->remark.at_ns, b->remark.at_ns);
        break;
    case PROFILE_SOURCE:
        break;
    }
}

static void write_record(struct profile_writer *writer, const struct profile_record *record)
{
    struct coz_error error;
    if (profile_write(writer, record, &error) != 0)
        fail_msg("%s", error.text);
}

static void test_round_trip(void **state)
{
    (void)state;
    for (int format = PROFILE_JSON_LINES; format <= PROFILE_TAB_SEPARATED; format++) {
        put_file("", 0);
        struct profile_writer *writer;
        bool appended = true;
        assert_int_equal(profile_writer_open(&writer, path, (enum profile_format)format, &appended, NULL), 0);
        assert_false(appended);
        for (size_t i = 0; i < sizeof samples_of_all / sizeof samples_of_all[0]; i++) {
            write_record(writer, &samples_of_all[i]);
            struct seen seen = read_file();
            assert_int_equal(seen.problems, 0);
            assert_int_equal(seen.records, i + 1);
            check_same(&seen.last, &samples_of_all[i]);
            if (i == 0)
                assert_string_equal(seen.name, "/bin/a \"b\"\\");
            if (i == 1)
                assert_string_equal(seen.name, "src/\xc3\xa4.c:12");
            if (samples_of_all[i].type == PROFILE_WAIT)
                assert_string_equal(seen.name, "lock /src/b.c:3");
            if (samples_of_all[i].type == PROFILE_WAKE)
                assert_string_equal(seen.name, "lock /src/b.c:3 by /src/b.c:9 after sleep /src/b.c:8");
            if (samples_of_all[i].type == PROFILE_AWAIT)
                assert_string_equal(seen.name, "f function lock /src/b.c:3");
        }
        profile_writer_close(writer);
    }
}

static void test_exact_text(void **state)
{
    (void)state;
    put_file("{\"torn", 6);
    struct profile_writer *writer, *second;
    struct coz_error error;
    bool appended = false;
    assert_int_equal(profile_writer_open(&writer, path, PROFILE_JSON_LINES, &appended, NULL), 0);
    assert_true(appended);
    assert_int_equal(profile_writer_open(&second, path, PROFILE_JSON_LINES, NULL, &error), -EBUSY);
    write_record(writer, &(struct profile_record){.type = PROFILE_EXPERIMENT,
                                                  .experiment = {.selected = "a\xff\n.c:1",
                                                                 .speedup = 0.25,
                                                                 .duration_ns = 10,
                                                                 .selected_samples = 2}});
    write_record(writer, &(struct profile_record){.type = PROFILE_LATENCY, .latency = {"l", 1, 2, NAN, 0}});
    profile_writer_close(writer);
    assert_int_equal(profile_writer_open(&writer, path, PROFILE_TAB_SEPARATED, NULL, NULL), 0);
    write_record(writer, &(struct profile_record){.type = PROFILE_EXPERIMENT,
                                                  .experiment = {.selected = "a\tb.c:1",
                                                                 .speedup = 0.25,
                                                                 .duration_ns = 10,
                                                                 .selected_samples = 2}});
    profile_writer_close(writer);
    char text[1024] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    assert_string_equal(
        text, "{\"torn\n"
              "{\"type\":\"experiment\",\"selected\":\"a\xef\xbf\xbd\\u000a.c:1\",\"speedup\":0.25,"
              "\"duration\":10,\"selected_samples\":2}\n"
              "{\"type\":\"latency-point\",\"name\":\"l\",\"arrivals\":1,\"departures\":2,\"difference\":0}\n"
              "experiment\tselected=a b.c:1\tspeedup=0.25\tduration=10\tselected-samples=2\n");
}

static void test_writer_errors(void **state)
{
    (void)state;
    struct profile_writer *writer = NULL;
    struct coz_error error;
    assert_int_equal(profile_writer_open(&writer, "/nonexistent/p", PROFILE_JSON_LINES, NULL, &error),
                     -ENOENT);
    if (access("/dev/full", W_OK) != 0)
        return;
    assert_int_equal(profile_writer_open(&writer, "/dev/full", PROFILE_JSON_LINES, NULL, &error), 0);
    assert_int_equal(profile_write(writer, &samples_of_all[0], &error), -ENOSPC);
    profile_writer_close(writer);
    profile_writer_close(NULL);
}

int main(void)
{
    int fd = mkstemp(path);
    if (fd < 0)
        return 1;
    close(fd);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bad_lines_are_named),
        cmocka_unit_test(test_points_need_their_experiment),
        cmocka_unit_test(test_torn_last_line),
        cmocka_unit_test(test_odd_files),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_exact_text),
        cmocka_unit_test(test_writer_errors),
    };
    int failures = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failures;
}
