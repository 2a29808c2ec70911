#include "experiment/targets/code_names.h"

#include "profile/layout.h"
#include "shared/module_slots.h"
#include "shared/stack_slots.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* ---- what is to be found ---- */

/* A frame that is in some stack, and its text. */
struct known_frame {
    uint64_t frame;
    char *text;
};

struct known_frames {
    struct known_frame *items; /* sorted, each once */
    size_t count;
};

/* Who wants the place: a site, or else a frame. */
struct asker {
    struct debuginfo_place place;
    uint32_t site;
    struct known_frame *frame;
};

static int compare_frames(const void *a, const void *b)
{
    const struct known_frame *x = a, *y = b;
    return (x->frame > y->frame) - (x->frame < y->frame);
}

static uint32_t depth_of(const struct segment_stack *stack)
{
    uint32_t depth = atomic_load_explicit(&stack->depth, memory_order_acquire);
    return depth < SEGMENT_STACK_FRAMES ? depth : SEGMENT_STACK_FRAMES;
}

static bool collect_frames(const struct segment *segment, struct known_frames *frames)
{
    size_t room = 0;
    *frames = (struct known_frames){0};
    for (int i = 0; i < SEGMENT_STACKS; i++)
        room += depth_of(&segment->stacks[i]);
    frames->items = calloc(room + 1, sizeof *frames->items);
    if (!frames->items)
        return false;
    for (int i = 0; i < SEGMENT_STACKS; i++)
        for (uint32_t j = 0; j < depth_of(&segment->stacks[i]) && frames->count < room; j++)
            frames->items[frames->count++].frame = atomic_load(&segment->stacks[i].frames[j]);
    qsort(frames->items, frames->count, sizeof *frames->items, compare_frames);
    size_t unique = 0;
    for (size_t i = 0; i < frames->count; i++)
        if (unique == 0 || frames->items[unique - 1].frame != frames->items[i].frame)
            frames->items[unique++] = frames->items[i];
    frames->count = unique;
    return true;
}

static const char *text_of(const struct known_frames *frames, uint64_t frame)
{
    struct known_frame key = {.frame = frame};
    const struct known_frame *found = bsearch(&key, frames->items, frames->count, sizeof key, compare_frames);
    return found ? found->text : NULL;
}

/* ---- asking a module's file ---- */

/* A piece of code in the module of each wanted site that has no function yet. Returns how many. */
static size_t ask_sites(const struct segment *segment, const struct segment_module *module,
                        const struct site_set *sites, const bool *wanted, char **functions,
                        struct asker *askers)
{
    const struct site_row *rows = table_at(segment, module->rows_offset);
    size_t count = 0;
    bool *listed = calloc(sites->count, sizeof *listed);
    for (uint32_t i = 0; listed && i < module->row_count; i++) {
        uint32_t site = site_of(segment, module, rows[i].site);
        if (!site || site >= sites->count || !wanted[site] || functions[site] || listed[site])
            continue;
        listed[site] = true;
        askers[count++] = (struct asker){.place = {.address = rows[i].start,
                                                   .file = sites->sites[site].file,
                                                   .line = sites->sites[site].line},
                                         .site = site};
    }
    free(listed);
    return count;
}

static size_t ask_frames(const struct known_frames *frames, uint32_t module, struct asker *askers)
{
    size_t count = 0;
    for (size_t i = 0; i < frames->count; i++)
        if (stack_frame_module(frames->items[i].frame) == module)
            askers[count++] = (struct asker){
                .place = {.address = stack_frame_address(frames->items[i].frame), .wants_frames = true},
                .frame = &frames->items[i]};
    return count;
}

static int compare_askers(const void *a, const void *b)
{
    const struct asker *x = a, *y = b;
    return (x->place.address > y->place.address) - (x->place.address < y->place.address);
}

/* Reads the file, and gives each asker what it wanted. */
static void answer(const char *path, const struct scope *scope, struct asker *askers, size_t count,
                   char **functions)
{
    struct debuginfo_place *places = calloc(count + 1, sizeof *places);
    if (!places || !count) {
        free(places);
        return;
    }
    qsort(askers, count, sizeof *askers, compare_askers);
    for (size_t i = 0; i < count; i++)
        places[i] = askers[i].place;
    debuginfo_find_functions(path, scope, places, count);
    for (size_t i = 0; i < count; i++) {
        if (askers[i].frame) {
            askers[i].frame->text = places[i].frames;
            free(places[i].function);
        } else
            functions[askers[i].site] = places[i].function;
    }
    free(places);
}

