#include "runtime/modules.h"

#include "runtime/runtime.h"

#include <limits.h>
#include <link.h>
#include <stdlib.h> /* realpath */
#include <string.h>
#include <unistd.h>

enum { RANGES = 2048 };

/* Two copies: one is searched while the other is made. Readers hold no lock, so a copy is reused only two
 * changes later; that takes two dlopen calls during one look-up. */
struct range_table {
    size_t count;
    struct code_range ranges[RANGES];
};

static struct range_table tables[2];
static _Atomic(struct range_table *) current;
static unsigned long long seen_loads, seen_unloads;
static atomic_flag refreshing = ATOMIC_FLAG_INIT;

static bool is_module(struct segment_module *module, const char *path)
{
    return atomic_load(&module->state) >= MODULE_REQUESTED && strcmp(module->path, path) == 0;
}

/* Finds the module of that path in the segment, or asks for it. */
static struct segment_module *module_of(const char *path, bool is_executable)
{
    if (strlen(path) >= SEGMENT_MODULE_PATH)
        return NULL;
    for (int i = 0; i < SEGMENT_MODULES; i++) {
        struct segment_module *module = &runtime_segment->modules[i];
        uint32_t state = MODULE_FREE;
        if (is_module(module, path))
            return module;
        if (atomic_load(&module->state) == MODULE_FREE &&
            atomic_compare_exchange_strong(&module->state, &state, MODULE_CLAIMED)) {
            strcpy(module->path, path);
            atomic_store(&module->is_executable, is_executable);
            atomic_store(&module->state, MODULE_REQUESTED);
            return module;
        }
    }
    return NULL;
}

static void add_range(struct range_table *table, struct code_range range)
{
    if (table->count == RANGES)
        return;
    size_t i = table->count++;
    for (; i > 0 && table->ranges[i - 1].start > range.start; i--)
        table->ranges[i] = table->ranges[i - 1];
    table->ranges[i] = range;
}

static int add_object(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct range_table *table = context;
    char path[PATH_MAX] = "";
    if (info->dlpi_name[0]) {
        if (!realpath(info->dlpi_name, path)) /* the kernel's vdso has a name, but no file */
            path[0] = 0;
    } else {
        ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
        path[length > 0 ? length : 0] = 0;
    }
    struct segment_module *module = path[0] ? module_of(path, !info->dlpi_name[0]) : NULL;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &info->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X))
            continue;
        uintptr_t start = info->dlpi_addr + segment->p_vaddr;
        add_range(table, (struct code_range){start, start + segment->p_memsz, info->dlpi_addr, module});
    }
    return 0;
}

static int read_loads(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    unsigned long long *loads = context;
    loads[0] = info->dlpi_adds;
    loads[1] = info->dlpi_subs;
    return 1;
}

void modules_refresh(void)
{
    unsigned long long loads[2] = {0, 0};
    dl_iterate_phdr(read_loads, loads);
    struct range_table *before = atomic_load(&current);
    if (before && loads[0] == seen_loads && loads[1] == seen_unloads)
        return;
    if (atomic_flag_test_and_set(&refreshing))
        return;
    struct range_table *after = before == &tables[0] ? &tables[1] : &tables[0];
    after->count = 0;
    dl_iterate_phdr(add_object, after);
    seen_loads = loads[0];
    seen_unloads = loads[1];
    atomic_store(&current, after);
    atomic_flag_clear(&refreshing);
}

const struct code_range *modules_find(uintptr_t address)
{
    const struct range_table *table = atomic_load_explicit(&current, memory_order_acquire);
    size_t low = 0, high = table ? table->count : 0;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (table->ranges[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (!table || low == table->count || address < table->ranges[low].start)
        return NULL;
    return &table->ranges[low];
}
