#include "debuginfo/unwind/cfi.h"

#include <dwarf.h>
#include <errno.h>
#include <malloc.h> /* malloc_usable_size */
#include <stdlib.h>
#include <time.h>

#include "debuginfo/cache/cache.h"
#include "debuginfo/elf/cfi_entries.h"
#include "debuginfo/elf/elf_file.h"
#include "debuginfo/unwind/cfi_check.h"

/* DWARF's numbers for a machine's frame pointer and stack pointer, and for where the return address is. */
struct machine_registers {
    int elf_machine;
    int fp, sp, back;
};

static const struct machine_registers machines[] = {{EM_X86_64, 6, 7, 16}, {EM_AARCH64, 29, 31, 30}};

/* libdw makes a frame as large as its highest register number asks for. x86-64 has some 130 of 24 bytes; a
 * broken number can make it gigabytes, for every row anew. */
enum { FRAME_LIMIT = 65536 };

/* Seconds of processor time after which code without an entry is no longer searched byte by byte. */
enum { CPU_LIMIT_S = 2 };

struct unwind_list {
    struct unwind_row *items;
    size_t count;
    size_t room;
};

/* Appends the row unless the last one says the same. */
static bool add_row(struct unwind_list *list, uint32_t start, struct unwind_row row)
{
    struct unwind_row *last = list->count ? &list->items[list->count - 1] : NULL;
    if (last && last->kind == row.kind && last->return_at == row.return_at &&
        last->cfa_offset == row.cfa_offset && last->fp_offset == row.fp_offset)
        return true;
    struct unwind_row *rows = array_reserve(list->items, list->count, &list->room, sizeof *rows);
    if (!rows)
        return false;
    row.start = start;
    list->items = rows;
    rows[list->count++] = row;
    return true;
}

/* The expression that linkers write for a lazy PLT, whose entries push in their middle:
 * rsp + 8 + ((rip & 15) >= threshold) * 8. Returns the threshold, 0 if it is another expression. */
static unsigned plt_threshold(const Dwarf_Op *ops, size_t count)
{
    static const uint8_t atoms[] = {DW_OP_breg7, DW_OP_breg16, DW_OP_lit15, DW_OP_and, 0,
                                    DW_OP_ge,    DW_OP_lit3,   DW_OP_shl,   DW_OP_plus};
    if (count != sizeof atoms || ops[0].number != 8 || ops[1].number != 0)
        return 0;
    for (size_t i = 0; i < count; i++) {
        if (i != 4 && ops[i].atom != atoms[i])
            return 0;
    }
    return ops[4].atom > DW_OP_lit0 && ops[4].atom < DW_OP_lit16 ? ops[4].atom - DW_OP_lit0 : 0;
}

/* Where the frame keeps the register, relative to the CFA. False when that is no plain offset; *offset is 0
 * when the register was left alone. */
static bool saved_at(Dwarf_Frame *frame, int number, int64_t *offset)
{
    Dwarf_Op memory[3], *ops;
    size_t count;
    *offset = 0;
    if (dwarf_frame_register(frame, number, memory, &ops, &count) != 0)
        return false;
    if (count == 0)
        return ops == NULL; /* else "undefined" */
    /* The CFA itself, or that and an offset, which may be negative all the same */
    if (ops[0].atom != DW_OP_call_frame_cfa || count > 2 || (count == 2 && ops[1].atom != DW_OP_plus_uconst))
        return false;
    if (count == 2)
        *offset = (int64_t)ops[1].number;
    return true;
}

/* Where the return address and the caller's frame pointer are; false: the runtime has no word for it. */
static bool translate_saved(Dwarf_Frame *frame, const struct machine_registers *machine,
                            struct unwind_row *row)
{
    int64_t back, fp;
    if (!saved_at(frame, machine->back, &back))
        return false;
    /* A saved register that cannot be found again is as good as one that was left alone. */
    if (!saved_at(frame, machine->fp, &fp) || fp < INT16_MIN || fp > INT16_MAX)
        fp = 0;
    row->fp_offset = (int16_t)fp;
    if (machine->elf_machine == EM_X86_64) {
        row->return_at = UNWIND_PUSHED;
        return back == -8;
    }
    if (back == 0) {
        row->return_at = UNWIND_IN_PLACE;
    } else if (fp != 0) {
        row->return_at = UNWIND_BESIDE;
        return back == fp + 8;
    } else {
        row->return_at = UNWIND_ALONE;
        row->fp_offset = (int16_t)back;
        return back >= INT16_MIN && back <= INT16_MAX;
    }
    return true;
}

