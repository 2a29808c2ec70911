#include "debuginfo/debuginfo.h"

#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/elf_file.h"

/* DWARF's numbers for the registers of x86-64 */
enum { REGISTER_RBP = 6, REGISTER_RSP = 7, REGISTER_RETURN = 16 };

struct unwind_list {
    struct unwind_row *items;
    size_t count;
    size_t room;
};

/* Appends the row unless the last one says the same. */
static bool add_row(struct unwind_list *list, uint32_t start, struct unwind_row row)
{
    struct unwind_row *last = list->count ? &list->items[list->count - 1] : NULL;
    if (last && last->kind == row.kind && last->cfa_offset == row.cfa_offset &&
        last->fp_offset == row.fp_offset)
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

/* What the frame says, in the runtime's terms. *threshold is set for a PLT only. */
static struct unwind_row translate(Dwarf_Frame *frame, bool is_signal, unsigned *threshold)
{
    const struct unwind_row none = {.kind = UNWIND_NONE};
    Dwarf_Op *ops;
    size_t count;
    int64_t at, fp;
    if (is_signal)
        return (struct unwind_row){.kind = UNWIND_SIGNAL};
    if (!saved_at(frame, REGISTER_RETURN, &at) || at != -8 || dwarf_frame_cfa(frame, &ops, &count) != 0)
        return none;
    /* A saved register that cannot be found again is as good as one that was left alone. */
    if (!saved_at(frame, REGISTER_RBP, &fp) || fp < INT16_MIN || fp > INT16_MAX)
        fp = 0;
    if ((*threshold = plt_threshold(ops, count)) != 0)
        return (struct unwind_row){.kind = UNWIND_PLT, .fp_offset = (int16_t)fp};
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
    if ((reg != REGISTER_RSP && reg != REGISTER_RBP) || offset < INT32_MIN || offset > INT32_MAX)
        return none;
    return (struct unwind_row){.kind = reg == REGISTER_RSP ? UNWIND_RSP : UNWIND_RBP,
                               .fp_offset = (int16_t)fp,
                               .cfa_offset = (int32_t)offset};
}

/* The runtime knows the PLT of old, threshold 11; others (with endbr64 or bnd) are written out, two rows an
 * entry of 16 bytes. */
static bool add_plt(struct unwind_list *list, uint32_t start, uint32_t end, struct unwind_row row,
                    unsigned threshold)
{
    if (threshold == 11)
        return add_row(list, start, row);
    row.kind = UNWIND_RSP;
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

/* What .eh_frame covers. Without starts, it is not known where entries begin. */
struct entries {
    struct range_list covered;
    uint32_t *starts; /* sorted */
    size_t count;
    size_t room;
};

/* Where to go on after an address that libdw has no rows for. Inside an entry it means that the instructions
 * up to here are broken, and then they are for all that follows in it; a broken entry can cost libdw a tenth
 * of a second each time it is asked. */
static uint64_t next_start(const struct entries *entries, uint64_t at, uint64_t end)
{
    size_t low = 0, high = entries->count;
    if (entries->count == 0)
        return at + 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (entries->starts[middle] <= at)
            low = middle + 1;
        else
            high = middle;
    }
    return low < entries->count && entries->starts[low] < end ? entries->starts[low] : end;
}

static bool read_range(Dwarf_CFI *cfi, uint64_t bias, struct range range, const struct entries *entries,
                       struct unwind_list *list)
{
    for (uint64_t at = range.start; at < range.end;) {
        Dwarf_Frame *frame;
        Dwarf_Addr start = 0, end = 0;
        bool is_signal = false;
        unsigned threshold = 0;
        struct unwind_row row = {.kind = UNWIND_NONE};
        uint64_t next = at + 1;
        if (dwarf_cfi_addrframe(cfi, at + bias, &frame) == 0) {
            dwarf_frame_info(frame, &start, &end, &is_signal);
            row = translate(frame, is_signal, &threshold);
            free(frame);
            if (end - bias > at)
                next = end - bias < range.end ? end - bias : range.end;
        } else {
            next = next_start(entries, at, range.end);
        }
        if (threshold ? !add_plt(list, (uint32_t)at, (uint32_t)next, row, threshold)
                      : !add_row(list, (uint32_t)at, row))
            return false;
        at = next;
    }
    /* Up to the next range, or to the end of the address space */
    return add_row(list, range.end, (struct unwind_row){.kind = UNWIND_NONE});
}

/* The code that an entry covers. Only the encoding that every linker writes (a distance in 32 bits) is
 * understood; false for any other. */
static bool entry_range(const Dwarf_FDE *fde, const Dwarf_CIE *cie, const GElf_Shdr *header,
                        const Elf_Data *data, uint64_t *start, uint64_t *end)
{
    const uint8_t *section = data->d_buf;
    int32_t distance;
    uint32_t size;
    /* 'R', the encoding, is the last letter that has data: those that may follow it have none */
    if (cie->augmentation[0] != 'z' || !strchr(cie->augmentation, 'R') || cie->augmentation_data_size == 0 ||
        cie->augmentation_data[cie->augmentation_data_size - 1] != (DW_EH_PE_pcrel | DW_EH_PE_sdata4) ||
        fde->start < section || fde->start + sizeof distance + sizeof size > section + data->d_size)
        return false;
    memcpy(&distance, fde->start, sizeof distance);
    memcpy(&size, fde->start + sizeof distance, sizeof size);
    *start = header->sh_addr + (uint64_t)(fde->start - section) + (uint64_t)(int64_t)distance;
    *end = *start + size;
    return true;
}

static int compare_starts(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static bool add_entry(struct entries *entries, uint64_t start, uint64_t end)
{
    uint32_t *starts = array_reserve(entries->starts, entries->count, &entries->room, sizeof *starts);
    if (!starts)
        return false;
    entries->starts = starts;
    if (start < UINT32_MAX)
        starts[entries->count++] = (uint32_t)start;
    return range_list_add(&entries->covered, start, end);
}

/* libdw answers for an address, but not "where does the next entry begin", and trying every byte of code that
 * has none (85 ns each) adds up to a second on a large program built without. So the entries are listed
 * first. False when that cannot be done; then *entries is of no use. */
static bool list_entries(Elf *elf, struct entries *entries)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header = {0};
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return false;
    while ((section = elf_nextscn(elf, section))) {
        const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (name && strcmp(name, ".eh_frame") == 0)
            break;
    }
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    const unsigned char *ident = (const unsigned char *)elf_getident(elf, NULL);
    Dwarf_CFI_Entry entry, cie = {0};
    Dwarf_Off offset = 0, next, cie_offset = (Dwarf_Off)-1, ignored;
    uint64_t start, end;
    int result = -1;
    for (; data && (result = dwarf_next_cfi(ident, data, true, offset, &next, &entry)) == 0; offset = next) {
        if (dwarf_cfi_cie_p(&entry))
            continue;
        if (entry.fde.CIE_pointer != cie_offset) {
            cie_offset = entry.fde.CIE_pointer;
            if (dwarf_next_cfi(ident, data, true, cie_offset, &ignored, &cie) != 0 || !dwarf_cfi_cie_p(&cie))
                return false;
        }
        if (!entry_range(&entry.fde, &cie.cie, &header, data, &start, &end) ||
            !add_entry(entries, start, end))
            return false;
    }
    if (entries->count > 0)
        qsort(entries->starts, entries->count, sizeof *entries->starts, compare_starts);
    range_list_sort(&entries->covered);
    return result == 1;
}

static int read_table(struct elf_file *file, struct unwind_list *list)
{
    GElf_Ehdr header;
    GElf_Addr bias;
    Elf *elf = dwfl_module_getelf(file->module, &bias);
    if (!gelf_getehdr(elf, &header) || header.e_machine != EM_X86_64)
        return 0;
    Dwarf_CFI *cfi = dwfl_module_eh_cfi(file->module, &bias);
    struct entries entries = {0};
    struct range_list code = {0};
    bool ok = true;
    if (cfi && list_entries(elf, &entries)) {
        ok = range_list_intersect(&file->code, &entries.covered, &code);
    } else {
        entries.count = 0;
        if (!cfi)
            cfi = dwfl_module_dwarf_cfi(file->module, &bias);
        ok = range_list_intersect(&file->code, &file->code, &code);
    }
    for (size_t i = 0; cfi && ok && i < code.count; i++)
        ok = read_range(cfi, file->bias - bias, code.items[i], &entries, list);
    range_list_release(&entries.covered);
    range_list_release(&code);
    free(entries.starts);
    return ok ? 0 : -ENOMEM;
}

int debuginfo_load_unwind(const char *path, struct debuginfo *out, struct coz_error *err)
{
    struct elf_file file;
    struct unwind_list list = {0};
    int result = elf_file_open(&file, path, err);
    if (result == 0 && read_table(&file, &list) != 0)
        result = error_set(err, ENOMEM, "%s: out of memory for its unwind table", path);
    out->unwind = list.items;
    out->unwind_count = list.count;
    elf_file_close(&file);
    return result;
}
