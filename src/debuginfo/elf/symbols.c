#include "debuginfo/elf/symbols.h"

#include <stdlib.h>
#include <string.h>

#include "debuginfo/elf/nameless.h"
#include "debuginfo/names/function_name.h"

struct symbol {
    uint32_t start, end; /* end 0: not said */
    uint32_t name;       /* in the names */
    uint8_t rank;
};

struct symbol_list {
    struct symbol *items;
    size_t count, room;
};

/* Every program has them, and all of its time is below some. */
static bool is_of_the_runtime(const char *name)
{
    static const char *const names[] = {"_start",
                                        "_init",
                                        "_fini",
                                        "frame_dummy",
                                        "register_tm_clones",
                                        "deregister_tm_clones",
                                        "__do_global_dtors_aux",
                                        "_dl_relocate_static_pie",
                                        "__libc_csu_init",
                                        "__libc_csu_fini"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

/* Of several names for the same code the one that everybody may use. */
static uint8_t rank_of(unsigned char info)
{
    switch (GELF_ST_BIND(info)) {
    case STB_GLOBAL:
    case STB_GNU_UNIQUE:
        return 4;
    case STB_WEAK:
        return 3;
    default:
        return 2;
    }
}

static bool add_symbol(struct symbol_list *list, struct symbol symbol)
{
    struct symbol *items = array_reserve(list->items, list->count, &list->room, sizeof *items);
    if (!items)
        return false;
    list->items = items;
    items[list->count++] = symbol;
    return true;
}

static bool list_symbols(struct elf_file *file, struct strings *names, struct symbol_list *list)
{
    int count = dwfl_module_getsymtab(file->module);
    const char *source = NULL; /* of the local symbols that follow */
    for (int i = 1; i < count; i++) {
        GElf_Sym symbol;
        GElf_Addr address;
        GElf_Word section;
        const char *name = dwfl_module_getsym_info(file->module, i, &symbol, &address, &section, NULL, NULL);
        int type = name ? GELF_ST_TYPE(symbol.st_info) : STT_NOTYPE;
        if (type == STT_FILE)
            source = name;
        if ((type != STT_FUNC && type != STT_GNU_IFUNC) || section == SHN_UNDEF || !*name ||
            is_of_the_runtime(name))
            continue;
        uint64_t start = address - file->bias, end = start + symbol.st_size;
        size_t part = range_list_search(&file->code, (uint32_t)start);
        if (start >= UINT32_MAX || part == file->code.count || file->code.items[part].start > start)
            continue;
        bool local = GELF_ST_BIND(symbol.st_info) == STB_LOCAL;
        char *text = function_name_make(name, NULL, local && source && *source ? source : NULL);
        if (!text)
            return false;
        struct symbol found = {.start = (uint32_t)start,
                               .end = end > UINT32_MAX ? UINT32_MAX : (uint32_t)end,
                               .name = strings_add(names, text),
                               .rank = rank_of(symbol.st_info)};
        if (symbol.st_size == 0)
            found.end = 0;
        free(text);
        if (!found.name || !add_symbol(list, found))
            return false;
    }
    return true;
}

static int compare_symbols(const void *left, const void *right)
{
    const struct symbol *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank > b->rank ? -1 : 1;
    return (a->name > b->name) - (a->name < b->name);
}

/* Of those at the same address the first counts; one without a size goes on to the next symbol. */
static bool cover_symbols(const struct elf_file *file, const struct symbol_list *list,
                          struct cover_list *covers)
{
    for (size_t i = 0, next; i < list->count; i = next) {
        const struct symbol *symbol = &list->items[i];
        uint32_t end = symbol->end;
        for (next = i; next < list->count && list->items[next].start == symbol->start; next++)
            end = list->items[next].end > end ? list->items[next].end : end;
        const struct range *part = &file->code.items[range_list_search(&file->code, symbol->start)];
        if (end == 0)
            end = next < list->count && list->items[next].start < part->end ? list->items[next].start
                                                                            : part->end;
        end = end < part->end ? end : part->end;
        if (!cover_add(covers, symbol->start, end, symbol->name, symbol->rank))
            return false;
    }
    return true;
}

/* Whether the section is there, in any of the files that libdwfl looks at. */
static bool has_section(Elf *elf, GElf_Word type)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    while (elf && (section = elf_nextscn(elf, section)))
        if (gelf_getshdr(section, &header) && header.sh_type == type && header.sh_size > 0)
            return true;
    return false;
}

/* ---- what no symbol names, rank 1 ---- */

struct nameless_adding {
    char file[NAMELESS_FILE];
    struct strings *names;
    struct cover_list *covers;
};

static bool add_nameless(void *context, uint32_t start, uint32_t end)
{
    struct nameless_adding *adding = context;
    char name[NAMELESS_NAME];
    uint32_t number = strings_add(adding->names, nameless_name(adding->file, start, name));
    return number && cover_add(adding->covers, start, end, number, 1);
}

bool symbols_read(struct elf_file *file, struct strings *names, struct cover_list *covers, bool *has_table)
{
    struct symbol_list list = {0};
    GElf_Addr bias;
    bool ok = list_symbols(file, names, &list);
    *has_table = has_section(dwfl_module_getelf(file->module, &bias), SHT_SYMTAB);
    if (list.count > 0)
        qsort(list.items, list.count, sizeof *list.items, compare_symbols);
    ok = ok && cover_symbols(file, &list, covers);
    free(list.items);
    if (!ok || *has_table)
        return ok;
    struct nameless_adding adding = {.names = names, .covers = covers};
    nameless_file(file, adding.file);
    return nameless_list(file, add_nameless, &adding);
}
