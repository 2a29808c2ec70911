#include "debuginfo/elf/cfi_entries.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <stdlib.h>
#include <string.h>

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

static bool add_entry(struct cfi_entries *entries, uint64_t start, uint64_t end)
{
    uint32_t *starts = array_reserve(entries->starts, entries->count, &entries->room, sizeof *starts);
    if (!starts)
        return false;
    entries->starts = starts;
    if (start < UINT32_MAX)
        starts[entries->count++] = (uint32_t)start;
    return range_list_add(&entries->covered, start, end);
}

static bool list(Elf *elf, struct cfi_entries *entries)
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

bool cfi_entries_list(Elf *elf, struct cfi_entries *entries)
{
    bool listed = list(elf, entries);
    if (!listed)
        cfi_entries_release(entries);
    return listed;
}

uint64_t cfi_entries_next(const struct cfi_entries *entries, uint64_t address, uint64_t end)
{
    size_t low = 0, high = entries->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (entries->starts[middle] <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < entries->count && entries->starts[low] < end ? entries->starts[low] : end;
}

void cfi_entries_release(struct cfi_entries *entries)
{
    range_list_release(&entries->covered);
    free(entries->starts);
    *entries = (struct cfi_entries){0};
}
