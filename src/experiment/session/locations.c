#include "experiment/session/locations.h"

#include "experiment/sources/line_texts.h"
#include "experiment/targets/code_names.h"
#include "shared/callsites.h"
#include "shared/region_slots.h"

#include <stdlib.h>

/* The line of a target, as a site; 0 for what is no line. */
static uint32_t line_of(const struct target_names *names, uint32_t target)
{
    if (target_groups_of(names->groups, target))
        return 0;
    switch ((enum granularity)names->segment->granularity) {
    case GRANULARITY_CALLSITE:
        return callsite_line(names->segment, target);
    case GRANULARITY_FUNCTION:
    case GRANULARITY_FILE:
    case GRANULARITY_THREAD:
        return 0;
    case GRANULARITY_LINE:
        break;
    }
    return names->sites->sites[target].line ? target : 0;
}

/* The next target that has samples. */
static bool next_sampled(const struct target_names *names, const struct segment_owner *owner,
                         uint32_t *target)
{
    uint32_t count = target_count(names), end;
    for (uint32_t from = *target + 1; from < count && segment_next_counted(owner, &from, &end); from = end)
        for (*target = from; *target < end && *target < count; ++*target)
            if (atomic_load(&owner->segment->sites[*target].count))
                return true;
    return false;
}

/* What the code of all targets that have samples is called. */
static void find_names(const struct target_names *names, const struct segment_owner *owner,
                       const struct scope *scope, struct code_names *code)
{
    bool *wanted = calloc(names->sites->count, sizeof *wanted);
    *code = (struct code_names){0};
    for (uint32_t target = 0; wanted && next_sampled(names, owner, &target);) {
        uint32_t line = line_of(names, target);
        if (line && line < names->sites->count)
            wanted[line] = true;
    }
    if (wanted)
        code_names_find(code, names->segment, scope, names->sites, wanted);
    free(wanted);
}

/* NULL: it is a line. */
static const char *written_kind(const struct target_names *names, uint32_t target)
{
    bool is_line = names->segment->granularity == GRANULARITY_LINE && line_of(names, target);
    return is_line ? NULL : target_kind(names, target);
}

static int write_location(const struct target_names *names, uint32_t target, const char *function,
                          struct source_files *files, uint64_t baseline_ns, window_sink sink, void *context)
{
    const struct segment_site *site = &names->segment->sites[target];
    struct profile_record record = {.type = PROFILE_SAMPLES};
    char name[2 * 4096], text[2 * LINE_TEXT_BYTES + 8] = "";
    record.samples.location = target_name(names, target, name, sizeof name);
    record.samples.count = atomic_load(&site->count);
    record.samples.cpu_ns = atomic_load(&site->cpu_ns);
    record.samples.baseline_ns = baseline_ns;
    record.samples.kind = written_kind(names, target);
    const struct segment_region *region = region_slot_of_target(names->segment, target);
    if (region) {
        record.samples.left_open = atomic_load(&region->left_open);
        record.samples.never_begun = atomic_load(&region->never_begun);
    }
    record.samples.self_ns = atomic_load(&site->self_ns);
    record.samples.function = function;
    record.samples.file = target_file(names, target);
    if (line_of(names, target))
        line_texts_find(files, record.samples.location, text, sizeof text);
    record.samples.text = text;
    return sink(context, &record);
}

static int write_stacks(const struct target_names *names, const struct code_names *code, uint32_t target,
                        window_sink sink, void *context)
{
    enum { STACKS_MOST = 8 };
    size_t count;
    const struct code_stack *stacks = code_names_stacks(code, target, &count);
    char name[2 * 4096];
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < count && i < STACKS_MOST; i++) {
        struct profile_record record = {.type = PROFILE_STACK};
        record.stack.location = target_name(names, target, name, sizeof name);
        record.stack.kind = written_kind(names, target);
        record.stack.count = stacks[i].count;
        record.stack.frames = stacks[i].frames;
        rc = sink(context, &record);
    }
    return rc;
}

int locations_write(const struct target_names *names, const struct segment_owner *owner,
                    const struct scope *scope, const struct disturbed *disturbed, uint64_t baseline_ns,
                    struct source_files *files, window_sink sink, void *context)
{
    struct code_names code;
    int rc = 0;
    find_names(names, owner, scope, &code);
    for (uint32_t target = 0; rc == 0 && next_sampled(names, owner, &target);) {
        uint32_t line = code.functions ? line_of(names, target) : 0;
        uint64_t rest_ns = disturbed_rest_of_site(disturbed, owner, target, baseline_ns);
        rc = write_location(names, target, line ? code.functions[line] : NULL, files, rest_ns, sink, context);
        if (rc == 0)
            rc = write_stacks(names, &code, target, sink, context);
    }
    code_names_release(&code);
    return rc;
}
