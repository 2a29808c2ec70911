/* From an interrupted context to sites, by tables that may say anything: what is behind the segment's struct
 * is read-only here, and what says where it lies is not trusted. */
#include "runtime/core/tables.h"
#include "runtime/sampling/locate.h"
#include "runtime/sampling/modules.h"
#include "runtime/sampling/unwind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "context.h"

enum { PAGE = 4096, TABLES = 4 * PAGE, CODE = 0x1000, CODE_END = 0x2000, SITE = 7 };

static const uint64_t segment_size = sizeof(struct segment) + TABLES;

struct segment *runtime_segment;

static struct segment_module *module;
static uint64_t tables_used;

/* Code without a bias. */
bool modules_find(uintptr_t address, struct code_range *range)
{
    *range = (struct code_range){.start = CODE, .end = UINTPTR_MAX, .module = module};
    return address >= CODE;
}

static int begin(void **state)
{
    (void)state;
    runtime_segment =
        mmap(NULL, segment_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (runtime_segment == MAP_FAILED)
        return -1;
    module = &runtime_segment->modules[0];
    atomic_store(&module->state, MODULE_KNOWN);
    tables_used = 0;
    return 0;
}

static int end(void **state)
{
    (void)state;
    return munmap(runtime_segment, segment_size);
}

static uint64_t put(const void *bytes, size_t size)
{
    uint64_t offset = sizeof(struct segment) + tables_used;
    memcpy((char *)runtime_segment + offset, bytes, size);
    tables_used += size;
    return offset;
}

static void put_row(struct site_row row)
{
    atomic_store(&module->rows_offset, put(&row, sizeof row));
    atomic_store(&module->row_count, 1);
}

static struct located find_at(uintptr_t pc)
{
    ucontext_t context = context_made(pc, 0);
    struct located located;
    locate(&context, 0, &located);
    return located;
}

static void a_row_names_its_site(void **state)
{
    (void)state;
    put_row((struct site_row){CODE, CODE_END, SITE});
    assert_int_equal(tables_protect(runtime_segment, segment_size), 0);
    struct located located = find_at(CODE + 8);
    assert_int_equal(located.count, 1);
    assert_int_equal(located.sites[0], SITE);
    assert_int_equal(find_at(CODE_END).count, 0);
}

static void tables_cannot_be_written(void **state)
{
    (void)state;
    int status = 0;
    assert_int_equal(tables_protect(runtime_segment, segment_size), 0);
    pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        runtime_segment->tables[TABLES - 1] = 1;
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
    atomic_store(&runtime_segment->samples, 1); /* what counts is still writable */
}

static void only_what_lies_in_the_tables_is_there(void **state)
{
    (void)state;
    uint64_t start = sizeof(struct segment);
    assert_int_equal(tables_protect(runtime_segment, segment_size), 0);
    assert_non_null(tables_at(start, TABLES, 1));
    assert_null(tables_at(start, TABLES + 1, 1));
    assert_null(tables_at(start + 1, TABLES, 1));
    assert_null(tables_at(start - 1, 1, 1));
    assert_null(tables_at(0, 0, 1));
    assert_null(tables_at(segment_size + 1, 0, 1));
    assert_null(tables_at(UINT64_MAX, 1, 12));
    assert_null(tables_at(start, UINT64_MAX, 12));
}

static void rows_out_of_the_tables_are_none(void **state)
{
    (void)state;
    put_row((struct site_row){CODE, CODE_END, SITE});
    assert_int_equal(tables_protect(runtime_segment, segment_size), 0);
    atomic_store(&module->row_count, UINT32_MAX);
    assert_int_equal(find_at(CODE + 8).count, 0);
    atomic_store(&module->row_count, 1);
    atomic_store(&module->rows_offset, UINT64_MAX - PAGE);
    assert_int_equal(find_at(CODE + 8).count, 0);
}

static void a_site_that_there_is_not_is_none(void **state)
{
    (void)state;
    put_row((struct site_row){CODE, CODE_END, SEGMENT_SITES});
    assert_int_equal(tables_protect(runtime_segment, segment_size), 0);
    assert_int_equal(find_at(CODE + 8).count, 0);
}

static void a_site_brings_its_groups(void **state)
{
    (void)state;
    put_row((struct site_row){CODE, CODE_END, SITE});
    assert_int_equal(tables_protect(runtime_segment, segment_size), 0);
    runtime_segment->group_count = 3;
    runtime_segment->group_sites[0] = 90;
    runtime_segment->group_sites[1] = SEGMENT_SITES; /* anybody may have written there */
    runtime_segment->group_sites[2] = 91;
    atomic_store(&runtime_segment->site_groups[SITE], 7);
    struct located located = find_at(CODE + 8);
    assert_int_equal(located.count, 3);
    assert_int_equal(located.sites[0], SITE);
    assert_true(located_has(&located, 90) && located_has(&located, 91));
    locate_known(SITE + 1, &located);
    assert_int_equal(located.count, 1);
    locate_known(0, &located);
    assert_int_equal(located.count, 0);
}

/* Each is inlined into a smaller one: else the walk would never end. */
static void nodes_that_go_in_circles_end(void **state)
{
    (void)state;
    struct site_node nodes[] = {{0, 0}, {SITE, 2}, {SITE + 1, 1}};
    runtime_segment->granularity = GRANULARITY_FUNCTION;
    atomic_store(&module->nodes_offset, put(nodes, sizeof nodes));
    atomic_store(&module->node_count, 3);
    put_row((struct site_row){CODE, CODE_END, 2});
    assert_int_equal(tables_protect(runtime_segment, segment_size), 0);
    struct located located = find_at(CODE + 8);
    assert_int_equal(located.count, 2);
    assert_int_equal(located.sites[0], SITE + 1);
    assert_int_equal(located.sites[1], SITE);
}

/* ---- a step of the walk up the stack */

static void put_unwind(void)
{
    struct unwind_row row = {.start = CODE, .kind = UNWIND_SP, .cfa_offset = 16};
    atomic_store(&module->unwind_offset, put(&row, sizeof row));
    atomic_store(&module->unwind_count, 1);
}

static bool step_from(uintptr_t pc, uintptr_t *caller)
{
    uintptr_t words[4] = {0, 0x1234, 0, 0};
    struct frame frame = {.pc = pc, .sp = (uintptr_t)words};
    struct stack stack = {.high = (uintptr_t)(words + 4)};
    struct code_range range;
    modules_find(pc, &range);
    bool stepped = unwind_step(&frame, &range, &stack);
    *caller = frame.pc;
    return stepped;
}

static void a_row_finds_the_caller(void **state)
{
    (void)state;
    uintptr_t caller;
    put_unwind();
    assert_int_equal(tables_protect(runtime_segment, segment_size), 0);
    assert_true(step_from(CODE + 8, &caller));
    assert_int_equal(caller, 0x1234);
}

/* Rows hold 32 bits of an address: the lower half of a larger one is another. */
static void code_far_from_its_files_start_has_no_rows(void **state)
{
    (void)state;
    uintptr_t caller;
    put_unwind();
    assert_int_equal(tables_protect(runtime_segment, segment_size), 0);
    assert_false(step_from((1ull << 32) + CODE + 8, &caller));
}

static void unwind_rows_out_of_the_tables_are_none(void **state)
{
    (void)state;
    uintptr_t caller;
    put_unwind();
    assert_int_equal(tables_protect(runtime_segment, segment_size), 0);
    atomic_store(&module->unwind_count, UINT32_MAX);
    assert_false(step_from(CODE + 8, &caller));
    atomic_store(&module->unwind_count, 1);
    atomic_store(&module->unwind_offset, segment_size);
    assert_false(step_from(CODE + 8, &caller));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_row_names_its_site, begin, end),
        cmocka_unit_test_setup_teardown(tables_cannot_be_written, begin, end),
        cmocka_unit_test_setup_teardown(only_what_lies_in_the_tables_is_there, begin, end),
        cmocka_unit_test_setup_teardown(rows_out_of_the_tables_are_none, begin, end),
        cmocka_unit_test_setup_teardown(a_site_that_there_is_not_is_none, begin, end),
        cmocka_unit_test_setup_teardown(a_site_brings_its_groups, begin, end),
        cmocka_unit_test_setup_teardown(nodes_that_go_in_circles_end, begin, end),
        cmocka_unit_test_setup_teardown(a_row_finds_the_caller, begin, end),
        cmocka_unit_test_setup_teardown(code_far_from_its_files_start_has_no_rows, begin, end),
        cmocka_unit_test_setup_teardown(unwind_rows_out_of_the_tables_are_none, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
