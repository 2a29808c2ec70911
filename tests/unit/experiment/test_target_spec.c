/* What people write for targets. */
#include "experiment/targets/target_spec.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct target_spec spec;
static struct coz_error error;

static void reads(const char *text, size_t count)
{
    assert_int_equal(target_spec_parse(&spec, text, &error), 0);
    assert_int_equal(spec.count, count);
}

static void part_is(size_t number, enum target_part_kind kind, const char *name)
{
    char buffer[TARGET_PART_BYTES];
    assert_int_equal(spec.parts[number].kind, kind);
    assert_string_equal(target_part_name(&spec.parts[number], buffer), name);
}

static void reads_one(const char *text, enum target_part_kind kind, const char *name)
{
    reads(text, 1);
    part_is(0, kind, name);
}

static void refuses(const char *text, const char *why)
{
    assert_int_equal(target_spec_parse(&spec, text, &error), -EINVAL);
    assert_non_null(strstr(error.text, why));
}

static void kinds(void **state)
{
    (void)state;
    reads_one("a.c:12", PART_LINE, "a.c:12");
    reads_one("line:file:3", PART_LINE, "file:3");
    reads_one("parse", PART_FUNCTION, "parse");
    reads_one("ns::Stack<int>::push(int)", PART_FUNCTION, "ns::Stack<int>::push(int)");
    reads_one("function:line", PART_FUNCTION, "line");
    reads_one("a.c:12 <- b.c:3", PART_CALLSITE, "a.c:12 <- b.c:3");
    reads_one("a.c:12<-b.c:3", PART_CALLSITE, "a.c:12<-b.c:3");
    reads_one("file:src/%.c", PART_FILE, "src/%.c");
    reads_one("thread:worker*", PART_THREAD, "worker*");
    assert_int_equal(target_spec_granularity(&spec), GRANULARITY_THREAD);
    assert_true(target_spec_is_group(&spec));
    reads_one("file:a.c", PART_FILE, "a.c");
    assert_int_equal(target_spec_granularity(&spec), GRANULARITY_LINE);
}

static void several(void **state)
{
    (void)state;
    reads("a.c:1+b.c:2", 2);
    part_is(0, PART_LINE, "a.c:1");
    part_is(1, PART_LINE, "b.c:2");
    reads("thread:a + b + thread:c", 3);
    part_is(1, PART_THREAD, "b");
    part_is(2, PART_THREAD, "c");
    reads("file:lib/%+a.c:7", 2);
    part_is(1, PART_FILE, "a.c:7");
    reads("a.c:7+file:lib/%", 2);
    part_is(0, PART_LINE, "a.c:7");
}

static void a_plus_in_a_name(void **state)
{
    (void)state;
    reads_one("file:c++/%", PART_FILE, "c++/%");
    reads_one("src/c++/a.cc:3", PART_LINE, "src/c++/a.cc:3");
    reads_one("function:Big::operator+", PART_FUNCTION, "Big::operator+");
    reads_one("Big::operator++(int)", PART_FUNCTION, "Big::operator++(int)");
    reads("Big::operator++parse", 1);
    reads("Big::operator-+parse", 2);
    part_is(1, PART_FUNCTION, "parse");
    reads_one("function:server+0x5a30", PART_FUNCTION, "server+0x5a30");
    reads("function:server+0x5a30+server+0x60", 2);
    part_is(1, PART_FUNCTION, "server+0x60");
}

static void refusals(void **state)
{
    (void)state;
    refuses("", "a function's name");
    refuses("line:a.c", "is not FILE:LINE");
    refuses("a.c:1+", "is not");
    refuses("a.c:1 <- b", "FILE:LINE <- FILE:LINE");
    refuses("file:", "a pattern of source files");
    refuses("thread:a_name_that_is_longer", "15 characters");
    refuses("a.c:1+parse", "one kind");
    refuses("thread:a+b+c+d+e", "at most 4");
    reads_one("thread:a_pattern_that_is_longer*", PART_THREAD, "a_pattern_that_is_longer*");
    assert_int_equal(target_spec_of_kind(&spec, "--fixed-line", PART_LINE, "a+b.c:3", &error), 0);
    part_is(0, PART_LINE, "a+b.c:3");
    assert_int_equal(target_spec_of_kind(&spec, "--fixed-line", PART_LINE, "parse", &error), -EINVAL);
    assert_non_null(strstr(error.text, "--fixed-line parse"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds),
        cmocka_unit_test(several),
        cmocka_unit_test(a_plus_in_a_name),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
