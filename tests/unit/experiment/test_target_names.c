/* What targets are called, and found by; which are worth trying. */
#include "experiment/targets/fixed_targets.h"
#include "experiment/targets/target_names.h"
#include "shared/callsites.h"
#include "shared/thread_names.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "segment_fixture.h"

static struct site_set sites;
static struct target_names names;
static struct target_groups groups;

static int begin(void **state)
{
    int rc = segment_begin(state);
    site_set_init(&sites, 0);
    names = (struct target_names){&sites, segment, &groups};
    return rc;
}

static int end(void **state)
{
    target_groups_release(&groups);
    site_set_release(&sites);
    return segment_end(state);
}

static void is_called(uint32_t target, const char *expected)
{
    char name[256];
    assert_string_equal(target_name(&names, target, name, sizeof name), expected);
    assert_int_equal(target_find(&names, expected), target);
}

static void lines(void **state)
{
    (void)state;
    uint32_t line = site_intern(&sites, "/src/a.c", 12);
    assert_string_equal(target_run_kind(&names), "line");
    assert_int_equal(target_count(&names), 2);
    is_called(line, "/src/a.c:12");
    assert_null(target_file(&names, line));
}

static void functions(void **state)
{
    (void)state;
    segment->granularity = GRANULARITY_FUNCTION;
    uint32_t main_ = site_intern_function(&sites, "main", "/src/a.c");
    uint32_t push = site_intern_function(&sites, "ns::Stack<int>::push(int)", "");
    assert_int_equal(site_intern_function(&sites, "main", "/src/a.c"), main_);
    assert_int_equal(site_intern_function(&sites, "main", ""), main_);
    assert_string_equal(target_run_kind(&names), "function");
    assert_int_equal(target_count(&names), 3);
    /* Of the same name, in another file. */
    uint32_t other = site_intern_function(&sites, "main", "/src/other.c");
    assert_int_equal(site_intern_function(&sites, "main", "/src/other.c"), other);
    assert_int_not_equal(other, main_);
    is_called(other, "other.c:main");
    assert_string_equal(target_file(&names, other), "/src/other.c");
    is_called(main_, "main");
    is_called(push, "ns::Stack<int>::push(int)");
    assert_string_equal(target_file(&names, main_), "/src/a.c");
    assert_string_equal(target_file(&names, push), "");
    /* Earlier runs wrote whole names. */
    assert_int_equal(target_find(&names, "push"), 0);
    assert_int_equal(target_find(&names, "nothing"), 0);
    for (uint32_t i = 0; i < 1000; i++) {
        char name[32];
        snprintf(name, sizeof name, "function_%u", i);
        uint32_t id = site_intern_function(&sites, name, i % 2 ? "/src/b.c" : "");
        assert_int_equal(target_find(&names, name), id);
        assert_string_equal(target_file(&names, id), i % 2 ? "/src/b.c" : "");
    }
    /* A line is no function, and a function no line. */
    assert_int_equal(site_find(&sites, "main:0", NULL), 0);
}

static void callsites(void **state)
{
    (void)state;
    segment->granularity = GRANULARITY_CALLSITE;
    uint32_t line = site_intern(&sites, "/src/a.c", 12), caller = site_intern(&sites, "/src/b.c", 34);
    uint32_t one = callsite_number(segment, line, caller), two = callsite_number(segment, line, 0),
             three = callsite_number(segment, caller, line);
    assert_int_not_equal(one, 0);
    assert_true(one != two && two != three && one != three);
    assert_int_equal(callsite_number(segment, line, caller), one);
    is_called(one, "/src/a.c:12 <- /src/b.c:34");
    is_called(two, "/src/a.c:12");
    is_called(three, "/src/b.c:34 <- /src/a.c:12");
    assert_int_equal(target_find(&names, "a.c:12 <- b.c:34"), one);
    assert_int_equal(target_find(&names, "a.c:12 <- b.c:35"), 0);
    assert_int_equal(target_find(&names, "a.c:13 <- b.c:34"), 0);
    assert_string_equal(target_run_kind(&names), "callsite");
    assert_int_equal(target_count(&names), SEGMENT_CALLSITES);
}

