#include "tables.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "debuginfo/debuginfo.h"
#include "experiment/code/mappings.h"
#include "runtime/core/runtime.h"
#include "runtime/core/tables.h"

enum { MODULES = 64 };
static const size_t arena_size = 1ull << 30; /* only what is written takes memory */

struct segment *runtime_segment;
static struct code_range ranges[MODULES];
static struct segment_module modules[MODULES];
static size_t module_count, arena_used = (sizeof(struct segment) + 63) & ~63ull;
static struct site_set sites;

static void fail(const char *why)
{
    fprintf(stderr, "unwind: %s\n", why);
    exit(1);
}

void tables_init(void)
{
    site_set_init(&sites, 0);
    runtime_segment =
        mmap(NULL, arena_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (runtime_segment == MAP_FAILED)
        fail("out of memory");
    /* The runtime reads its tables only; here this process is the controller as well, and makes them. */
    if (tables_protect(runtime_segment, arena_size) ||
        mprotect(runtime_segment, arena_size, PROT_READ | PROT_WRITE))
        fail("the tables cannot be protected");
}

bool modules_find(uintptr_t address, struct code_range *range)
{
    for (size_t i = 0; i < module_count; i++) {
        if (address >= ranges[i].start && address < ranges[i].end) {
            *range = ranges[i];
            return true;
        }
    }
    return false;
}

static uint64_t store(const void *bytes, size_t size)
{
    uint64_t offset = arena_used;
    if (size > arena_size - offset)
        fail("the tables do not fit");
    memcpy((char *)runtime_segment + offset, bytes, size);
    arena_used += (size + 63) & ~63ull;
    return offset;
}

static void load(struct segment_module *module, const char *path, bool is_program)
{
    const struct scope scope = {0};
    struct debuginfo info = {0};
    struct coz_error error;
    int result = 0;
    if (strstr(path, "[vdso") || !*path)
        mappings_read_vdso(&info);
    else
        result = debuginfo_load_unwind(path, (struct debuginfo_options){0}, &info, &error);
    if (result == 0 && is_program)
        result = debuginfo_load_sites(path, &scope, &sites, &info, &error);
    if (result != 0)
        fail(error.text);
    if (info.row_count)
        atomic_store(&module->rows_offset, store(info.rows, info.row_count * sizeof *info.rows));
    if (info.unwind_count)
        atomic_store(&module->unwind_offset, store(info.unwind, info.unwind_count * sizeof *info.unwind));
    atomic_store(&module->row_count, (uint32_t)info.row_count);
    atomic_store(&module->unwind_count, (uint32_t)info.unwind_count);
    atomic_store(&module->state, MODULE_KNOWN);
    atomic_store(&module->is_executable, is_program);
    debuginfo_release(&info);
}

void tables_add(const char *path, struct code_range range)
{
    struct code_range there;
    if (modules_find(range.start, &there) || module_count == MODULES)
        return;
    range.module = &modules[module_count];
    load(range.module, path, module_count == 0);
    ranges[module_count++] = range;
}

uint32_t tables_site(uintptr_t pc)
{
    struct code_range range;
    if (!modules_find(pc, &range))
        return 0;
    const struct site_row *rows =
        (const void *)((const char *)runtime_segment + atomic_load(&range.module->rows_offset));
    size_t low = 0, high = atomic_load(&range.module->row_count), count = high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rows[middle].end <= pc - range.bias)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && rows[low].start <= pc - range.bias ? rows[low].site : 0;
}
