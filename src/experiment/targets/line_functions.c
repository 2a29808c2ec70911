#include "experiment/targets/line_functions.h"

#include "shared/module_slots.h"

#include <stdlib.h>

static const void *table_at(const struct segment *segment, uint64_t offset)
{
    return (const char *)segment + offset;
}

/* The first in-scope line of a row. */
static uint32_t site_of(const struct segment *segment, const struct segment_module *module, uint32_t row)
{
    const struct site_node *nodes = table_at(segment, module->nodes_offset);
    return !module->node_count ? row : row < module->node_count ? nodes[row].site : 0;
}

/* Notes, for each wanted site that has none yet, a piece of its code in the module. Returns how many. */
static size_t list_places(const struct segment *segment, const struct segment_module *module,
                          const struct site_set *sites, const bool *wanted, char **functions,
                          struct debuginfo_place *places, uint32_t *of_place)
{
    const struct site_row *rows = table_at(segment, module->rows_offset);
    size_t count = 0;
    bool *listed = calloc(sites->count, sizeof *listed);
    for (uint32_t i = 0; listed && i < module->row_count; i++) {
        uint32_t site = site_of(segment, module, rows[i].site);
        if (!site || site >= sites->count || !wanted[site] || functions[site] || listed[site])
            continue;
        listed[site] = true;
        places[count] = (struct debuginfo_place){
            .address = rows[i].start, .file = sites->sites[site].file, .line = sites->sites[site].line};
        of_place[count++] = site;
    }
    free(listed);
    return count;
}

char **line_functions_find(const struct segment *segment, const struct scope *scope,
                           const struct site_set *sites, const bool *wanted)
{
    char **functions = calloc(sites->count, sizeof *functions);
    struct debuginfo_place *places = calloc(sites->count, sizeof *places);
    uint32_t *of_place = calloc(sites->count, sizeof *of_place);
    for (int i = 0; functions && places && of_place && i < SEGMENT_MODULES; i++) {
        const struct segment_module *module = &segment->modules[i];
        if (!module_slot_is_taken(module))
            break; /* none behind it has memory yet */
        if (atomic_load(&module->state) != MODULE_KNOWN || !module->row_count)
            continue;
        size_t count = list_places(segment, module, sites, wanted, functions, places, of_place);
        if (count > 0)
            debuginfo_find_functions(module->path, scope, places, count);
        for (size_t j = 0; j < count; j++)
            functions[of_place[j]] = places[j].function;
    }
    free(places);
    free(of_place);
    return functions;
}
