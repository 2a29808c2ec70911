#include "debuginfo/dwarf/tree.h"

#include <dwarf.h>
#include <stdlib.h>

bool tree_tag_is_code(uint32_t tag)
{
    return tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine;
}

bool tree_tag_is_scope(uint32_t tag)
{
    switch (tag) {
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_enumeration_type:
    case DW_TAG_compile_unit:
    case DW_TAG_partial_unit:
        return true;
    default:
        return false;
    }
}

int tree_open(struct tree *tree, uint64_t offset)
{
    const struct section *info = &tree->sections.info;
    if (offset >= info->size)
        return UNIT_BAD;
    struct cursor at = {.at = info->bytes + offset, .end = info->bytes + info->size};
    tree->sizes.offset = 4;
    uint64_t length = cursor_number(&at, 4), type = DW_UT_compile;
    if (length == UINT32_MAX) {
        length = cursor_number(&at, 8);
        tree->sizes.offset = 8;
    }
    if (at.bad || length > cursor_left(&at))
        return UNIT_BAD;
    at.end = at.at + length;
    uint64_t version = cursor_number(&at, 2), abbrevs;
    if (version < 2 || version > 5)
        return UNIT_BAD;
    tree->sizes.version = (uint8_t)version;
    if (version == 5) {
        type = cursor_number(&at, 1);
        tree->sizes.address = (uint8_t)cursor_number(&at, 1);
        abbrevs = cursor_number(&at, tree->sizes.offset);
        if (type == DW_UT_skeleton || type == DW_UT_split_compile)
            cursor_skip(&at, 8);
    } else {
        abbrevs = cursor_number(&at, tree->sizes.offset);
        tree->sizes.address = (uint8_t)cursor_number(&at, 1);
    }
    if (at.bad || tree->sizes.address == 0 || tree->sizes.address > 8)
        return UNIT_BAD;
    tree->header = offset;
    tree->unit = at;
    int result = abbrev_table_read(&tree->abbrevs, &tree->sections.abbrevs, abbrevs, tree->sizes);
    for (size_t i = 0; i < tree->abbrevs.count; i++) {
        struct abbrev *abbrev = &tree->abbrevs.items[i];
        abbrev->wanted = tree_tag_is_code(abbrev->tag);
        for (uint32_t j = 0; j < abbrev->count; j++)
            abbrev->wanted |=
                abbrev->has_children && tree->abbrevs.attributes[abbrev->first + j].name == DW_AT_sibling;
    }
    return result;
}

void tree_release(struct tree *tree)
{
    abbrev_table_release(&tree->abbrevs);
}

static uint64_t address_at(const struct tree *tree, uint64_t index)
{
    const struct section *section = &tree->sections.addresses;
    uint64_t at = tree->address_base + index * tree->sizes.address, address = 0;
    if (index > section->size || at > section->size || section->size - at < tree->sizes.address)
        return 0;
    memcpy(&address, section->bytes + at, tree->sizes.address);
    return address;
}

static bool is_address_index(uint64_t form)
{
    return form == DW_FORM_addrx || (form >= DW_FORM_addrx1 && form <= DW_FORM_addrx4) ||
           form == DW_FORM_GNU_addr_index;
}

static uint64_t read_address(const struct tree *tree, struct cursor *at,
                             const struct abbrev_attribute *attribute)
{
    uint64_t number = form_number(at, attribute, tree->sizes);
    return is_address_index(attribute->form) ? address_at(tree, number) : number;
}

static void read_attribute(const struct tree *tree, struct cursor *at,
                           const struct abbrev_attribute *attribute, struct tree_entry *entry)
{
    switch (attribute->name) {
    case DW_AT_low_pc:
        entry->has_low = true;
        entry->low = read_address(tree, at, attribute);
        break;
    case DW_AT_high_pc:
        entry->has_high = true;
        entry->high_is_size = attribute->form != DW_FORM_addr && !is_address_index(attribute->form);
        entry->high = read_address(tree, at, attribute);
        break;
    case DW_AT_ranges:
        entry->has_ranges = true;
        entry->ranges_is_index = attribute->form == DW_FORM_rnglistx;
        entry->ranges = form_number(at, attribute, tree->sizes);
        break;
    case DW_AT_call_file:
        entry->call_file = form_number(at, attribute, tree->sizes);
        break;
    case DW_AT_call_line:
        entry->call_line = form_number(at, attribute, tree->sizes);
        break;
    case DW_AT_sibling:
        entry->sibling = form_number(at, attribute, tree->sizes);
        entry->sibling += attribute->form == DW_FORM_ref_addr ? 0 : tree->header;
        break;
    default:
        form_skip(at, attribute->form, tree->sizes);
    }
}

