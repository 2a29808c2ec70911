/* Rows of generated code, as they stand in the segment. */
#include "experiment/code/generated.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const uint64_t window_a = 0x500000000000, window_b = 0x600000000000;

static struct segment_owner owner;
static struct site_set sites;
static const struct scope scope = {0};
static struct generated *generated;
static char own[64];

static int make(void **state)
{
    (void)state;
    struct coz_error err;
    int rc = segment_create(&owner, &err);
    if (rc)
        return rc;
    owner.segment->granularity = GRANULARITY_FUNCTION;
    site_set_init(&sites, SEGMENT_SITES);
    generated = generated_new(&owner, &scope, &sites);
    snprintf(own, sizeof own, "/tmp/perf-%u.map", (unsigned)getpid());
    unlink(own);
    return generated ? 0 : -1;
}

static int release(void **state)
{
    (void)state;
    unlink(own);
    generated_free(generated);
    site_set_release(&sites);
    segment_destroy(&owner);
    return 0;
}

static void tell(uint64_t from, int functions, const char *name)
{
    FILE *file = fopen(own, "a");
    assert_non_null(file);
    for (int i = 0; i < functions; i++)
        fprintf(file, "%" PRIx64 " 40 %s %d\n", from + (uint64_t)i * 0x40, name, i);
    fclose(file);
}

/* Whether it is time for a look or not. */
static void serve(void)
{
    generated_serve(generated, UINT64_MAX);
}

static int module_at(uint64_t address)
{
    uint64_t bias;
    int module = generated_module(generated, (uint32_t)getpid(), address, &bias);
    assert_true(module >= 0);
    assert_int_equal(bias, address >> 32 << 32);
    return module;
}

static uint32_t rows_of(int module)
{
    return atomic_load(&owner.segment->modules[module].row_count);
}

static const struct site_row *row_of(int module, uint32_t number)
{
    const struct segment_module *of = &owner.segment->modules[module];
    return (const struct site_row *)((const char *)owner.segment + atomic_load(&of->rows_offset)) + number;
}

/* Its rows are made of what was read for the first one: the file may have gone meanwhile. */
static void another_region_does_not_read_all_again(void **state)
{
    (void)state;
    tell(window_a, 3, "near");
    tell(window_b, 2, "far");
    int near = module_at(window_a);
    serve();
    assert_int_equal(rows_of(near), 3);
    assert_string_equal(sites.sites[row_of(near, 2)->site].file, "near 2");
    assert_int_equal(row_of(near, 2)->start, 0x80);
    unlink(own);
    int far = module_at(window_b);
    assert_int_not_equal(far, near);
    serve();
    assert_int_equal(rows_of(far), 2);
    assert_string_equal(sites.sites[row_of(far, 1)->site].file, "far 1");
    assert_int_equal(rows_of(near), 3);
}

/* One look takes only part of it; the rest follows without a pause. */
static void a_long_map_is_read_in_parts(void **state)
{
    (void)state;
    enum { FUNCTIONS = 40000 };
    tell(window_a, FUNCTIONS, "one of very many functions with a name that is not short");
    int module = module_at(window_a);
    serve();
    uint32_t first = rows_of(module);
    assert_in_range(first, 1, FUNCTIONS / 2);
    int looks = 1;
    for (; rows_of(module) < FUNCTIONS; looks++) {
        assert_true(looks < 1000);
        serve();
    }
    assert_true(looks > 2);
    assert_int_equal(row_of(module, FUNCTIONS - 1)->start, (FUNCTIONS - 1) * 0x40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(another_region_does_not_read_all_again, make, release),
        cmocka_unit_test_setup_teardown(a_long_map_is_read_in_parts, make, release),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
