#include "debuginfo/unwind/cfi_check.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/dwarf/sections.h"
#include "debuginfo/sets/ranges.h" /* array_reserve */

/* x86-64 has some 130. */
enum { REGISTER_LIMIT = 256 };

static bool register_is_sound(struct cursor *at)
{
    return cursor_uleb(at) < REGISTER_LIMIT;
}

/* One instruction. False for one that libdw would stop at anyway, too. */
static bool instruction_is_sound(struct cursor *at)
{
    uint64_t code = cursor_number(at, 1);
    switch (code & 0xc0) {
    case DW_CFA_offset:
        cursor_uleb(at);
        return true;
    case DW_CFA_advance_loc:
    case DW_CFA_restore:
        return true;
    default:
        break;
    }
    switch (code) {
    case DW_CFA_nop:
    case DW_CFA_remember_state:
    case DW_CFA_restore_state:
        return true;
    case DW_CFA_advance_loc1:
        cursor_skip(at, 1);
        return true;
    case DW_CFA_advance_loc2:
        cursor_skip(at, 2);
        return true;
    case DW_CFA_advance_loc4:
        cursor_skip(at, 4);
        return true;
    case DW_CFA_def_cfa_offset:
    case DW_CFA_def_cfa_offset_sf:
    case DW_CFA_GNU_args_size:
        cursor_uleb(at);
        return true;
    case DW_CFA_def_cfa_expression:
        cursor_skip(at, cursor_uleb(at));
        return true;
    case DW_CFA_restore_extended:
    case DW_CFA_undefined:
    case DW_CFA_same_value:
    case DW_CFA_def_cfa_register:
        return register_is_sound(at);
    case DW_CFA_register:
        return register_is_sound(at) && register_is_sound(at);
    case DW_CFA_offset_extended:
    case DW_CFA_offset_extended_sf:
    case DW_CFA_def_cfa:
    case DW_CFA_def_cfa_sf:
    case DW_CFA_val_offset:
    case DW_CFA_val_offset_sf:
    case DW_CFA_GNU_negative_offset_extended:
        if (!register_is_sound(at))
            return false;
        cursor_uleb(at);
        return true;
    case DW_CFA_expression:
    case DW_CFA_val_expression:
        if (!register_is_sound(at))
            return false;
        cursor_skip(at, cursor_uleb(at));
        return true;
    default: /* also DW_CFA_set_loc, which compilers for this machine do not write */
        return false;
    }
}

static bool are_sound(const uint8_t *begin, const uint8_t *end)
{
    struct cursor at = {.at = begin, .end = end};
    while (at.at < at.end)
        if (!instruction_is_sound(&at) || at.bad)
            return false;
    return true;
}

/* Bytes of a pointer in that encoding; 0 for those that vary. */
static size_t pointer_size(uint8_t encoding)
{
    switch (encoding & 0x07) {
    case DW_EH_PE_absptr:
    case DW_EH_PE_udata8:
        return 8;
    case DW_EH_PE_udata2:
        return 2;
    case DW_EH_PE_udata4:
        return 4;
    default:
        return 0;
    }
}

/* How the CIE says that its entries give their addresses. False for an augmentation that is not known. */
static bool find_encoding(const Dwarf_CIE *cie, uint8_t *encoding)
{
    struct cursor data = {.at = cie->augmentation_data,
                          .end = cie->augmentation_data ? cie->augmentation_data + cie->augmentation_data_size
                                                        : NULL};
    *encoding = DW_EH_PE_absptr;
    if (cie->augmentation[0] == '\0')
        return true;
    if (cie->augmentation[0] != 'z')
        return false;
    for (const char *letter = cie->augmentation + 1; *letter && !data.bad; letter++) {
        if (*letter == 'R')
            *encoding = (uint8_t)cursor_number(&data, 1);
        else if (*letter == 'L')
            cursor_number(&data, 1);
        else if (*letter == 'P')
            cursor_skip(&data, pointer_size((uint8_t)cursor_number(&data, 1)));
        else if (*letter != 'S' && *letter != 'B')
            return false;
    }
    return !data.bad;
}

