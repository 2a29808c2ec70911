#include "debuginfo/dwarf/package.h"

#include <elfutils/libdw.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

/* Columns of the index: numbers of sections. */
enum { COLUMN_INFO = 1, COLUMN_ABBREVS = 3, COLUMN_LINES = 4, COLUMN_RANGE_LISTS_5 = 8, COLUMNS = 16 };

void package_open(struct package *package, const char *path)
{
    char name[PATH_MAX];
    int length = snprintf(name, sizeof name, "%s.dwp", path);
    *package = (struct package){.fd = -1};
    if (length > 0 && (size_t)length < sizeof name)
        package->fd = open(name, O_RDONLY | O_CLOEXEC);
    if (package->fd < 0)
        return;
    package->elf = elf_begin(package->fd, ELF_C_READ_MMAP, NULL);
    /* A handle of libdw unpacks compressed sections, and is of no other use. */
    dwarf_end(package->elf ? dwarf_begin_elf(package->elf, DWARF_C_READ, NULL) : NULL);
    sections_find(&package->sections, package->elf);
    sections_find_one(&package->index, package->elf, ".debug_cu_index");
}

void package_close(struct package *package)
{
    elf_end(package->elf);
    if (package->fd >= 0)
        close(package->fd);
}

/* Where the parts of the index begin, and how large they are. */
struct index {
    const struct section *section;
    uint32_t version, columns, units, slots;
    uint64_t rows;    /* the hash table's second half: rows by slot */
    uint64_t ids;     /* a number for each column */
    uint64_t offsets; /* [units][columns] */
    uint64_t sizes;
};

static uint32_t number_at(const struct index *index, uint64_t offset)
{
    struct cursor at = section_from(index->section, offset);
    return (uint32_t)cursor_number(&at, 4);
}

static bool index_open(struct index *index, const struct section *section)
{
    struct cursor at = section_from(section, 0);
    *index = (struct index){.section = section};
    /* In DWARF 5 two bytes, and two that are 0. */
    index->version = (uint32_t)cursor_number(&at, 4);
    index->columns = (uint32_t)cursor_number(&at, 4);
    index->units = (uint32_t)cursor_number(&at, 4);
    index->slots = (uint32_t)cursor_number(&at, 4);
    if ((index->version != 2 && index->version != 5) || index->columns > COLUMNS || index->slots == 0 ||
        (index->slots & (index->slots - 1)) != 0)
        return false;
    index->rows = 16 + 8ull * index->slots;
    index->ids = index->rows + 4ull * index->slots;
    index->offsets = index->ids + 4ull * index->columns;
    index->sizes = index->offsets + 4ull * index->units * index->columns;
    return index->sizes + 4ull * index->units * index->columns <= section->size;
}

/* The row of the unit, from 1; 0 when it is not there. */
static uint32_t find_row(const struct index *index, uint64_t unit_id)
{
    uint32_t mask = index->slots - 1, at = (uint32_t)unit_id & mask,
             step = ((uint32_t)(unit_id >> 32) & mask) | 1;
    for (uint32_t tries = 0; tries < index->slots; tries++, at = (at + step) & mask) {
        struct cursor slot = section_from(index->section, 16 + 8ull * at);
        uint64_t id = cursor_number(&slot, 8);
        uint32_t row = number_at(index, index->rows + 4ull * at);
        if (id == unit_id && row > 0 && row <= index->units)
            return row;
        if (row == 0)
            return 0;
    }
    return 0;
}

static void cut(struct section *section, uint64_t offset, uint64_t size)
{
    if (offset > section->size || size > section->size - offset)
        *section = (struct section){0};
    else
        *section = (struct section){section->bytes + offset, size};
}

bool package_find(const struct package *package, uint64_t unit_id, struct sections *found)
{
    struct index index;
    if (!package->elf || !index_open(&index, &package->index))
        return false;
    uint32_t row = find_row(&index, unit_id);
    if (row == 0)
        return false;
    *found = package->sections;
    for (uint32_t column = 0; column < index.columns; column++) {
        uint64_t cell = 4 * ((row - 1ull) * index.columns + column);
        uint32_t offset = number_at(&index, index.offsets + cell),
                 size = number_at(&index, index.sizes + cell);
        uint32_t id = number_at(&index, index.ids + 4ull * column);
        if (id == COLUMN_INFO)
            cut(&found->tree.info, offset, size);
        else if (id == COLUMN_ABBREVS)
            cut(&found->tree.abbrevs, offset, size);
        else if (id == COLUMN_LINES)
            cut(&found->lines, offset, size);
        else if (id == COLUMN_RANGE_LISTS_5 && index.version == 5)
            cut(&found->tree.range_lists, offset, size);
    }
    return true;
}
