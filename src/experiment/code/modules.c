#include "experiment/code/modules.h"

#include "base/clock.h"
#include "experiment/code/generated.h"
#include "experiment/code/mappings.h"
#include "shared/module_slots.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* What is known of a module beside the segment. Touched by the thread while `state` says so. */
struct reading {
    enum { READING_NONE, READING_WANTED, READING_DONE, READING_PUBLISHED } state;
    bool in_scope;
    struct debuginfo lines, unwind;
};

struct modules {
    struct segment_owner *owner;
    const struct scope *scope;
    struct site_set *sites;
    struct generated *generated;
    pthread_t thread;
    pthread_mutex_t lock; /* of all below */
    pthread_cond_t wanted;
    bool ends;
    struct reading readings[SEGMENT_MODULES];
};

static struct debuginfo_options options_of(const struct modules *modules)
{
    return (struct debuginfo_options){.granularity = (enum granularity)modules->owner->segment->granularity,
                                      .cached = true};
}

/* ---- the thread ---- */

/* Files that cannot be read are modules without code: who maps them can run on. */
static void read_module(struct modules *modules, struct reading *reading, const char *path)
{
    if (strcmp(path, SEGMENT_VDSO) == 0) {
        mappings_read_vdso(&reading->unwind);
        return;
    }
    if (reading->in_scope)
        debuginfo_read_sites(path, modules->scope, options_of(modules), &reading->lines, NULL);
    debuginfo_load_unwind(path, options_of(modules), &reading->unwind, NULL);
}

static int next_wanted(const struct modules *modules)
{
    for (int i = 0; i < SEGMENT_MODULES; i++)
        if (modules->readings[i].state == READING_WANTED)
            return i;
    return -1;
}

static void *read_modules(void *context)
{
    struct modules *modules = context;
    pthread_mutex_lock(&modules->lock);
    while (!modules->ends) {
        int next = next_wanted(modules);
        if (next < 0) {
            pthread_cond_wait(&modules->wanted, &modules->lock);
            continue;
        }
        pthread_mutex_unlock(&modules->lock);
        read_module(modules, &modules->readings[next], modules->owner->segment->modules[next].path);
        pthread_mutex_lock(&modules->lock);
        modules->readings[next].state = READING_DONE;
    }
    pthread_mutex_unlock(&modules->lock);
    return NULL;
}

/* ---- publishing ---- */

/* The nodes are there before any row names one. */
static void store_rows(struct segment_owner *owner, struct segment_module *module,
                       const struct debuginfo *info)
{
    uint64_t nodes =
        info->node_count ? segment_store(owner, info->nodes, info->node_count * sizeof *info->nodes) : 0;
    if (info->node_count && !nodes)
        return;
    atomic_store(&module->nodes_offset, nodes);
    atomic_store_explicit(&module->node_count, (uint32_t)info->node_count, memory_order_release);
    uint64_t offset =
        info->row_count ? segment_store(owner, info->rows, info->row_count * sizeof *info->rows) : 0;
    if (!offset)
        return;
    atomic_store(&module->rows_offset, offset);
    atomic_store_explicit(&module->row_count, (uint32_t)info->row_count, memory_order_release);
}

static void store_unwind(struct segment_owner *owner, struct segment_module *module,
                         const struct debuginfo *info)
{
    uint64_t offset = info->unwind_count
                          ? segment_store(owner, info->unwind, info->unwind_count * sizeof *info->unwind)
                          : 0;
    if (!offset)
        return;
    atomic_store(&module->unwind_offset, offset);
    atomic_store_explicit(&module->unwind_count, (uint32_t)info->unwind_count, memory_order_release);
}

/* Takes over the rows of both. */
static void publish_module(struct modules *modules, int number, struct debuginfo *lines,
                           struct debuginfo *unwind)
{
    struct segment_module *module = &modules->owner->segment->modules[number];
    store_unwind(modules->owner, module, unwind);
    debuginfo_release(unwind);
    if ((lines->table || lines->stacks) && debuginfo_give_sites(lines, modules->sites, NULL) == 0)
        store_rows(modules->owner, module, lines);
    debuginfo_release_rows(lines);
    modules->readings[number].state = READING_PUBLISHED;
    atomic_store(&module->state, MODULE_KNOWN);
}

struct unwind_job {
    const char *path;
    struct debuginfo unwind;
};

static void *read_unwind(void *context)
{
    struct unwind_job *job = context;
    debuginfo_load_unwind(job->path, (struct debuginfo_options){.cached = true}, &job->unwind, NULL);
    return NULL;
}