/* What the frame says, in the runtime's terms. *threshold is set for a PLT only. */
static struct unwind_row translate(Dwarf_Frame *frame, const struct machine_registers *machine,
                                   bool is_signal, unsigned *threshold)
{
    const struct unwind_row none = {.kind = UNWIND_NONE};
    struct unwind_row row = {0};
    Dwarf_Op *ops;
    size_t count;
    if (is_signal)
        return (struct unwind_row){.kind = UNWIND_SIGNAL};
    if (!translate_saved(frame, machine, &row) || dwarf_frame_cfa(frame, &ops, &count) != 0)
        return none;
    if (machine->elf_machine == EM_X86_64 && (*threshold = plt_threshold(ops, count)) != 0) {
        row.kind = UNWIND_PLT;
        return row;
    }
    if (count != 1)
        return none;
    uint64_t reg = ops[0].number;
    int64_t offset = (int64_t)ops[0].number2;
    if (ops[0].atom >= DW_OP_breg0 && ops[0].atom <= DW_OP_breg31) {
        reg = (uint64_t)(ops[0].atom - DW_OP_breg0);
        offset = (int64_t)ops[0].number;
    } else if (ops[0].atom != DW_OP_bregx) {
        return none;
    }
    bool is_sp = reg == (uint64_t)machine->sp;
    if ((!is_sp && reg != (uint64_t)machine->fp) || offset < INT32_MIN || offset > INT32_MAX)
        return none;
    row.kind = is_sp ? UNWIND_SP : UNWIND_FP;
    row.cfa_offset = (int32_t)offset;
    return row;
}

/* The runtime knows the PLT of old, threshold 11; others (with endbr64 or bnd) are written out, two rows an
 * entry of 16 bytes. */
static bool add_plt(struct unwind_list *list, uint32_t start, uint32_t end, struct unwind_row row,
                    unsigned threshold)
{
    if (threshold == 11)
        return add_row(list, start, row);
    row.kind = UNWIND_SP;
    for (uint32_t at = start; at < end;) {
        bool pushed = (at & 15) >= threshold;
        row.cfa_offset = pushed ? 16 : 8;
        if (!add_row(list, at, row))
            return false;
        uint32_t next = (at & ~15u) + (pushed ? 16 : threshold);
        if (next <= at)
            break; /* wrapped around */
        at = next;
    }
    return true;
}

struct reading {
    Dwarf_CFI *cfi;
    const struct machine_registers *machine;
    uint64_t bias; /* to be added to the file's addresses to get libdw's */
    struct cfi_entries entries;
    struct unwind_list *list;
    double until; /* in the thread's processor time */
    bool gave_up;
};

static double cpu_seconds(void)
{
    struct timespec used;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (double)used.tv_sec + (double)used.tv_nsec / 1e9;
}

/* Where to go on when libdw has nothing to say at an address. Inside an entry that means that its
 * instructions up to here are broken, and then they are for all that follows in it. Where it is not known
 * what entries there are, byte by byte it must be, for a while. */
static uint64_t skip_from(struct reading *reading, uint64_t at, uint64_t end)
{
    if (reading->entries.count > 0)
        return cfi_entries_next(&reading->entries, at, end);
    reading->gave_up = reading->gave_up || cpu_seconds() > reading->until;
    return reading->gave_up ? end : at + 1;
}

