#include <dwarf.h>
#include <elfutils/libdw.h>

#include "debuginfo/dwarf/package.h"
#include "debuginfo/dwarf/tree.h"

/* DWARF 5: what stands before the first offset of a table of lists. A split unit does not say where its own
 * begins, because it has the only one. */
enum { LISTS_HEADER = 12, LISTS_HEADER_64 = 20 };

static uint64_t attribute_of(const struct unit *unit, unsigned name, unsigned old_name)
{
    Dwarf_Attribute attribute;
    Dwarf_Die die = unit->die;
    Dwarf_Word value = 0;
    if (dwarf_formudata(dwarf_attr(&die, name, &attribute), &value) != 0 && old_name)
        dwarf_formudata(dwarf_attr(&die, old_name, &attribute), &value);
    return value;
}

/* Where the unit begins that has the entry at the offset. */
static uint64_t find_header(const struct section *info, uint64_t entry)
{
    uint64_t header = 0;
    struct cursor at = section_from(info, 0);
    while (!at.bad && at.at < at.end) {
        header = (uint64_t)(at.at - info->bytes);
        uint64_t length = cursor_number(&at, 4);
        cursor_skip(&at, length == UINT32_MAX ? cursor_number(&at, 8) : length);
        if (entry < (uint64_t)(at.at - info->bytes))
            return header;
    }
    return UINT64_MAX;
}

bool unit_find_split(struct unit *unit, const struct package *package, uint64_t unit_id)
{
    if (unit->tree.addr) {
        unit->is_split = true;
        sections_find(&unit->split, dwarf_getelf(dwarf_cu_getdwarf(unit->tree.cu)));
        unit->split_header = find_header(&unit->split.tree.info, dwarf_dieoffset(&unit->tree));
    } else {
        unit->is_split = package_find(package, unit_id, &unit->split);
        unit->split_header = 0;
        unit->tree = unit->die;
    }
    return unit->is_split;
}

int tree_open_unit(struct tree *tree, const struct unit *unit)
{
    Dwarf_Addr low = 0;
    Dwarf_Die die = unit->die;
    *tree = (struct tree){.sections = unit->sections->tree};
    if (dwarf_lowpc(&die, &low) == 0)
        tree->low_pc = low;
    tree->address_base = attribute_of(unit, DW_AT_addr_base, DW_AT_GNU_addr_base);
    if (!unit->is_split) {
        tree->range_base = attribute_of(unit, DW_AT_rnglists_base, 0);
        return tree_open(tree, unit->header);
    }
    tree->sections.info = unit->split.tree.info;
    tree->sections.abbrevs = unit->split.tree.abbrevs;
    tree->sections.range_lists = unit->split.tree.range_lists;
    tree->range_base = attribute_of(unit, DW_AT_GNU_ranges_base, 0);
    int result = tree_open(tree, unit->split_header);
    if (result == UNIT_OK && tree->sizes.version >= 5)
        tree->range_base = tree->sizes.offset == 8 ? LISTS_HEADER_64 : LISTS_HEADER;
    return result;
}