static bool cie_is_sound(const Dwarf_CIE *cie)
{
    return cie->return_address_register < REGISTER_LIMIT &&
           are_sound(cie->initial_instructions, cie->initial_instructions_end);
}

static bool fde_is_sound(const Dwarf_FDE *fde, const Dwarf_CIE *cie)
{
    struct cursor at = {.at = fde->start, .end = fde->end};
    uint8_t encoding;
    if (!find_encoding(cie, &encoding) || pointer_size(encoding) == 0)
        return false;
    cursor_skip(&at, 2 * pointer_size(encoding));
    if (cie->augmentation[0] == 'z')
        cursor_skip(&at, cursor_uleb(&at));
    return !at.bad && are_sound(at.at, at.end);
}

struct offsets {
    uint64_t *items; /* where entries of code begin, ascending */
    size_t count, room;
};

static bool entries_are_sound(const unsigned char *ident, Elf_Data *data, bool is_eh, struct offsets *offsets)
{
    Dwarf_CFI_Entry entry, cie = {0};
    Dwarf_Off offset = 0, next, cie_offset = (Dwarf_Off)-1, ignored;
    int result;
    for (; (result = dwarf_next_cfi(ident, data, is_eh, offset, &next, &entry)) == 0; offset = next) {
        if (dwarf_cfi_cie_p(&entry)) {
            if (!cie_is_sound(&entry.cie))
                return false;
            continue;
        }
        if (entry.fde.CIE_pointer != cie_offset) {
            cie_offset = entry.fde.CIE_pointer;
            if (dwarf_next_cfi(ident, data, is_eh, cie_offset, &ignored, &cie) != 0 ||
                !dwarf_cfi_cie_p(&cie) || !cie_is_sound(&cie.cie))
                return false;
        }
        if (!fde_is_sound(&entry.fde, &cie.cie))
            return false;
        uint64_t *items = array_reserve(offsets->items, offsets->count, &offsets->room, sizeof *items);
        if (!items)
            return false;
        offsets->items = items;
        items[offsets->count++] = offset;
    }
    return result == 1;
}

static int compare_offsets(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

/* The header is a sorted table, by which libdw finds entries: each must be one that was looked at. Linkers
 * all write it in one form. */
static bool table_is_sound(Elf *elf, uint64_t frame_address, const struct offsets *offsets)
{
    static const uint8_t form[] = {1, DW_EH_PE_pcrel | DW_EH_PE_sdata4, DW_EH_PE_udata4,
                                   DW_EH_PE_datarel | DW_EH_PE_sdata4};
    struct section table = {0};
    uint64_t address = sections_find_one(&table, elf, ".eh_frame_hdr");
    struct cursor at = section_from(&table, 0);
    if (table.size == 0)
        return true;
    if (table.size < sizeof form || memcmp(table.bytes, form, sizeof form) != 0)
        return false;
    cursor_skip(&at, sizeof form + 4);
    for (uint64_t left = cursor_number(&at, 4); left > 0 && !at.bad; left--) {
        cursor_skip(&at, 4);
        uint64_t offset = address + (uint64_t)(int64_t)(int32_t)cursor_number(&at, 4) - frame_address;
        if (!at.bad && (offsets->count == 0 ||
                        !bsearch(&offset, offsets->items, offsets->count, sizeof offset, compare_offsets)))
            return false;
    }
    return !at.bad;
}

bool cfi_is_sound(Elf *elf, const char *name)
{
    struct section section = {0};
    struct offsets offsets = {0};
    uint64_t address = sections_find_one(&section, elf, name);
    bool is_eh = strcmp(name, ".eh_frame") == 0;
    Elf_Data data = {.d_buf = (void *)(uintptr_t)section.bytes,
                     .d_size = section.size,
                     .d_type = ELF_T_BYTE,
                     .d_version = EV_CURRENT};
    bool sound = section.size > 0 &&
                 entries_are_sound((const unsigned char *)elf_getident(elf, NULL), &data, is_eh, &offsets) &&
                 (!is_eh || table_is_sound(elf, address, &offsets));
    free(offsets.items);
    return sound;
}
