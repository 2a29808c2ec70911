#include "experiment/modules.h"

#include <string.h>

static void store_rows(struct segment_owner *owner, struct segment_module *module,
                       const struct debuginfo *info)
{
    uint64_t offset = segment_store(owner, info->rows, info->row_count * sizeof *info->rows);
    if (!offset)
        return;
    atomic_store(&module->rows_offset, offset);
    atomic_store_explicit(&module->row_count, (uint32_t)info->row_count, memory_order_release);
}

static void store_unwind(struct segment_owner *owner, struct segment_module *module,
                         const struct debuginfo *info)
{
    uint64_t offset = segment_store(owner, info->unwind, info->unwind_count * sizeof *info->unwind);
    if (!offset)
        return;
    atomic_store(&module->unwind_offset, offset);
    atomic_store_explicit(&module->unwind_count, (uint32_t)info->unwind_count, memory_order_release);
}

int modules_publish(struct segment_owner *owner, struct segment_module *module, const struct scope *scope,
                    struct site_set *sites, struct debuginfo *info, struct coz_error *err)
{
    const struct debuginfo_options options = {.cached = true};
    int rc = 0;
    struct debuginfo own = {0}, unwind = {0};
    struct debuginfo *lines = info ? info : &own;
    *lines = (struct debuginfo){0};
    if (scope_has_binary(scope, module->path, atomic_load(&module->is_executable))) {
        rc = debuginfo_read_sites(module->path, scope, options, lines, err);
        if (rc == 0)
            rc = debuginfo_give_sites(lines, sites, err);
        if (rc == 0 && lines->row_count)
            store_rows(owner, module, lines);
    }
    if (debuginfo_load_unwind(module->path, options, &unwind, NULL) == 0 && unwind.unwind_count)
        store_unwind(owner, module, &unwind);
    debuginfo_release(&unwind);
    debuginfo_release(&own);
    atomic_store(&module->state, MODULE_KNOWN);
    return rc;
}

struct segment_module *modules_announce(struct segment_owner *owner, const char *path)
{
    struct segment_module *module = &owner->segment->modules[0];
    if (strlen(path) >= sizeof module->path)
        return NULL;
    strcpy(module->path, path);
    atomic_store(&module->is_executable, 1);
    atomic_store(&module->state, MODULE_REQUESTED);
    return module;
}

struct segment_module *modules_requested(struct segment_owner *owner)
{
    for (int i = 0; i < SEGMENT_MODULES; i++) {
        struct segment_module *module = &owner->segment->modules[i];
        uint32_t state = atomic_load(&module->state);
        if (state == MODULE_FREE)
            return NULL;
        if (state == MODULE_REQUESTED)
            return module;
    }
    return NULL;
}
