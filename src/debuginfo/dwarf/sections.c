#include "debuginfo/dwarf/sections.h"

#include <gelf.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { GIVE_BACK_BYTES = 256 << 10 };

static void take(struct section *found, Elf_Scn *section)
{
    Elf_Data *data = elf_getdata(section, NULL);
    if (data && data->d_buf)
        *found = (struct section){data->d_buf, data->d_size};
}

void sections_find(struct sections *sections, Elf *elf)
{
    const struct {
        const char *name;
        struct section *section;
    } wanted[] = {
        {"debug_line", &sections->lines},
        {"debug_line_str", &sections->line_strings},
        {"debug_str", &sections->strings},
        {"debug_info", &sections->tree.info},
        {"debug_abbrev", &sections->tree.abbrevs},
        {"debug_ranges", &sections->tree.ranges},
        {"debug_rnglists", &sections->tree.range_lists},
        {"debug_addr", &sections->tree.addresses},
    };
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    size_t names;
    if (!elf || elf_getshdrstrndx(elf, &names) != 0)
        return;
    while ((section = elf_nextscn(elf, section))) {
        const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (!name || name[0] != '.' || header.sh_type == SHT_NOBITS)
            continue;
        name += name[1] == 'z' ? 2 : 1;
        size_t length = strlen(name);
        length -= length > 4 && strcmp(name + length - 4, ".dwo") == 0 ? 4 : 0;
        for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
            if (strlen(wanted[i].name) != length || memcmp(name, wanted[i].name, length) != 0)
                continue;
            take(wanted[i].section, section);
        }
    }
}

void sections_give_back(const struct sections *sections, const uint8_t *from, const uint8_t *to)
{
    const struct section *mapping = &sections->mapping;
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t start = ((uintptr_t)from + page - 1) / page * page, end = (uintptr_t)to / page * page;
    if (start < end && start >= (uintptr_t)mapping->bytes && end <= (uintptr_t)mapping->bytes + mapping->size)
        madvise((void *)start, end - start, MADV_DONTNEED);
}

void sections_give_back_all(const struct sections *sections)
{
    const struct section *mapping = &sections->mapping;
    sections_give_back(sections, mapping->bytes, mapping->bytes + mapping->size);
}

void sections_pass(const struct sections *sections, const uint8_t **passed, const uint8_t *at)
{
    if (at - *passed < GIVE_BACK_BYTES)
        return;
    sections_give_back(sections, *passed, at);
    *passed = at;
}

uint64_t sections_find_one(struct section *found, Elf *elf, const char *name)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    size_t names;
    if (!elf || elf_getshdrstrndx(elf, &names) != 0)
        return 0;
    uint64_t address = 0;
    while ((section = elf_nextscn(elf, section))) {
        const char *own = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (!own || header.sh_type == SHT_NOBITS || strcmp(own, name) != 0)
            continue;
        take(found, section);
        address = header.sh_addr;
    }
    return address;
}