static bool read_range(struct reading *reading, struct range range)
{
    const struct unwind_row none = {.kind = UNWIND_NONE};
    for (uint64_t at = range.start, next; at < range.end; at = next) {
        Dwarf_Frame *frame = NULL;
        Dwarf_Addr start = 0, end = 0;
        bool is_signal = false;
        unsigned threshold = 0;
        struct unwind_row row = none;
        if (dwarf_cfi_addrframe(reading->cfi, at + reading->bias, &frame) != 0)
            frame = NULL;
        if (frame && malloc_usable_size(frame) <= FRAME_LIMIT) {
            dwarf_frame_info(frame, &start, &end, &is_signal);
            row = translate(frame, reading->machine, is_signal, &threshold);
            end -= reading->bias;
        }
        free(frame);
        next = end > at ? (end < range.end ? end : range.end) : skip_from(reading, at, range.end);
        if (threshold ? !add_plt(reading->list, (uint32_t)at, (uint32_t)next, row, threshold)
                      : !add_row(reading->list, (uint32_t)at, row))
            return false;
    }
    /* Up to the next range, or to the end of the address space */
    return add_row(reading->list, range.end, none);
}

/* It may be in a separate file. */
static bool debug_frame_is_sound(const struct elf_file *file)
{
    Dwarf_Addr bias;
    Dwarf *dwarf = dwfl_module_getdwarf(file->module, &bias);
    return dwarf && cfi_is_sound(dwarf_getelf(dwarf), ".debug_frame");
}

static int read_table(struct elf_file *file, struct unwind_list *list)
{
    struct reading reading = {.list = list, .until = cpu_seconds() + CPU_LIMIT_S};
    struct range_list code = {0};
    GElf_Ehdr header;
    GElf_Addr bias;
    Elf *elf = dwfl_module_getelf(file->module, &bias);
    for (size_t i = 0; gelf_getehdr(elf, &header) && i < sizeof machines / sizeof *machines; i++)
        if (machines[i].elf_machine == header.e_machine)
            reading.machine = &machines[i];
    if (!reading.machine)
        return 0;
    bool listed = false;
    if (cfi_is_sound(elf, ".eh_frame"))
        reading.cfi = dwfl_module_eh_cfi(file->module, &bias);
    if (reading.cfi)
        listed = cfi_entries_list(elf, &reading.entries);
    else if (debug_frame_is_sound(file))
        reading.cfi = dwfl_module_dwarf_cfi(file->module, &bias);
    reading.bias = file->bias - bias;
    bool ok = range_list_intersect(&file->code, listed ? &reading.entries.covered : &file->code, &code);
    for (size_t i = 0; reading.cfi && ok && i < code.count; i++)
        ok = read_range(&reading, code.items[i]);
    cfi_entries_release(&reading.entries);
    range_list_release(&code);
    return ok ? 0 : -ENOMEM;
}

/* What comes from a disk may be anything; the runtime searches it. */
static bool rows_are_sound(const struct unwind_row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].kind > UNWIND_SIGNAL || rows[i].return_at > UNWIND_IN_PLACE ||
            (i > 0 && rows[i].start <= rows[i - 1].start))
            return false;
    return true;
}

static bool load_cached(const struct cache_key *key, struct unwind_rows *rows)
{
    size_t size;
    struct unwind_row *items = cache_load(key, &size);
    if (!items)
        return false;
    if (size % sizeof *items != 0 || !rows_are_sound(items, size / sizeof *items)) {
        free(items);
        return false;
    }
    *rows = (struct unwind_rows){items, size / sizeof *items};
    return true;
}

bool cfi_recall(const char *path, struct unwind_rows *rows)
{
    struct cache_key key = {.kind = "unwind"};
    return identity_read(&key.identity, path) && load_cached(&key, rows);
}

int cfi_load(const char *path, bool cached, struct unwind_rows *rows, struct coz_error *err)
{
    struct elf_file file;
    struct unwind_list list = {0};
    struct cache_key key = {.kind = "unwind"};
    cached = cached && identity_read(&key.identity, path);
    if (cached && load_cached(&key, rows))
        return 0;
    int result = elf_file_open(&file, path, err);
    if (result == 0 && read_table(&file, &list) != 0)
        result = error_set(err, ENOMEM, "%s: out of memory for its unwind table", path);
    *rows = (struct unwind_rows){list.items, list.count};
    elf_file_close(&file);
    const struct iovec bytes = {list.items, list.count * sizeof *list.items};
    if (result == 0 && cached)
        cache_store(&key, &bytes, 1);
    return result;
}
