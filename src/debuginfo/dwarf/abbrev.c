#include "debuginfo/dwarf/abbrev.h"

#include <dwarf.h>
#include <stdlib.h>

enum { NOT_FIXED = -1, NOT_KNOWN = -2 };

/* Codes are given in order from 1; a table with gaps this large is broken. */
enum { CODE_LIMIT = 1 << 20 };

/* Bytes that a value of the form takes. */
static int form_size(uint64_t form, struct form_sizes sizes)
{
    switch (form) {
    case DW_FORM_flag_present:
    case DW_FORM_implicit_const:
        return 0;
    case DW_FORM_data1:
    case DW_FORM_ref1:
    case DW_FORM_flag:
    case DW_FORM_strx1:
    case DW_FORM_addrx1:
        return 1;
    case DW_FORM_data2:
    case DW_FORM_ref2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2:
        return 2;
    case DW_FORM_strx3:
    case DW_FORM_addrx3:
        return 3;
    case DW_FORM_data4:
    case DW_FORM_ref4:
    case DW_FORM_strx4:
    case DW_FORM_addrx4:
    case DW_FORM_ref_sup4:
        return 4;
    case DW_FORM_data8:
    case DW_FORM_ref8:
    case DW_FORM_ref_sig8:
    case DW_FORM_ref_sup8:
        return 8;
    case DW_FORM_data16:
        return 16;
    case DW_FORM_addr:
        return sizes.address;
    case DW_FORM_ref_addr:
        return sizes.version == 2 ? sizes.address : sizes.offset;
    case DW_FORM_strp:
    case DW_FORM_line_strp:
    case DW_FORM_strp_sup:
    case DW_FORM_sec_offset:
    case DW_FORM_GNU_ref_alt:
    case DW_FORM_GNU_strp_alt:
        return sizes.offset;
    case DW_FORM_string:
    case DW_FORM_udata:
    case DW_FORM_sdata:
    case DW_FORM_ref_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_loclistx:
    case DW_FORM_rnglistx:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index:
    case DW_FORM_block:
    case DW_FORM_block1:
    case DW_FORM_block2:
    case DW_FORM_block4:
    case DW_FORM_exprloc:
    case DW_FORM_indirect:
        return NOT_FIXED;
    default:
        return NOT_KNOWN;
    }
}

void form_skip(struct cursor *at, uint64_t form, struct form_sizes sizes)
{
    int size = form_size(form, sizes);
    if (size >= 0) {
        cursor_skip(at, (uint64_t)size);
        return;
    }
    switch (form) {
    case DW_FORM_string:
        cursor_string(at);
        break;
    case DW_FORM_block:
    case DW_FORM_exprloc:
        cursor_skip(at, cursor_uleb(at));
        break;
    case DW_FORM_block1:
        cursor_skip(at, cursor_number(at, 1));
        break;
    case DW_FORM_block2:
        cursor_skip(at, cursor_number(at, 2));
        break;
    case DW_FORM_block4:
        cursor_skip(at, cursor_number(at, 4));
        break;
    case DW_FORM_indirect:
        form = cursor_uleb(at);
        if (form == DW_FORM_indirect || form == DW_FORM_implicit_const)
            at->bad = true;
        else
            form_skip(at, form, sizes);
        break;
    default:
        at->bad |= size == NOT_KNOWN;
        cursor_uleb(at);
    }
}

uint64_t form_number(struct cursor *at, const struct abbrev_attribute *attribute, struct form_sizes sizes)
{
    int size = form_size(attribute->form, sizes);
    switch (attribute->form) {
    case DW_FORM_flag_present:
        return 1;
    case DW_FORM_implicit_const:
        return (uint64_t)attribute->constant;
    case DW_FORM_sdata:
        return (uint64_t)cursor_sleb(at);
    case DW_FORM_udata:
    case DW_FORM_ref_udata:
    case DW_FORM_addrx:
    case DW_FORM_strx:
    case DW_FORM_rnglistx:
    case DW_FORM_GNU_addr_index:
    case DW_FORM_GNU_str_index:
        return cursor_uleb(at);
    default:
        if (size > 0 && size <= 8)
            return cursor_number(at, (size_t)size);
        form_skip(at, attribute->form, sizes);
        return 0;
    }
}

static bool read_attributes(struct abbrev_table *table, struct abbrev *abbrev, struct cursor *at,
                            struct form_sizes sizes)
{
    uint64_t fixed = 0;
    abbrev->first = (uint32_t)table->attribute_count;
    for (;;) {
        uint64_t name = cursor_uleb(at), form = cursor_uleb(at);
        int64_t constant = form == DW_FORM_implicit_const ? cursor_sleb(at) : 0;
        if (at->bad || (name == 0 && form == 0))
            break;
        struct abbrev_attribute *list =
            array_reserve(table->attributes, table->attribute_count, &table->attribute_room, sizeof *list);
        if (!list)
            return false;
        table->attributes = list;
        list[table->attribute_count++] = (struct abbrev_attribute){
            .name = (uint16_t)name,
            .form = form <= UINT16_MAX ? (uint16_t)form : 0,
            .constant = constant,
        };
        int size = form_size(form, sizes);
        fixed = size < 0 || fixed == UINT32_MAX ? UINT32_MAX : fixed + (uint64_t)size;
    }
    abbrev->count = (uint32_t)table->attribute_count - abbrev->first;
    abbrev->fixed_size = (uint32_t)fixed;
    return true;
}

int abbrev_table_read(struct abbrev_table *table, const struct section *section, uint64_t offset,
                      struct form_sizes sizes)
{
    size_t room = 0;
    if (offset >= section->size)
        return UNIT_BAD;
    struct cursor at = {.at = section->bytes + offset, .end = section->bytes + section->size};
    for (;;) {
        uint64_t code = cursor_uleb(&at);
        if (at.bad || code >= CODE_LIMIT)
            return UNIT_BAD;
        if (code == 0)
            return UNIT_OK;
        while (table->count <= code) {
            struct abbrev *items = array_reserve(table->items, table->count, &room, sizeof *items);
            if (!items)
                return UNIT_NO_MEMORY;
            table->items = items;
            items[table->count++] = (struct abbrev){0};
        }
        struct abbrev *abbrev = &table->items[code];
        uint64_t tag = cursor_uleb(&at);
        *abbrev = (struct abbrev){.tag = tag < UINT32_MAX ? (uint32_t)tag : 0};
        abbrev->has_children = cursor_number(&at, 1);
        if (!read_attributes(table, abbrev, &at, sizes))
            return UNIT_NO_MEMORY;
    }
}

void abbrev_table_release(struct abbrev_table *table)
{
    free(table->items);
    free(table->attributes);
    *table = (struct abbrev_table){0};
}