static void a_full_table_of_callsites_gives_no_number(void **state)
{
    (void)state;
    uint32_t given = 0;
    for (uint32_t line = 1; line < 2 * SEGMENT_CALLSITES; line++) {
        uint32_t number = callsite_number(segment, line, 7);
        assert_true(number < SEGMENT_CALLSITES);
        if (!number)
            continue;
        given++;
        assert_int_equal(callsite_line(segment, number), line);
        assert_int_equal(callsite_caller(segment, number), 7);
    }
    assert_in_range(given, SEGMENT_CALLSITES / 2, SEGMENT_CALLSITES - 1);
}

static void functions_that_only_call_are_worth_little(void **state)
{
    (void)state;
    assert_true(target_worth(segment, 1000, 0) == 1000);
    segment->granularity = GRANULARITY_FUNCTION;
    assert_true(target_worth(segment, 1000, 1000) > 2 * target_worth(segment, 1000, 0));
    assert_true(target_worth(segment, 1000, 0) > 0);
    struct targets targets = {0};
    uint64_t seed = 1;
    atomic_store(&segment->sites[1].cpu_ns, 1000000); /* main, which calls */
    atomic_store(&segment->sites[2].cpu_ns, 900000);
    atomic_store(&segment->sites[2].self_ns, 900000);
    unsigned drawn[3] = {0};
    assert_int_equal(targets_update(&targets, &(struct segment_owner){.segment = segment, .fd = -1}, 3), 0);
    for (int i = 0; i < 1000; i++)
        drawn[targets_draw(&targets, &seed)]++;
    assert_int_equal(drawn[0], 0);
    assert_true(drawn[2] > 2 * drawn[1]);
    targets_release(&targets);
}

static int resolve_in(const char *name, bool may_be_gone, struct targets *targets, struct coz_error *error)
{
    static struct fixed_targets fixed;
    fixed = (struct fixed_targets){.count = 1, .may_be_gone = may_be_gone};
    *targets = (struct targets){0};
    if (target_spec_parse(&fixed.specs[0], name, error))
        return -EINVAL;
    return fixed_targets_resolve(&fixed, &names, &groups, &sites, targets, error);
}

static int resolve(const char *name, struct targets *targets, struct coz_error *error)
{
    return resolve_in(name, false, targets, error);
}

static void named_targets_are_found(void **state)
{
    (void)state;
    struct targets targets;
    struct coz_error error;
    segment->granularity = GRANULARITY_FUNCTION;
    uint32_t one = site_intern_function(&sites, "ns::Stack<int>::push(int)", "");
    uint32_t two = site_intern_function(&sites, "ns::Stack<long>::push(long)", "");
    site_intern_function(&sites, "pop", "");
    assert_int_equal(resolve("push", &targets, &error), 0);
    assert_int_equal(targets.fixed_count, 2);
    assert_int_equal(targets.fixed[0], one);
    assert_int_equal(targets.fixed[1], two);
    assert_int_equal(resolve("Stack<long>::push", &targets, &error), 0);
    assert_int_equal(targets.fixed_count, 1);
    assert_int_equal(targets.fixed[0], two);
    assert_int_equal(resolve("pup", &targets, &error), -EINVAL);
    assert_non_null(strstr(error.text, "pup"));
    assert_non_null(strstr(error.text, "pop"));
    assert_int_equal(resolve("entirely_else", &targets, &error), -EINVAL);
    assert_non_null(strstr(error.text, "coz lines --functions"));
    for (int i = 0; i < FIXED_MOST; i++) {
        char name[64];
        snprintf(name, sizeof name, "other%d::push(int)", i);
        site_intern_function(&sites, name, "");
    }
    assert_int_equal(resolve("push", &targets, &error), -EINVAL);
    assert_non_null(strstr(error.text, "say more"));
    segment->granularity = GRANULARITY_LINE;
    site_intern(&sites, "/src/a.c", 12);
    assert_int_equal(resolve("a.c:12", &targets, &error), 0);
    assert_int_equal(resolve("a.c:14", &targets, &error), -EINVAL);
    assert_non_null(strstr(error.text, "/src/a.c:12"));
}

