/* Each rule finds what it is for, from the facts that it needs and not from less; and a sound run has no finding. */
#include "diagnosis/diagnose.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char *const sources[] = {"/home/me/a.c", "/home/me/b.c"};

/* After five seconds of a program that nothing is wrong with. */
static struct facts sound(void)
{
    return (struct facts){
        .file = {.path = "/bin/program", .code = CODE_LINES, .sources = sources, .source_count = 2},
        .run = {.elapsed_s = 5.2,
                .runs = 1,
                .processes = 1,
                .windows = 20,
                .code = {.samples = 10000,
                         .in_scope = 9000,
                         .modules_in_scope = 1,
                         .modules_with_code = 1,
                         .leader = "a.c:1",
                         .leader_samples = 8900,
                         .module = "/usr/lib/libc.so.6",
                         .module_samples = 8800,
                         .module_is_system = true,
                         .spins = 200},
                .points = {.known = 1, .reached = 1, .name = "request", .visits_s = 100, .watched_s = 5},
                .looks = {.count = 100, .idle = 30, .clock = 10, .outside = 20}},
        .machine = {.watched_s = 5, .cores = 2, .quota = 0, .stolen = 0.05, .others = 0.1, .queued = 0.1},
    };
}

static struct findings found_in(struct facts facts)
{
    struct findings findings;
    diagnose(&facts, &findings);
    return findings;
}

/* The only finding is of that kind; returns it. */
static struct finding only(struct facts facts, enum finding_kind kind)
{
    struct findings findings = found_in(facts);
    assert_int_equal(findings.count, 1);
    assert_int_equal(findings.list[0].kind, kind);
    assert_true(strlen(findings.list[0].what) > 10);
    assert_true(strlen(findings.list[0].remedy) > 10);
    return findings.list[0];
}

static void none(struct facts facts)
{
    assert_int_equal(found_in(facts).count, 0);
}

static void has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" lacks \"%s\"", text, part);
}

static void test_sound(void **state)
{
    (void)state;
    struct facts facts = sound();
    none(facts);
    facts.run.has_ended = true;
    none(facts);
    assert_false(findings_stop(&(struct findings){0}));
    none((struct facts){.file = {.path = "/bin/program", .code = CODE_LINES}}); /* before the run */
}

static void test_kinds_of_programs(void **state)
{
    (void)state;
    static const enum finding_kind kinds[] = {[FILE_STATIC] = FINDING_STATIC,
                                              [FILE_PRIVILEGED] = FINDING_PRIVILEGED,
                                              [FILE_GO] = FINDING_GO,
                                              [FILE_GO_WITH_C] = FINDING_GO_WITH_C};
    for (int kind = FILE_STATIC; kind <= FILE_GO_WITH_C; kind++) {
        struct facts facts = {.file = {.path = "/bin/program", .kind = (enum file_kind)kind}};
        struct finding finding = only(facts, kinds[kind]);
        has(finding.what, "/bin/program");
        assert_int_equal(finding.weight, kind == FILE_GO_WITH_C ? FINDING_NOTE : FINDING_STOPS);
    }
}

static void test_not_loaded(void **state)
{
    (void)state;
    struct facts facts = {.file = {.path = "/bin/program"}, .run = {.elapsed_s = 1}};
    none(facts);
    facts.run.elapsed_s = 3;
    only(facts, FINDING_NOT_LOADED);
    facts.run.elapsed_s = 0.1;
    facts.run.has_ended = true;
    only(facts, FINDING_NOT_LOADED);
}

static void test_no_debug_information(void **state)
{
    (void)state;
    struct facts facts = sound();
    facts.file.code = CODE_FUNCTIONS;
    has(only(facts, FINDING_NO_LINES).remedy, "-g");
    facts.file.code = CODE_STRIPPED;
    struct finding stripped = only(facts, FINDING_NO_LINES);
    has(stripped.what, "stripped");
    has(stripped.what, "+0x1234");
    has(stripped.remedy, "-dbgsym");
    facts.file.code = CODE_BARE;
    none(facts); /* what it starts, or a library, has some */
    facts.run.code.modules_with_code = 0;
    facts.run.code.in_scope = 0;
    struct finding finding = only(facts, FINDING_NO_CODE);
    has(finding.what, "stripped");
    has(finding.remedy, "-g");
    has(finding.remedy, "--target function");
    assert_int_equal(finding.weight, FINDING_STOPS);
    facts.run.elapsed_s = 1; /* may still be starting something else */
    none(facts);
    facts.file.code = CODE_NO_LINES;
    facts.run.has_ended = true;
    has(only(facts, FINDING_NO_CODE).what, "debug information");
    facts.file.code = CODE_NOTHING;
    has(only(facts, FINDING_NO_CODE).what, "neither names nor places");
}

static void test_sources_out_of_scope(void **state)
{
    (void)state;
    struct facts facts = {
        .file = {.path = "/bin/program", .sources = sources, .source_count = 2, .code = CODE_OUT_OF_SCOPE}};
    facts.file.has_source_scope = true;
    struct finding finding = only(facts, FINDING_NO_SOURCE_IN_SCOPE);
    has(finding.what, "a.c, b.c");
    has(finding.remedy, "-s 'a.c'");
    facts.file.has_binary_scope = true; /* a library may have some */
    none(facts);
}

