#include "debuginfo/elf/nameless.h"

#include "debuginfo/elf/cfi_entries.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sections of code that linkers make: stubs of calls to libraries, and what runs at the start and the end. */
static bool is_of_the_linker(const char *section)
{
    return strncmp(section, ".plt", 4) == 0 || strcmp(section, ".init") == 0 || strcmp(section, ".fini") == 0;
}

static bool list_linkers_code(Elf *elf, struct range_list *list)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    size_t names;
    if (elf_getshdrstrndx(elf, &names) != 0)
        return true;
    while ((section = elf_nextscn(elf, section))) {
        const char *name = gelf_getshdr(section, &header) ? elf_strptr(elf, names, header.sh_name) : NULL;
        if (name && is_of_the_linker(name) &&
            !range_list_add(list, header.sh_addr, header.sh_addr + header.sh_size))
            return false;
    }
    range_list_sort(list);
    return true;
}

/* Up to the next one, or to where no entry covers the code. */
static uint32_t find_end(const struct cfi_entries *entries, const struct range_list *code, uint32_t start)
{
    const struct range *covered = &entries->covered.items[range_list_search(&entries->covered, start)];
    const struct range *part = &code->items[range_list_search(code, start)];
    uint32_t end = covered->end < part->end ? covered->end : part->end;
    return (uint32_t)cfi_entries_next(entries, start, end);
}

static bool holds(const struct range_list *list, uint32_t address)
{
    return range_list_overlaps(list, address, address + 1);
}

bool nameless_list(struct elf_file *file, bool (*found)(void *context, uint32_t start, uint32_t end),
                   void *context)
{
    GElf_Addr bias;
    GElf_Ehdr header = {.e_entry = 0};
    Elf *elf = dwfl_module_getelf(file->module, &bias);
    struct cfi_entries entries = {0};
    struct range_list linkers = {0};
    if (!elf || !gelf_getehdr(elf, &header) || !cfi_entries_list(elf, &entries))
        return true;
    bool ok = list_linkers_code(elf, &linkers);
    for (size_t i = 0; ok && i < entries.count; i++) {
        uint32_t start = entries.starts[i];
        bool is_again = i > 0 && entries.starts[i - 1] == start;
        if (!is_again && start != header.e_entry && holds(&file->code, start) &&
            holds(&entries.covered, start) && !holds(&linkers, start))
            ok = found(context, start, find_end(&entries, &file->code, start));
    }
    range_list_release(&linkers);
    cfi_entries_release(&entries);
    return ok;
}

const char *nameless_file(const struct elf_file *file, char name[NAMELESS_FILE])
{
    char resolved[PATH_MAX];
    const char *path = realpath(file->path, resolved) ? resolved : file->path;
    snprintf(name, NAMELESS_FILE, "%.*s", NAMELESS_FILE - 1, basename(path));
    return name;
}

const char *nameless_name(const char *file_name, uint32_t start, char text[NAMELESS_NAME])
{
    snprintf(text, NAMELESS_NAME, "%s+%#" PRIx32, file_name, start);
    return text;
}