static void ask_modules(const struct segment *segment, const struct scope *scope,
                        const struct site_set *sites, const bool *wanted, struct known_frames *frames,
                        char **functions)
{
    struct asker *askers = calloc(sites->count + frames->count + 1, sizeof *askers);
    for (uint32_t i = 0; askers && i < SEGMENT_MODULES; i++) {
        const struct segment_module *module = &segment->modules[i];
        if (!module_slot_is_taken(module))
            break; /* none behind it has memory yet */
        if (atomic_load(&module->state) != MODULE_KNOWN || !module->row_count)
            continue;
        size_t count = ask_sites(segment, module, sites, wanted, functions, askers);
        count += ask_frames(frames, i, askers + count);
        answer(module->path, scope, askers, count, functions);
    }
    free(askers);
}

/* ---- stacks ---- */

/* The frames one below the other; those of code that nothing is known of are left out, and so are the outermost ones
 * that a profile's reader would not take. NULL: so are all. */
static char *join_frames(const struct segment_stack *stack, const struct known_frames *frames)
{
    char *text = NULL;
    size_t size = 0, length = 0;
    FILE *out = NULL;
    for (uint32_t i = 0; i < depth_of(stack); i++) {
        const char *frame = text_of(frames, atomic_load(&stack->frames[i]));
        length += frame ? strlen(frame) : 0;
        if (length > LAYOUT_STRING_MAX)
            break;
        if (frame && !out)
            out = open_memstream(&text, &size);
        if (frame && out)
            fputs(frame, out);
    }
    if (out && fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static int compare_texts(const void *a, const void *b)
{
    const struct code_stack *x = a, *y = b;
    int order = (x->target > y->target) - (x->target < y->target);
    return order ? order : strcmp(x->frames, y->frames);
}

static int compare_counts(const void *a, const void *b)
{
    const struct code_stack *x = a, *y = b;
    int order = (x->target > y->target) - (x->target < y->target);
    return order ? order : (x->count < y->count) - (x->count > y->count);
}

/* Stacks that differ by addresses only are one. */
static void join_stacks(struct code_names *names)
{
    size_t count = 0;
    qsort(names->stacks, names->stack_count, sizeof *names->stacks, compare_texts);
    for (size_t i = 0; i < names->stack_count; i++) {
        struct code_stack *stack = &names->stacks[i];
        if (count > 0 && compare_texts(&names->stacks[count - 1], stack) == 0) {
            names->stacks[count - 1].count += stack->count;
            free(stack->frames);
        } else
            names->stacks[count++] = *stack;
    }
    names->stack_count = count;
    qsort(names->stacks, count, sizeof *names->stacks, compare_counts);
}

static void take_stacks(struct code_names *names, const struct segment *segment,
                        const struct known_frames *frames)
{
    for (int i = 0; i < SEGMENT_STACKS; i++) {
        const struct segment_stack *stack = &segment->stacks[i];
        char *text = depth_of(stack) ? join_frames(stack, frames) : NULL;
        if (text)
            names->stacks[names->stack_count++] =
                (struct code_stack){atomic_load(&stack->site), atomic_load(&stack->count), text};
    }
    join_stacks(names);
}

void code_names_find(struct code_names *names, const struct segment *segment, const struct scope *scope,
                     const struct site_set *sites, const bool *wanted)
{
    struct known_frames frames;
    *names = (struct code_names){.functions = calloc(sites->count, sizeof *names->functions),
                                 .stacks = calloc(SEGMENT_STACKS, sizeof *names->stacks),
                                 .site_count = sites->count};
    if (!names->functions || !names->stacks || !collect_frames(segment, &frames)) {
        code_names_release(names);
        return;
    }
    ask_modules(segment, scope, sites, wanted, &frames, names->functions);
    take_stacks(names, segment, &frames);
    for (size_t i = 0; i < frames.count; i++)
        free(frames.items[i].text);
    free(frames.items);
}

const struct code_stack *code_names_stacks(const struct code_names *names, uint32_t target, size_t *count)
{
    size_t first = 0, end;
    while (first < names->stack_count && names->stacks[first].target < target)
        first++;
    for (end = first; end < names->stack_count && names->stacks[end].target == target;)
        end++;
    *count = end - first;
    return *count ? &names->stacks[first] : NULL;
}

void code_names_release(struct code_names *names)
{
    for (size_t i = 0; names->functions && i < names->site_count; i++)
        free(names->functions[i]);
    for (size_t i = 0; i < names->stack_count; i++)
        free(names->stacks[i].frames);
    free(names->functions);
    free(names->stacks);
    *names = (struct code_names){0};
}