static void test_binaries_out_of_scope(void **state)
{
    (void)state;
    struct facts facts = sound();
    facts.file.has_binary_scope = true;
    none(facts);
    facts.file.code = CODE_UNKNOWN;
    facts.run.code.modules_in_scope = facts.run.code.modules_with_code = 0;
    facts.run.code.in_scope = 0;
    facts.run.code.module = "/opt/libother.so";
    has(only(facts, FINDING_NO_BINARY_IN_SCOPE).remedy, "-b 'libother.so'");
}

static void test_samples_out_of_scope(void **state)
{
    (void)state;
    struct facts facts = sound();
    facts.run.code.in_scope = facts.run.code.leader_samples = 100;
    facts.run.code.module = "/opt/libother.so";
    facts.run.code.module_is_system = false;
    struct finding finding = only(facts, FINDING_OUT_OF_SCOPE);
    has(finding.what, "99 %");
    has(finding.remedy, "-b MAIN -b 'libother.so'");
    facts.run.code.module_samples = 1000; /* the rest is in other sources of what is in scope */
    has(only(facts, FINDING_OUT_OF_SCOPE).remedy, "-s (a.c, b.c)");
    facts.run.code.module_samples = 8800;
    facts.run.code.in_scope = 1000;
    none(facts);
    facts.run.code.in_scope = 9000; /* nearly all of it one line's, which calls the library */
    facts.run.code.leader_samples = 8900;
    finding = only(facts, FINDING_ALL_IN_LIBRARY);
    has(finding.what, "a.c:1");
    assert_int_equal(finding.weight, FINDING_HINTS);
    facts.run.code.module_samples = 4000;
    none(facts);
}

static void test_no_samples(void **state)
{
    (void)state;
    struct facts facts = sound();
    facts.run.code = (struct code_facts){.modules_in_scope = 1, .modules_with_code = 1};
    none(facts);
    facts.run.has_ended = true;
    only(facts, FINDING_NO_SAMPLE);
}

static void test_point_never(void **state)
{
    (void)state;
    struct facts facts = sound();
    facts.run.points = (struct point_facts){0};
    has(only(facts, FINDING_POINT_NEVER).what, "in the first 5 seconds");
    facts.file.has_points = KNOWN_FALSE;
    has(only(facts, FINDING_POINT_NEVER).what, "holds none");
    facts.run.is_whole = true;
    none(facts);
    facts.run.is_whole = false;
    facts.run.elapsed_s = 4;
    none(facts);
    facts.run.has_ended = true;
    facts.file.has_points = KNOWN_TRUE;
    struct finding finding = only(facts, FINDING_POINT_NEVER);
    assert_null(strstr(finding.what, "seconds"));
    has(finding.remedy, "COZ_PROGRESS");
}

static void test_point_seldom(void **state)
{
    (void)state;
    struct facts facts = sound();
    facts.run.points.visits_s = 1;
    struct finding finding = only(facts, FINDING_POINT_SELDOM);
    has(finding.what, "`request`");
    has(finding.what, "min");
    has(finding.remedy, "--duration");
    facts.run.points.watched_s = 2; /* too early to tell */
    none(facts);
    facts.run.points.watched_s = 5;
    facts.run.points.visits_s = 0; /* since the first */
    has(only(facts, FINDING_POINT_SELDOM).what, "0.1 times");
    facts.run.points.visits_s = 2;
    none(facts);
}

static void test_patience_is_as_long_as_visits_are_rare(void **state)
{
    (void)state;
    assert_true(patience_s(1) > 60 && patience_s(1) < 600);
    assert_float_equal((float)patience_s(0.1), (float)(10 * patience_s(1)), 0.1);
}

static void test_point_shared(void **state)
{
    (void)state;
    struct facts facts = sound();
    facts.run.points.shared = "progress.h:7";
    facts.run.points.users = 1;
    none(facts);
    facts.run.points.users = 3;
    struct finding finding = only(facts, FINDING_POINT_SHARED);
    has(finding.what, "progress.h:7");
    has(finding.what, "3 functions");
}

static void test_too_short(void **state)
{
    (void)state;
    struct facts facts = sound();
    facts.run.windows = 0;
    none(facts);
    facts.run.has_ended = true;
    facts.run.elapsed_s = 0.2;
    facts.run.runs = 2;
    struct finding finding = only(facts, FINDING_TOO_SHORT);
    has(finding.what, "0.1 s");
    has(finding.remedy, "--end-to-end --runs 30");
    facts.run.lacks_target = true; /* which is said with its name */
    none(facts);
}

