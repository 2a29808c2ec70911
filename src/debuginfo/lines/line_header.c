#include "debuginfo/lines/line_header.h"

#include <dwarf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* More than any compiler writes; what a broken header can make us allocate. */
enum { NAMES_LIMIT = 1 << 20 };

struct reading {
    const struct unit *unit;
    struct cursor at;
    size_t offset_size; /* 4, or 8 in 64-bit DWARF */
    struct source_table *sources;
    struct file_map *files;
    size_t file_room;
    const char **directories;
    size_t directory_count, directory_room;
};

static bool add_directory(struct reading *reading, const char *name)
{
    const char **list =
        array_reserve(reading->directories, reading->directory_count, &reading->directory_room, sizeof *list);
    if (!list)
        return false;
    reading->directories = list;
    list[reading->directory_count++] = name;
    return true;
}

/* What a name table says of one name. */
struct entry {
    const char *name;
    uint64_t directory;
    const uint8_t *md5; /* NULL: not told */
};

static bool add_file(struct reading *reading, const struct entry *entry)
{
    const char *name = entry->name;
    uint64_t directory = entry->directory;
    char path[3 * PATH_MAX];
    struct file_map *map = reading->files;
    const char *base = reading->directory_count ? reading->directories[0] : NULL;
    const char *below = directory < reading->directory_count ? reading->directories[directory] : NULL;
    uint32_t *list = array_reserve(map->sources, map->count, &reading->file_room, sizeof *list);
    if (!list)
        return false;
    map->sources = list;
    int length;
    if (name[0] == '/' || !below || !*below)
        length = snprintf(path, sizeof path, "%s", name);
    else if (below[0] == '/' || !base || !*base || directory == 0)
        length = snprintf(path, sizeof path, "%s/%s", below, name);
    else
        length = snprintf(path, sizeof path, "%s/%s/%s", base, below, name);
    bool fits = length > 0 && (size_t)length < sizeof path;
    uint32_t source = fits && *name ? source_table_add(reading->sources, path, reading->unit->directory) : 0;
    list[map->count++] = source;
    if (source && entry->md5)
        source_note_md5(&reading->sources->items[source], entry->md5);
    map->any_in_scope |= reading->sources->items[source].in_scope;
    return true;
}

/* Up to DWARF 4: two lists of strings that end with an empty one. */
static int read_old_names(struct reading *reading)
{
    bool ok =
        add_directory(reading, reading->unit->directory) && add_file(reading, &(struct entry){.name = ""});
    while (ok && !reading->at.bad && reading->at.at < reading->at.end && *reading->at.at)
        ok = add_directory(reading, cursor_string(&reading->at));
    cursor_skip(&reading->at, 1);
    while (ok && !reading->at.bad && reading->at.at < reading->at.end && *reading->at.at) {
        const char *name = cursor_string(&reading->at);
        uint64_t directory = cursor_uleb(&reading->at);
        cursor_uleb(&reading->at); /* time */
        cursor_uleb(&reading->at); /* length */
        ok = add_file(reading, &(struct entry){name, directory, NULL});
    }
    cursor_skip(&reading->at, 1);
    return ok ? UNIT_OK : UNIT_NO_MEMORY;
}

static const char *string_at(const struct section *section, uint64_t offset, bool *bad)
{
    if (offset < section->size && memchr(section->bytes + offset, 0, section->size - offset))
        return (const char *)section->bytes + offset;
    *bad = true;
    return "";
}

/* The value of an attribute of a name: a string, a number, or 16 bytes. */
static void read_form(struct reading *reading, uint64_t form, const char **string, uint64_t *number,
                      const uint8_t **sixteen)
{
    struct cursor *at = &reading->at;
    const struct sections *sections = reading->unit->sections;
    switch (form) {
    case DW_FORM_string:
        *string = cursor_string(at);
        break;
    case DW_FORM_line_strp:
        *string = string_at(&sections->line_strings, cursor_number(at, reading->offset_size), &at->bad);
        break;
    case DW_FORM_strp:
        *string = string_at(&sections->strings, cursor_number(at, reading->offset_size), &at->bad);
        break;
    case DW_FORM_udata:
        *number = cursor_uleb(at);
        break;
    case DW_FORM_data1:
    case DW_FORM_data2:
    case DW_FORM_data4:
    case DW_FORM_data8:
        *number = cursor_number(at, form == DW_FORM_data1   ? 1
                                    : form == DW_FORM_data2 ? 2
                                    : form == DW_FORM_data4 ? 4
                                                            : 8);
        break;
    case DW_FORM_data16:
        *sixteen = cursor_left(at) >= 16 ? at->at : NULL;
        cursor_skip(at, 16);
        break;
    case DW_FORM_block:
        cursor_skip(at, cursor_uleb(at));
        break;
    default:
        at->bad = true;
    }
}