/* The groups that a site is in, a bit each. */
static uint64_t groups_of(uint32_t site)
{
    return atomic_load(&segment->site_groups[site]);
}

static void files_are_groups_of_their_lines(void **state)
{
    (void)state;
    struct targets targets;
    struct coz_error error;
    uint32_t one = site_intern(&sites, "/src/parse.c", 1), other = site_intern(&sites, "/src/main.c", 7);
    assert_int_equal(resolve("file:parse.c", &targets, &error), 0);
    assert_int_equal(targets.fixed_count, 1);
    uint32_t group = targets.fixed[0];
    is_called(group, "file:parse.c");
    assert_string_equal(target_kind(&names, group), "file");
    assert_string_equal(target_kind(&names, one), "line");
    assert_int_equal(segment->group_sites[0], group);
    assert_int_equal(groups_of(one), 1);
    assert_int_equal(groups_of(other), 0);
    /* A library comes later. */
    uint32_t late = site_intern(&sites, "/lib/parse.c", 90);
    target_groups_look(&groups, segment, &sites);
    assert_int_equal(groups_of(late), 1);
    assert_int_equal(resolve("file:parze.c", &targets, &error), -EINVAL);
    assert_non_null(strstr(error.text, "/src/parse.c"));
}

static void several_at_once_are_tried_one_by_one_too(void **state)
{
    (void)state;
    struct targets targets;
    struct coz_error error;
    uint32_t one = site_intern(&sites, "/src/a.c", 1), two = site_intern(&sites, "/src/b.c", 2);
    assert_int_equal(resolve("a.c:1+b.c:2", &targets, &error), 0);
    assert_int_equal(targets.fixed_count, 3);
    assert_int_equal(targets.fixed[0], one);
    assert_int_equal(targets.fixed[1], two);
    is_called(targets.fixed[2], "/src/a.c:1 + /src/b.c:2");
    assert_string_equal(target_kind(&names, targets.fixed[2]), "together");
    assert_int_equal(groups_of(one), 1);
    assert_int_equal(groups_of(two), 1);
    /* A line and a file that has another. */
    assert_int_equal(resolve("a.c:1 + file:b.c", &targets, &error), 0);
    assert_int_equal(targets.fixed_count, 3);
    is_called(targets.fixed[1], "file:b.c");
    is_called(targets.fixed[2], "/src/a.c:1 + file:b.c");
    assert_int_equal(groups_of(one), 1 | 4);
    assert_int_equal(groups_of(two), 1 | 2 | 4);
    assert_int_equal(resolve("a.c:1+a.c:1", &targets, &error), -EINVAL);
    assert_non_null(strstr(error.text, "twice"));
    segment->granularity = GRANULARITY_CALLSITE;
    assert_int_equal(resolve("a.c:1 <- b.c:2 + b.c:2<-a.c:1", &targets, &error), 0);
    assert_in_range(targets.fixed[2], SEGMENT_CALLSITES, target_count(&names) - 1);
    is_called(targets.fixed[2], "/src/a.c:1 <- /src/b.c:2 + /src/b.c:2 <- /src/a.c:1");
}

