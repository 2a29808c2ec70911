#include "runtime/sampling/modules.h"

#include "runtime/core/namespace.h"
#include "runtime/core/runtime.h"
#include "runtime/core/tables.h"
#include "shared/module_slots.h"
#include "shared/questions.h"

#include <limits.h>
#include <link.h>
#include <stdlib.h> /* realpath */
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

enum { RANGES = 2048, ASKED = 256, PAGE_BITS = 12 };

/* Two copies: one is searched while the other is made. Readers hold no lock, so a copy is reused only two
 * changes later; that takes two dlopen calls during one look-up. */
struct range_table {
    size_t count;
    struct code_range ranges[RANGES];
};

static struct range_table tables[2];
static _Atomic(struct range_table *) current;
static _Atomic unsigned long long seen_loads, seen_unloads; /* threads may come here together */
static atomic_flag refreshing = ATOMIC_FLAG_INIT;

static uint32_t own_process;
static _Atomic uintptr_t asked[ASKED]; /* pages that the controller was asked for */

void modules_join(uint32_t process)
{
    own_process = process;
    atomic_flag_clear(&refreshing); /* by a thread that is not in this copy */
    for (int i = 0; i < ASKED; i++)
        atomic_store_explicit(&asked[i], 0, memory_order_relaxed);
}

static uint32_t count_mappings(memory_order order)
{
    uint32_t count = atomic_load_explicit(&runtime_segment->mapping_count, order);
    return count < SEGMENT_MAPPINGS ? count : SEGMENT_MAPPINGS;
}

/* What the controller has told may be gone, and is asked for again if not. */
static void forget_mappings(void)
{
    uint32_t count = count_mappings(memory_order_seq_cst);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t process = own_process;
        atomic_compare_exchange_strong(&runtime_segment->mappings[i].process, &process, 0);
    }
    for (int i = 0; i < ASKED; i++)
        atomic_store_explicit(&asked[i], 0, memory_order_relaxed);
}

static void add_range(struct range_table *table, struct code_range range)
{
    if (table->count == RANGES) {
        atomic_fetch_add_explicit(&runtime_segment->refusals.modules, 1, memory_order_relaxed);
        return;
    }
    size_t i = table->count++;
    for (; i > 0 && table->ranges[i - 1].start > range.start; i--)
        table->ranges[i] = table->ranges[i - 1];
    table->ranges[i] = range;
}

static int add_object(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    struct range_table *table = context;
    static char path[PATH_MAX]; /* too long for a small stack; the caller has the table to itself */
    path[0] = 0;
    if (info->dlpi_name[0]) {
        if (info->dlpi_addr == getauxval(AT_SYSINFO_EHDR))
            strcpy(path, SEGMENT_VDSO); /* has a name, but no file */
        else if (!realpath(info->dlpi_name, path))
            path[0] = 0;
    } else {
        ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
        path[length > 0 ? length : 0] = 0;
    }
    struct module_file file = {path, !info->dlpi_name[0], MODULE_REQUESTED};
    struct segment_module *module = path[0] ? module_slot_of(runtime_segment, file) : NULL;
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
    if (runtime_segment && runtime_segment->counts_only && !atomic_load(&runtime_segment->call_point_count))
        return; /* nobody would answer, and nothing is looked up */
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
    forget_mappings();
    atomic_flag_clear(&refreshing);
}

static bool find_mapping(uintptr_t address, struct code_range *range)
{
    struct segment *segment = runtime_segment;
    uint32_t count = count_mappings(memory_order_acquire);
    for (uint32_t i = 0; i < count; i++) {
        struct segment_mapping *mapping = &segment->mappings[i];
        if (atomic_load_explicit(&mapping->process, memory_order_acquire) != own_process ||
            address < mapping->start || address >= mapping->end)
            continue;
        *range = (struct code_range){mapping->start, mapping->end, mapping->bias,
                                     &segment->modules[mapping->module % SEGMENT_MODULES]};
        return true;
    }
    return false;
}

/* Lost when there are many at a time: the page may be asked for again, by who shares its place. */
static void ask_controller(uintptr_t address)
{
    uintptr_t page = address >> PAGE_BITS;
    if (atomic_exchange_explicit(&asked[page % ASKED], page, memory_order_relaxed) == page)
        return;
    if (question_ask(runtime_segment, namespace_own_word(), own_process, address, namespace_has_ended))
        runtime_wake_controller();
    else
        atomic_store_explicit(&asked[page % ASKED], 0, memory_order_relaxed);
}

bool modules_find(uintptr_t address, struct code_range *range)
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
    if (table && low < table->count && address >= table->ranges[low].start) {
        *range = table->ranges[low];
        return true;
    }
    if (find_mapping(address, range))
        return true;
    ask_controller(address);
    return false;
}

bool modules_is_in(const struct segment_code *code, uintptr_t address)
{
    struct code_range range;
    if (!modules_find(address, &range) || range.module != &runtime_segment->modules[code->module])
        return false;
    const struct segment_piece *pieces = tables_at(code->offset, code->count, sizeof *pieces);
    for (uint32_t i = 0; pieces && i < code->count; i++)
        if (address - range.bias >= pieces[i].start && address - range.bias < pieces[i].end)
            return true;
    return false;
}