/* DWARF 5: a description of what there is of each name, then the names. Once for directories, once for files.
 */
static int read_names(struct reading *reading, bool are_files)
{
    struct {
        uint64_t content, form;
    } formats[UINT8_MAX];
    size_t format_count = cursor_number(&reading->at, 1);
    for (size_t i = 0; i < format_count; i++) {
        formats[i].content = cursor_uleb(&reading->at);
        formats[i].form = cursor_uleb(&reading->at);
    }
    uint64_t count = cursor_uleb(&reading->at);
    if (count > NAMES_LIMIT || (count > 0 && format_count == 0))
        reading->at.bad = true;
    for (uint64_t i = 0; i < count && !reading->at.bad; i++) {
        struct entry entry = {.name = ""};
        for (size_t j = 0; j < format_count; j++) {
            const char *string = NULL;
            uint64_t number = 0;
            const uint8_t *sixteen = NULL;
            read_form(reading, formats[j].form, &string, &number, &sixteen);
            if (formats[j].content == DW_LNCT_path && string)
                entry.name = string;
            else if (formats[j].content == DW_LNCT_directory_index)
                entry.directory = number;
            else if (formats[j].content == DW_LNCT_MD5)
                entry.md5 = sixteen;
        }
        if (!(are_files ? add_file(reading, &entry) : add_directory(reading, entry.name)))
            return UNIT_NO_MEMORY;
    }
    return UNIT_OK;
}

int line_header_read(struct line_header *header, const struct unit *unit, uint64_t offset,
                     struct source_table *sources, struct file_map *files, const char **why)
{
    const struct section *section = &unit->sections->lines;
    struct reading reading = {.unit = unit, .sources = sources, .files = files, .offset_size = 4};
    struct cursor *at = &reading.at;
    *why = "its line table is cut off";
    if (offset >= section->size)
        return UNIT_BAD;
    *at = (struct cursor){.at = section->bytes + offset, .end = section->bytes + section->size};
    uint64_t length = cursor_number(at, 4);
    if (length == UINT32_MAX) {
        length = cursor_number(at, 8);
        reading.offset_size = 8;
    }
    if (at->bad || length > cursor_left(at))
        return UNIT_BAD;
    at->end = at->at + length;
    uint64_t version = cursor_number(at, 2);
    if (version < 2 || version > 5) {
        *why = "its line table is of a version that is not known";
        return UNIT_BAD;
    }
    header->address_size = 8;
    if (version == 5) {
        header->address_size = (uint8_t)cursor_number(at, 1);
        cursor_number(at, 1); /* size of a segment selector */
    }
    uint64_t header_length = cursor_number(at, reading.offset_size);
    if (header_length > cursor_left(at))
        return UNIT_BAD;
    header->program = (struct cursor){.at = at->at + header_length, .end = at->end};
    header->least_length = (uint8_t)cursor_number(at, 1);
    if (version >= 4)
        cursor_number(at, 1); /* operations in an instruction: 1 on this machine */
    cursor_number(at, 1);     /* whether rows are statements */
    header->line_base = (int8_t)cursor_number(at, 1);
    header->line_range = (uint8_t)cursor_number(at, 1);
    header->opcode_base = (uint8_t)cursor_number(at, 1);
    header->opcode_lengths = at->at;
    *why = "the header of its line table is broken";
    if (header->opcode_base == 0 || header->line_range == 0)
        return UNIT_BAD;
    cursor_skip(at, header->opcode_base - 1u);
    int result = version == 5 ? read_names(&reading, false) : read_old_names(&reading);
    if (result == UNIT_OK && version == 5)
        result = read_names(&reading, true);
    free(reading.directories);
    return result == UNIT_OK && at->bad ? UNIT_BAD : result;
}
