/* The slots of modules: one for each file of code that the tree has mapped. Which file a slot is for stands
 * in one word, a hash of the path: so a path has one slot only, and whoever has the same path finishes what a
 * process that was killed has begun. Nobody waits for anybody.
 *
 * All functions are async-signal-safe, for any thread of either side. */
#pragma once

#include "base/hash.h"
#include "shared/layout.h"

#include <string.h>

/* Slots are taken in order, and never given back. A taken one need not have its path, now or ever. */
static inline bool module_slot_is_taken(const struct segment_module *module)
{
    return atomic_load(&module->key) != 0;
}

static inline uint64_t module_slot_key(const char *path)
{
    return hash_mix(hash_text(path)) | 1;
}

/* A file of code: `is_program` when a process runs it, and has not only loaded it. `state` is what its slot
 * begins with: MODULE_REQUESTED, or MODULE_KNOWN where the controller has nothing to read. */
struct module_file {
    const char *path;
    bool is_program;
    enum segment_module_state state;
};

/* Whether the slot is the file's; a free one becomes so. Several threads may write the same into it, and the
 * first of them to be ready tells the controller. */
static inline bool module_slot_take(struct segment_module *module, uint64_t key,
                                    const struct module_file *file)
{
    uint64_t owner = 0;
    uint32_t before = MODULE_FREE;
    if (!atomic_compare_exchange_strong(&module->key, &owner, key) && owner != key)
        return false;
    bool is_ready = atomic_load(&module->state) != MODULE_FREE;
    if (is_ready && strcmp(module->path, file->path) != 0)
        return false;
    if (file->is_program)
        atomic_store(&module->is_executable, 1);
    if (is_ready)
        return true;
    strcpy(module->path, file->path);
    atomic_compare_exchange_strong(&module->state, &before, (uint32_t)file->state);
    return true;
}

/* The slot of that file, which may be new. NULL: its path is too long, or all slots are taken. */
static inline struct segment_module *module_slot_of(struct segment *segment, struct module_file file)
{
    uint64_t key = module_slot_key(file.path);
    if (strlen(file.path) >= SEGMENT_MODULE_PATH)
        return NULL;
    for (int i = 0; i < SEGMENT_MODULES; i++)
        if (module_slot_take(&segment->modules[i], key, &file))
            return &segment->modules[i];
    atomic_fetch_add_explicit(&segment->refusals.modules, 1, memory_order_relaxed);
    return NULL;
}
