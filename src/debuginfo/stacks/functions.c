#include "debuginfo/stacks/functions.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/names/function_name.h"
#include "debuginfo/sets/interner.h"
#include "debuginfo/stacks/qualify.h"

/* Names lie anywhere in the file: after so many, its pages go back. */
enum { GIVE_BACK_EVERY = 64 };

/* The declaration that all instances of a function have in common. */
static Dwarf_Die origin_of(Dwarf_Die die)
{
    static const unsigned links[] = {DW_AT_abstract_origin, DW_AT_specification};
    for (size_t i = 0; i < sizeof links / sizeof *links; i++) {
        Dwarf_Attribute attribute;
        Dwarf_Die origin;
        if (dwarf_formref_die(dwarf_attr(&die, links[i], &attribute), &origin))
            die = origin;
    }
    return die;
}

static const char *string_of(Dwarf_Die *die, unsigned name, unsigned old_name)
{
    Dwarf_Attribute attribute;
    const char *text = dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
    return text ? text : dwarf_formstring(dwarf_attr_integrate(die, old_name, &attribute));
}

/* The file that the function is declared in: where it is defined, if that is told apart. */
static uint32_t source_of(const struct unit *unit, Dwarf_Die *die, struct source_table *sources)
{
    Dwarf_Attribute attribute;
    Dwarf_Word number;
    if (!dwarf_attr_integrate(die, DW_AT_decl_file, &attribute) || dwarf_formudata(&attribute, &number) != 0)
        return 0;
    if (attribute.cu == unit->die.cu)
        return number < unit->files.count ? unit->files.sources[number] : 0;
    /* dwarf_decl_file() ends the process when the unit's files cannot be read. */
    Dwarf_Die top;
    Dwarf_Files *files;
    size_t count;
    if (dwarf_cu_info(attribute.cu, NULL, NULL, &top, NULL, NULL, NULL, NULL) != 0 ||
        dwarf_getsrcfiles(&top, &files, &count) != 0)
        return 0;
    const char *path = dwarf_filesrc(files, number, NULL, NULL);
    return path ? source_table_add(sources, path, unit->directory) : 0;
}

static struct unit_function read_function(const struct unit *unit, Dwarf_Die *die,
                                          struct source_table *sources)
{
    Dwarf_Attribute attribute;
    struct unit_function function = {.source = source_of(unit, die, sources)};
    const char *symbol = string_of(die, DW_AT_linkage_name, DW_AT_MIPS_linkage_name);
    bool external = dwarf_attr_integrate(die, DW_AT_external, &attribute);
    const char *file = external ? NULL : sources->items[function.source].path;
    function.name = function_name_make(symbol, dwarf_diename(die), file);
    function.is_plain = !symbol;
    function.is_local = file != NULL;
    return function;
}

static bool add_function(struct unit_functions *functions, struct unit_function function)
{
    struct unit_function *items =
        array_reserve(functions->items, functions->count, &functions->room, sizeof *items);
    if (!items) {
        free(function.name);
        return false;
    }
    functions->items = items;
    items[functions->count++] = function;
    return true;
}

/* The function of one frame, read when it is the first of its origin. */
static bool find_function(const struct unit *unit, uint64_t offset, struct source_table *sources,
                          struct interner *origins, struct unit_functions *functions, uint32_t *found)
{
    Dwarf_Die die;
    *found = 0;
    if (!dwarf_offdie(dwarf_cu_getdwarf(unit->tree.cu), offset, &die))
        return true;
    Dwarf_Die origin = origin_of(die);
    const uint64_t key = (uintptr_t)origin.addr; /* an offset may be one in another file */
    *found = interner_add(origins, &key);
    if (!*found)
        return false;
    if (*found < functions->count)
        return true;
    struct unit_function function = read_function(unit, &die, sources);
    function.origin = origin.cu == unit->tree.cu ? dwarf_dieoffset(&origin) : 0;
    return add_function(functions, function);
}

/* ---- names without their surroundings ---- */

static bool has_scopes(const struct unit *unit)
{
    Dwarf_Die die = unit->die;
    switch (dwarf_srclang(&die)) {
    case DW_LANG_C_plus_plus:
    case DW_LANG_C_plus_plus_03:
    case DW_LANG_C_plus_plus_11:
    case DW_LANG_C_plus_plus_14:
    case DW_LANG_Rust:
    case DW_LANG_D:
        return true;
    default:
        return false;
    }
}

/* Puts the prefix before the name, behind its file. */
static bool qualify(void *context, uint32_t number, const char *prefix)
{
    const struct unit_functions *functions = context;
    struct unit_function *function = &functions->items[number];
    const char *colon = function->is_local ? strchr(function->name, ':') : NULL;
    int file = colon ? (int)(colon + 1 - function->name) : 0;
    char *name;
    if (asprintf(&name, "%.*s%s%s", file, function->name, prefix, function->name + file) < 0)
        return false;
    free(function->name);
    function->name = function_name_cut(name);
    return true;
}

static bool qualify_all(const struct unit *unit, struct unit_functions *functions)
{
    struct unqualified *list = calloc(functions->count + 1, sizeof *list);
    size_t count = 0;
    if (!list)
        return false;
    for (size_t i = 1; i < functions->count; i++) {
        const struct unit_function *function = &functions->items[i];
        if (function->is_plain && function->name && function->origin)
            list[count++] = (struct unqualified){.die = function->origin, .number = (uint32_t)i};
    }
    bool ok = count == 0 || unit_qualify(unit, list, count, qualify, functions);
    free(list);
    return ok;
}

bool unit_read_functions(const struct unit *unit, const struct frames *frames, struct source_table *sources,
                         struct unit_functions *functions)
{
    struct interner origins;
    *functions = (struct unit_functions){0};
    bool ok = interner_init(&origins, sizeof(uint64_t)) && add_function(functions, (struct unit_function){0});
    functions->of_entry = calloc(frames->count + 1, sizeof *functions->of_entry);
    ok = ok && functions->of_entry;
    /* libdw, which knows the entries of names, does not know a unit that is in a package. */
    bool packaged = unit->is_split && unit->tree.cu == unit->die.cu;
    for (size_t i = 1; ok && !packaged && i < frames->count; i++) {
        if (i % GIVE_BACK_EVERY == 0)
            sections_give_back_all(unit->sections);
        ok = find_function(unit, frames->entries[i].die, sources, &origins, functions,
                           &functions->of_entry[i]);
    }
    interner_release(&origins);
    return ok && (!has_scopes(unit) || qualify_all(unit, functions));
}

void unit_functions_release(struct unit_functions *functions)
{
    for (size_t i = 0; i < functions->count; i++)
        free(functions->items[i].name);
    free(functions->items);
    free(functions->of_entry);
    *functions = (struct unit_functions){0};
}