/* A program without lines has functions, when nobody took its symbols away: then those are its targets. */
static void fall_back(struct modules *modules, const char *path, struct debuginfo *info)
{
    struct segment *segment = modules->owner->segment;
    struct debuginfo functions = {0};
    segment->granularity = GRANULARITY_FUNCTION;
    if (debuginfo_read_sites(path, modules->scope, options_of(modules), &functions, NULL) == 0 &&
        functions.status == DEBUGINFO_OK && functions.has_names) {
        struct debuginfo lines = *info;
        *info = functions;
        functions = lines;
    } else {
        segment->granularity = GRANULARITY_LINE;
    }
    debuginfo_release(&functions);
}

int modules_publish_program(struct modules *modules, const char *path, bool may_fall_back,
                            struct debuginfo *info, struct coz_error *err)
{
    struct unwind_job job = {.path = path};
    pthread_t thread;
    int rc = 0;
    *info = (struct debuginfo){0};
    struct segment *segment = modules->owner->segment;
    struct segment_module *module =
        module_slot_of(segment, (struct module_file){path, true, MODULE_REQUESTED});
    if (!module)
        return error_set(err, ENAMETOOLONG, "%s: %s", path, strerror(ENAMETOOLONG));
    /* What the cache has is read before a thread would have begun. */
    bool is_known = debuginfo_recall_unwind(path, &job.unwind);
    bool aside = !is_known && pthread_create(&thread, NULL, read_unwind, &job) == 0;
    if (scope_has_binary(modules->scope, path, true))
        rc = debuginfo_read_sites(path, modules->scope, options_of(modules), info, err);
    if (rc == 0 && may_fall_back && info->table && info->status == DEBUGINFO_NO_LINES)
        fall_back(modules, path, info);
    if (aside)
        pthread_join(thread, NULL);
    else if (!is_known)
        read_unwind(&job);
    publish_module(modules, (int)(module - segment->modules), info, &job.unwind);
    return rc;
}

/* ---- serving ---- */

static void serve_module(struct modules *modules, int number)
{
    struct segment_module *module = &modules->owner->segment->modules[number];
    struct reading *reading = &modules->readings[number];
    if (reading->state == READING_NONE) {
        reading->in_scope =
            scope_has_binary(modules->scope, module->path, atomic_load(&module->is_executable));
        reading->state = READING_WANTED;
        pthread_cond_signal(&modules->wanted);
    } else if (reading->state == READING_DONE) {
        publish_module(modules, number, &reading->lines, &reading->unwind);
        debuginfo_release(&reading->lines);
    }
}

void modules_serve(struct modules *modules)
{
    if (!modules)
        return;
    mappings_serve(modules->owner->segment, modules->generated);
    generated_serve(modules->generated, clock_wall_ns());
    pthread_mutex_lock(&modules->lock);
    for (int i = 0; i < SEGMENT_MODULES; i++) {
        const struct segment_module *module = &modules->owner->segment->modules[i];
        if (!module_slot_is_taken(module))
            break;
        if (atomic_load(&module->state) == MODULE_REQUESTED)
            serve_module(modules, i);
    }
    pthread_mutex_unlock(&modules->lock);
}

struct modules *modules_start(struct segment_owner *owner, const struct scope *scope, struct site_set *sites)
{
    struct modules *modules = calloc(1, sizeof *modules);
    if (!modules)
        return NULL;
    modules->owner = owner;
    modules->scope = scope;
    modules->sites = sites;
    modules->generated = generated_new(owner, scope, sites);
    if (!modules->generated) {
        free(modules);
        return NULL;
    }
    pthread_mutex_init(&modules->lock, NULL);
    pthread_cond_init(&modules->wanted, NULL);
    /* Signals are for the controller's own thread: they end its sleep. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    int rc = pthread_create(&modules->thread, NULL, read_modules, modules);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (rc) {
        generated_free(modules->generated);
        free(modules);
        return NULL;
    }
    return modules;
}

void modules_stop(struct modules *modules)
{
    if (!modules)
        return;
    pthread_mutex_lock(&modules->lock);
    modules->ends = true;
    pthread_cond_signal(&modules->wanted);
    pthread_mutex_unlock(&modules->lock);
    pthread_join(modules->thread, NULL);
    for (int i = 0; i < SEGMENT_MODULES; i++) {
        if (modules->readings[i].state == READING_NONE)
            continue; /* no memory was given to it yet */
        debuginfo_release(&modules->readings[i].lines);
        debuginfo_release(&modules->readings[i].unwind);
    }
    generated_free(modules->generated);
    pthread_cond_destroy(&modules->wanted);
    pthread_mutex_destroy(&modules->lock);
    free(modules);
}

const char *modules_note(const struct modules *modules)
{
    return generated_note(modules->generated);
}
