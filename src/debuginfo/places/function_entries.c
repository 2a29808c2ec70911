#include "debuginfo/places/function_entries.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/elf/nameless.h"
#include "debuginfo/names/function_name.h"

struct search {
    struct elf_file *elf;
    Dwarf_Addr bias; /* libdwfl's address minus DWARF's */
    const char *wanted;
    const char *last; /* part of it, without which no name answers */
    size_t last_length;
    int best;
    bool no_memory;
    char file[NAMELESS_FILE]; /* as the names of functions without one begin */
    struct function_entries *entries;
};

/* What stands after the last ':' and before what a name may have behind it. */
static void find_last_part(struct search *search)
{
    size_t length = strcspn(search->wanted, "(<");
    size_t start = length;
    while (start > 0 && search->wanted[start - 1] != ':')
        start--;
    search->last = search->wanted + start;
    search->last_length = length - start;
}

static bool may_answer(const struct search *search, const char *raw)
{
    return raw && memmem(raw, strlen(raw), search->last, search->last_length);
}

static void add_entry(struct search *search, uint64_t address)
{
    if (!entry_list_add(&search->entries->list, (struct entry){.address = address}))
        search->no_memory = true;
}

/* One that answers better than all before makes them void. Of several functions that answer as well it is not
 * known which was meant; copies and templates' instances that bear one name are one. */
static bool is_an_answer(struct search *search, const char *name)
{
    struct function_entries *entries = search->entries;
    int match = function_name_match(name, search->wanted);
    if (match == 0 || match < search->best)
        return false;
    if (match > search->best) {
        entries->list.count = entries->inlined = entries->names = 0;
        entries->is_chosen_at_start = false;
        search->best = match;
    }
    if (entries->names == 0 || strncmp(entries->name, name, NEAR_NAME - 1) != 0)
        entries->names++;
    snprintf(entries->name, sizeof entries->name, "%s", name);
    return true;
}

/* Pieces of a function that it is not entered by. */
static bool is_a_piece(const char *symbol)
{
    return strstr(symbol, ".cold") || strstr(symbol, ".part.");
}

static void read_symbol(struct search *search, const char *symbol, const GElf_Sym *info, uint64_t address,
                        const char *source)
{
    bool is_local = GELF_ST_BIND(info->st_info) == STB_LOCAL;
    char *name = function_name_make(symbol, NULL, is_local && source && *source ? source : NULL);
    if (!name) {
        search->no_memory = true;
        return;
    }
    size_t distance = function_name_distance(name, search->wanted);
    if (2 * distance < strlen(search->wanted))
        near_names_note(&search->entries->near, name, distance);
    if (is_an_answer(search, name)) {
        bool is_indirect = GELF_ST_TYPE(info->st_info) == STT_GNU_IFUNC;
        search->entries->is_chosen_at_start |= is_indirect;
        if (!is_indirect)
            add_entry(search, address);
    }
    free(name);
}

static void read_symbols(struct search *search)
{
    Dwfl_Module *module = search->elf->module;
    const char *source = NULL; /* of the local symbols that follow */
    int count = dwfl_module_getsymtab(module);
    for (int i = 1; i < count && !search->no_memory; i++) {
        GElf_Sym info;
        GElf_Addr address;
        GElf_Word section;
        const char *name = dwfl_module_getsym_info(module, i, &info, &address, &section, NULL, NULL);
        int type = name ? GELF_ST_TYPE(info.st_info) : STT_NOTYPE;
        if (type == STT_FILE)
            source = name;
        if ((type == STT_FUNC || type == STT_GNU_IFUNC) && section != SHN_UNDEF && *name && !is_a_piece(name))
            read_symbol(search, name, &info, address - search->elf->bias, source);
    }
}

static bool read_nameless(void *context, uint32_t start, uint32_t end)
{
    struct search *search = context;
    char name[NAMELESS_NAME];
    (void)end;
    nameless_name(search->file, start, name);
    near_names_note(&search->entries->near, name, function_name_distance(name, search->wanted));
    if (is_an_answer(search, name))
        add_entry(search, start);
    return !search->no_memory;
}

/* The lowest address, where it is not said by which one it is entered. */
static bool find_entry(Dwarf_Die *instance, Dwarf_Addr *address)
{
    Dwarf_Addr base, start, end;
    if (dwarf_entrypc(instance, address) == 0)
        return true;
    if (dwarf_ranges(instance, 0, &base, &start, &end) <= 0)
        return false;
    *address = start;
    return true;
}

static int read_instance(Dwarf_Die *instance, void *context)
{
    struct search *search = context;
    struct function_entries *entries = search->entries;
    Dwarf_Addr address;
    size_t before = entries->list.count;
    if (dwarf_tag(instance) == DW_TAG_inlined_subroutine && find_entry(instance, &address) && address != 0) {
        add_entry(search, address + search->bias - search->elf->bias);
        entries->inlined += entries->list.count > before;
    }
    return search->no_memory ? DWARF_CB_ABORT : DWARF_CB_OK;
}

static int read_function(Dwarf_Die *function, void *context)
{
    struct search *search = context;
    Dwarf_Attribute attribute;
    const char *plain = dwarf_diename(function), *file = NULL;
    const char *symbol = dwarf_formstring(dwarf_attr_integrate(function, DW_AT_linkage_name, &attribute));
    if (!dwarf_func_inline(function) || (!may_answer(search, plain) && !may_answer(search, symbol)))
        return DWARF_CB_OK;
    if (!dwarf_hasattr_integrate(function, DW_AT_external))
        file = dwarf_decl_file(function);
    char *name = function_name_make(symbol, plain, file);
    if (name && is_an_answer(search, name))
        dwarf_func_inline_instances(function, read_instance, search);
    search->no_memory |= !name;
    free(name);
    return search->no_memory ? DWARF_CB_ABORT : DWARF_CB_OK;
}

static void read_units(struct search *search)
{
    Dwarf *dwarf = dwfl_module_getdwarf(search->elf->module, &search->bias);
    Dwarf_CU *unit = NULL;
    Dwarf_Die die, split;
    while (!search->no_memory && dwarf &&
           dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, &split) == 0) {
        Dwarf_Die *tree = split.addr ? &split : &die;
        if (dwarf_tag(tree) == DW_TAG_compile_unit)
            dwarf_getfuncs(tree, read_function, search, 0);
    }
}

int function_entries_find(struct elf_file *elf, const char *wanted, struct function_entries *entries)
{
    struct search search = {.elf = elf, .wanted = wanted, .entries = entries, .best = 1};
    *entries = (struct function_entries){.names = 0};
    find_last_part(&search);
    read_symbols(&search);
    if (strstr(wanted, "+0x") && nameless_file(elf, search.file))
        search.no_memory |= !nameless_list(elf, read_nameless, &search);
    read_units(&search);
    return search.no_memory ? -ENOMEM : 0;
}