static void what_is_gone_is_left_out(void **state)
{
    (void)state;
    struct targets targets;
    struct coz_error error;
    segment->granularity = GRANULARITY_FUNCTION;
    uint32_t one = site_intern_function(&sites, "a::push(int)", "");
    uint32_t two = site_intern_function(&sites, "b::push(long)", "");
    uint32_t three = site_intern_function(&sites, "pop", "");
    assert_int_equal(resolve("pop+gone", &targets, &error), -EINVAL);
    assert_int_equal(resolve_in("pop+gone", true, &targets, &error), 0);
    assert_int_equal(targets.fixed_count, 2);
    is_called(targets.fixed[1], "pop+gone");
    assert_int_equal(groups_of(three), 1);
    /* All of that name, each once. */
    assert_int_equal(resolve_in("push + pop + b::push", true, &targets, &error), 0);
    assert_int_equal(targets.fixed_count, 4);
    is_called(targets.fixed[3], "push + pop + b::push");
    assert_int_equal(groups_of(one), 2);
    assert_int_equal(groups_of(two), 2);
    assert_int_equal(groups_of(three), 1 | 2);
    assert_int_equal(resolve_in("gone + too", true, &targets, &error), 0);
    assert_int_equal(targets.fixed_count, 0);
    assert_true(targets.only_fixed);
}

static uint32_t name_thread(const char *name)
{
    return thread_name_number(segment, thread_name_text(name));
}

static void threads(void **state)
{
    (void)state;
    struct targets targets;
    struct coz_error error;
    segment->granularity = GRANULARITY_THREAD;
    assert_int_equal(resolve("thread:pool-*+io", &targets, &error), 0);
    assert_int_equal(targets.fixed_count, 3);
    is_called(targets.fixed[0], "thread:pool-*");
    is_called(targets.fixed[1], "thread:io");
    is_called(targets.fixed[2], "thread:pool-* + thread:io");
    assert_string_equal(target_kind(&names, targets.fixed[0]), "thread");
    /* Threads come later, and the first that meets a name says where it belongs. */
    uint32_t pool = name_thread("pool-1"), io = name_thread("io"), other = name_thread("pool");
    assert_true(pool && io && other && pool != io && io != other);
    assert_int_equal(name_thread("pool-1"), pool);
    assert_int_equal(groups_of(pool), 1 | 2);
    assert_int_equal(groups_of(io), 2);
    assert_int_equal(io, targets.fixed[1]); /* one name is no group: its samples are its own */
    assert_int_equal(groups_of(other), 0);
    is_called(pool, "thread:pool-1");
    assert_string_equal(target_run_kind(&names), "thread");
    char text[600];
    static struct fixed_targets fixed;
    fixed.count = 1;
    target_spec_parse(&fixed.specs[0], "thread:pool-*+io", &error);
    atomic_store(&segment->sites[targets.fixed[1]].count, 5);
    atomic_store(&segment->sites[io].count, 5);
    fixed_targets_missing(&fixed, &names, text, sizeof text);
    assert_non_null(strstr(text, "thread:pool-*"));
    assert_non_null(strstr(text, "there were: io"));
    for (int i = 0; i < 2 * SEGMENT_THREAD_NAMES; i++) {
        char name[32];
        snprintf(name, sizeof name, "conn-%d", i);
        assert_in_range(name_thread(name), 0, SEGMENT_THREAD_NAMES - 1);
    }
    assert_true(atomic_load(&segment->refusals.thread_names) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(lines, begin, end),
        cmocka_unit_test_setup_teardown(functions, begin, end),
        cmocka_unit_test_setup_teardown(callsites, begin, end),
        cmocka_unit_test_setup_teardown(a_full_table_of_callsites_gives_no_number, begin, end),
        cmocka_unit_test_setup_teardown(functions_that_only_call_are_worth_little, begin, end),
        cmocka_unit_test_setup_teardown(named_targets_are_found, begin, end),
        cmocka_unit_test_setup_teardown(files_are_groups_of_their_lines, begin, end),
        cmocka_unit_test_setup_teardown(several_at_once_are_tried_one_by_one_too, begin, end),
        cmocka_unit_test_setup_teardown(what_is_gone_is_left_out, begin, end),
        cmocka_unit_test_setup_teardown(threads, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