static void test_idle(void **state)
{
    (void)state;
    struct facts facts = sound();
    facts.run.looks = (struct look_facts){.count = 100, .idle = 80, .clock = 75, .outside = 5};
    has(only(facts, FINDING_SLEEPS).what, "80 %");
    facts.run.points.of_latency = true; /* whose requests may come by the clock */
    none(facts);
    facts.run.points.of_latency = false;
    facts.run.looks = (struct look_facts){.count = 100, .idle = 80, .clock = 5, .outside = 60};
    only(facts, FINDING_WAITS);
    facts.run.looks = (struct look_facts){.count = 100, .idle = 80, .disk = 60};
    only(facts, FINDING_WAITS_FOR_DISK);
    facts.run.looks = (struct look_facts){.count = 100, .idle = 80}; /* for children, say */
    none(facts);
    facts.run.looks = (struct look_facts){.count = 100, .idle = 70, .clock = 70};
    none(facts);
    facts.run.looks = (struct look_facts){.count = 20, .idle = 20, .clock = 20};
    none(facts);
}

static void test_spinning(void **state)
{
    (void)state;
    struct facts facts = sound();
    facts.run.code.spins = 4500;
    facts.run.code.spinner = "a.c:9";
    facts.run.code.spinner_samples = 4400;
    struct finding finding = only(facts, FINDING_SPINS);
    has(finding.what, "45 %");
    has(finding.what, "a.c:9");
    has(finding.remedy, "COZ_PRE_BLOCK");
    facts.run.code.spinner_samples = 100; /* here and there */
    assert_null(strstr(only(facts, FINDING_SPINS).what, "a.c:9"));
    facts.machine.queued = 1; /* the thread that is waited for has no core */
    none(facts);
    facts.run.code.spins = 6000;
    only(facts, FINDING_SPINS);
    facts.machine.queued = 0;
    facts.run.code.spins = 3500;
    none(facts);
    facts.run.code.clock_samples = 4500;
    only(facts, FINDING_ASKS_CLOCK);
}

static void test_machine(void **state)
{
    (void)state;
    struct facts facts = sound();
    facts.machine.quota = 0.5;
    none(facts); /* it has not stopped anybody */
    facts.machine.throttled = 0.4;
    has(only(facts, FINDING_CAPPED).what, "0.5 of 2 cores");
    facts.machine.watched_s = 1;
    none(facts);
    facts.machine.watched_s = 5;
    facts.machine.quota = 4;
    none(facts);
    facts.machine.stolen = 0.3;
    only(facts, FINDING_STOLEN);
    facts.machine.stolen = 0;
    facts.machine.others = 0.5;
    none(facts); /* they take what nobody waits for */
    facts.machine.queued = 0.9;
    only(facts, FINDING_OTHERS);
    facts.machine.others = 0.1;
    none(facts); /* its own threads are in each other's way */
    facts.machine.swapped_s = 1000;
    none(facts); /* somebody else's */
    facts.machine.swaps = true;
    only(facts, FINDING_SWAPS);
}

/* The machine itself, without a program. */
static void test_limit_before_a_run(void **state)
{
    (void)state;
    struct facts facts = {.machine = {.cores = 4, .quota = 1.5}};
    struct finding finding = only(facts, FINDING_CAPPED);
    has(finding.what, "1.5 of 4 cores");
    assert_int_equal(finding.weight, FINDING_HINTS);
}

static void test_perf(void **state)
{
    (void)state;
    struct facts facts = sound();
    facts.machine.perf_errno = EACCES;
    none(facts);
    facts.machine.perf_was_asked = true;
    struct finding finding = only(facts, FINDING_NO_PERF);
    has(finding.what, "timer");
    assert_int_equal(finding.weight, FINDING_NOTE);
}

/* What comes first matters most, and what stops the profile comes before what does not. */
static void test_order(void **state)
{
    (void)state;
    struct facts facts = sound();
    facts.file.code = CODE_FUNCTIONS;
    facts.run.points = (struct point_facts){0};
    facts.machine.stolen = 0.5;
    struct findings findings = found_in(facts);
    assert_int_equal(findings.count, 3);
    assert_int_equal(findings.list[0].kind, FINDING_POINT_NEVER);
    assert_int_equal(findings.list[1].kind, FINDING_STOLEN);
    assert_int_equal(findings.list[2].kind, FINDING_NO_LINES);
    assert_true(findings_stop(&findings));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sound),
        cmocka_unit_test(test_kinds_of_programs),
        cmocka_unit_test(test_not_loaded),
        cmocka_unit_test(test_no_debug_information),
        cmocka_unit_test(test_sources_out_of_scope),
        cmocka_unit_test(test_binaries_out_of_scope),
        cmocka_unit_test(test_samples_out_of_scope),
        cmocka_unit_test(test_no_samples),
        cmocka_unit_test(test_point_never),
        cmocka_unit_test(test_point_seldom),
        cmocka_unit_test(test_patience_is_as_long_as_visits_are_rare),
        cmocka_unit_test(test_point_shared),
        cmocka_unit_test(test_too_short),
        cmocka_unit_test(test_idle),
        cmocka_unit_test(test_spinning),
        cmocka_unit_test(test_machine),
        cmocka_unit_test(test_limit_before_a_run),
        cmocka_unit_test(test_perf),
        cmocka_unit_test(test_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