bool tree_next(const struct tree *tree, struct cursor *at, struct tree_entry *entry)
{
    *entry = (struct tree_entry){0};
    if (at->at >= at->end)
        return false;
    uint64_t code = cursor_uleb(at);
    if (code == 0)
        return !at->bad;
    const struct abbrev *abbrev = code < tree->abbrevs.count ? &tree->abbrevs.items[code] : NULL;
    if (!abbrev || abbrev->tag == 0)
        return false;
    entry->tag = abbrev->tag;
    entry->has_children = abbrev->has_children;
    if (!abbrev->wanted && abbrev->fixed_size != UINT32_MAX) {
        cursor_skip(at, abbrev->fixed_size);
        return !at->bad;
    }
    const struct abbrev_attribute *attribute = &tree->abbrevs.attributes[abbrev->first];
    for (uint32_t i = 0; i < abbrev->count; i++, attribute++) {
        if (abbrev->wanted)
            read_attribute(tree, at, attribute, entry);
        else
            form_skip(at, attribute->form, tree->sizes);
    }
    return !at->bad;
}

bool tree_skip_children(const struct tree *tree, struct cursor *at, const struct tree_entry *entry)
{
    if (!entry->has_children)
        return true;
    uint64_t here = (uint64_t)(at->at - tree->sections.info.bytes);
    uint64_t end = (uint64_t)(at->end - tree->sections.info.bytes);
    if (entry->sibling >= here && entry->sibling <= end) {
        at->at = tree->sections.info.bytes + entry->sibling;
        return true;
    }
    struct tree_entry below;
    for (size_t depth = 1; depth > 0;) {
        if (!tree_next(tree, at, &below))
            return false;
        if (below.tag == 0) {
            depth--;
        } else if (below.has_children) {
            here = (uint64_t)(at->at - tree->sections.info.bytes);
            if (below.sibling >= here && below.sibling <= end)
                at->at = tree->sections.info.bytes + below.sibling;
            else
                depth++;
        }
    }
    return true;
}

struct adding {
    bool (*add)(void *context, struct tree_range range);
    void *context;
};

static bool add(const struct adding *adding, uint64_t start, uint64_t end)
{
    return start >= end || adding->add(adding->context, (struct tree_range){start, end});
}

/* DWARF 2 to 4 */
static bool old_ranges(const struct tree *tree, uint64_t offset, const struct adding *adding)
{
    struct cursor at = section_from(&tree->sections.ranges, offset);
    uint64_t base = tree->low_pc, all_ones = UINT64_MAX >> (64 - 8 * tree->sizes.address);
    for (bool ok = true; ok;) {
        uint64_t start = cursor_number(&at, tree->sizes.address);
        uint64_t end = cursor_number(&at, tree->sizes.address);
        if (at.bad || (start == 0 && end == 0))
            return true;
        if (start == all_ones)
            base = end;
        else
            ok = add(adding, base + start, base + end);
    }
    return false;
}

/* DWARF 5 */
static bool new_ranges(const struct tree *tree, uint64_t offset, const struct adding *adding)
{
    struct cursor at = section_from(&tree->sections.range_lists, offset);
    size_t size = tree->sizes.address;
    uint64_t base = tree->low_pc, start;
    for (bool ok = true; ok;) {
        uint64_t kind = cursor_number(&at, 1);
        if (at.bad)
            return true;
        switch (kind) {
        case DW_RLE_base_addressx:
            base = address_at(tree, cursor_uleb(&at));
            break;
        case DW_RLE_startx_endx:
            start = address_at(tree, cursor_uleb(&at));
            ok = add(adding, start, address_at(tree, cursor_uleb(&at)));
            break;
        case DW_RLE_startx_length:
            start = address_at(tree, cursor_uleb(&at));
            ok = add(adding, start, start + cursor_uleb(&at));
            break;
        case DW_RLE_offset_pair:
            start = base + cursor_uleb(&at);
            ok = add(adding, start, base + cursor_uleb(&at));
            break;
        case DW_RLE_base_address:
            base = cursor_number(&at, size);
            break;
        case DW_RLE_start_end:
            start = cursor_number(&at, size);
            ok = add(adding, start, cursor_number(&at, size));
            break;
        case DW_RLE_start_length:
            start = cursor_number(&at, size);
            ok = add(adding, start, start + cursor_uleb(&at));
            break;
        default: /* the end of the list, or nothing that is known */
            return true;
        }
    }
    return false;
}

/* The offset of a range list that an index names. */
static uint64_t indexed_list(const struct tree *tree, uint64_t index)
{
    const struct section *section = &tree->sections.range_lists;
    uint64_t at = tree->range_base + index * tree->sizes.offset, offset = 0;
    if (index > section->size || at > section->size || section->size - at < tree->sizes.offset)
        return UINT64_MAX;
    memcpy(&offset, section->bytes + at, tree->sizes.offset);
    return tree->range_base + offset;
}

bool tree_ranges(const struct tree *tree, const struct tree_entry *entry,
                 bool (*found)(void *context, struct tree_range range), void *context)
{
    const struct adding adding = {found, context};
    if (entry->has_low && entry->has_high)
        return add(&adding, entry->low, entry->high_is_size ? entry->low + entry->high : entry->high);
    if (!entry->has_ranges)
        return true;
    uint64_t offset = entry->ranges_is_index    ? indexed_list(tree, entry->ranges)
                      : tree->sizes.version < 5 ? entry->ranges + tree->range_base
                                                : entry->ranges;
    return tree->sizes.version >= 5 ? new_ranges(tree, offset, &adding) : old_ranges(tree, offset, &adding);
}
