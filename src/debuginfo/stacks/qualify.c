#include "debuginfo/stacks/qualify.h"

#include <dwarf.h>
#include <stdio.h>
#include <stdlib.h>

#include "debuginfo/dwarf/tree.h"

enum { DEPTH_LIMIT = 200 };

/* The scope at each depth: the offset of its entry, 0 for what is none. */
struct scopes {
    Dwarf *dwarf;
    uint64_t dies[DEPTH_LIMIT];
    size_t depth;
};

static const char *name_of(const struct scopes *scopes, uint64_t offset)
{
    Dwarf_Die die;
    if (!dwarf_offdie(scopes->dwarf, offset, &die))
        return NULL;
    const char *name = dwarf_diename(&die);
    return name || dwarf_tag(&die) != DW_TAG_namespace ? name : "(anonymous namespace)";
}

/* To be freed; NULL when memory is out. */
static char *make_prefix(const struct scopes *scopes)
{
    char *prefix = NULL;
    size_t size;
    FILE *text = open_memstream(&prefix, &size);
    if (!text)
        return NULL;
    for (size_t i = 0; i <= scopes->depth; i++) {
        const char *name = scopes->dies[i] ? name_of(scopes, scopes->dies[i]) : NULL;
        if (name)
            fprintf(text, "%s::", name);
    }
    if (fclose(text) == 0)
        return prefix;
    free(prefix);
    return NULL;
}

static int compare(const void *left, const void *right)
{
    const struct unqualified *a = left, *b = right;
    return (a->die > b->die) - (a->die < b->die);
}

static bool names_scope(uint32_t tag)
{
    return tag == DW_TAG_subprogram || (tree_tag_is_scope(tag) && tag != DW_TAG_compile_unit &&
                                        tag != DW_TAG_partial_unit && tag != DW_TAG_lexical_block);
}

bool unit_qualify(const struct unit *unit, struct unqualified *list, size_t count,
                  bool (*found)(void *context, uint32_t number, const char *prefix), void *context)
{
    struct scopes scopes = {.dwarf = dwarf_cu_getdwarf(unit->tree.cu)};
    struct tree tree = {0};
    size_t next = 0;
    bool ok = true;
    qsort(list, count, sizeof *list, compare);
    if (tree_open_unit(&tree, unit) != UNIT_OK) {
        tree_release(&tree);
        return true;
    }
    struct cursor at = tree.unit;
    const uint8_t *passed = at.at;
    while (ok && at.at < at.end && next < count) {
        struct tree_entry entry;
        uint64_t die = (uint64_t)(at.at - tree.sections.info.bytes);
        sections_pass(unit->sections, &passed, at.at);
        if (!tree_next(&tree, &at, &entry))
            break;
        while (next < count && list[next].die < die)
            next++;
        if (next < count && list[next].die == die) {
            char *prefix = make_prefix(&scopes);
            ok = prefix && (!prefix[0] || found(context, list[next].number, prefix));
            free(prefix);
        }
        if (entry.tag == 0) {
            if (scopes.depth == 0)
                break;
            scopes.dies[scopes.depth--] = 0;
        } else if (entry.has_children && scopes.depth + 1 < DEPTH_LIMIT) {
            scopes.dies[++scopes.depth] = names_scope(entry.tag) ? die : 0;
        } else if (!tree_skip_children(&tree, &at, &entry)) {
            break;
        }
    }
    tree_release(&tree);
    return ok;
}
