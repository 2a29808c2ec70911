#include "runtime/sampling/locate.h"

#include "runtime/core/runtime.h"
#include "runtime/core/tables.h"
#include "runtime/sampling/unwind.h"
#include "shared/callsites.h"

/* For a line the first frame that is in scope ends the search, for functions nothing does. */
enum { FRAMES = 64, FRAMES_OF_FUNCTIONS = 128 };

/* What the row of the frame's code names: a site, or a node when the module has nodes. */
static uint32_t row_at(const struct code_range *range, const struct frame *frame)
{
    if (!range || !range->module)
        return 0;
    const struct segment_module *module = range->module;
    uint32_t count = atomic_load_explicit(&module->row_count, memory_order_acquire);
    const struct site_row *rows = tables_at(atomic_load(&module->rows_offset), count, sizeof *rows);
    if (!rows)
        return 0;
    uintptr_t address = frame->pc - range->bias - (frame->is_call ? 1 : 0);
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (rows[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low < count && rows[low].start <= address ? rows[low].site : 0;
}

/* Adds it unless it is there already. False when there is no room for more. */
static bool located_add(struct located *located, uint32_t site)
{
    if (!site || site >= SEGMENT_SITES || located_has(located, site))
        return true;
    if (located->count == LOCATED_MOST)
        return false;
    located->sites[located->count++] = site;
    return true;
}

/* The lines of a call site may be the same one: a function that calls itself. */
static bool add_line(struct located *located, uint32_t site)
{
    if (site && site < SEGMENT_SITES)
        located->sites[located->count++] = site;
    return located->count < 2;
}

/* Adds what the frame's code belongs to. False when nothing more is wanted. */
static bool add_frame(struct located *located, const struct code_range *range, const struct frame *frame)
{
    uint32_t row = row_at(range, frame);
    if (!row)
        return true;
    bool is_callsite = runtime_segment->granularity == GRANULARITY_CALLSITE;
    const struct segment_module *module = range->module;
    uint32_t count = atomic_load_explicit(&module->node_count, memory_order_acquire);
    if (!count)
        return is_callsite
                   ? add_line(located, row)
                   : located_add(located, row) && runtime_segment->granularity == GRANULARITY_FUNCTION;
    const struct site_node *nodes = tables_at(atomic_load(&module->nodes_offset), count, sizeof *nodes);
    for (uint32_t inner = count; nodes && row && row < inner; inner = row, row = nodes[row].outer)
        if (is_callsite ? !add_line(located, nodes[row].site) : !located_add(located, nodes[row].site))
            return false;
    return true;
}

static void add_groups(struct located *located)
{
    const struct segment *segment = runtime_segment;
    uint64_t groups = 0;
    for (uint32_t i = 0; i < located->count; i++)
        groups |= atomic_load_explicit(&segment->site_groups[located->sites[i]], memory_order_relaxed);
    for (; groups; groups &= groups - 1) {
        uint32_t site = segment->group_sites[__builtin_ctzll(groups)];
        if (site && site < SEGMENT_SITES)
            located->sites[located->count++] = site;
    }
}

void locate_known(uint32_t site, struct located *located)
{
    located->module = NULL; /* nobody looked where it is */
    located->count = site != 0;
    located->sites[0] = site;
    if (runtime_segment->group_count)
        add_groups(located);
}

void locate(const ucontext_t *context, uintptr_t stack_high, struct located *located)
{
    struct frame frame = frame_of(registers_of(context));
    int frames = runtime_segment->granularity == GRANULARITY_FUNCTION ? FRAMES_OF_FUNCTIONS : FRAMES;
    struct stack stack = {.high = stack_high};
    located->module = NULL;
    located->count = 0;
    for (int depth = 0; depth < frames; depth++) {
        struct code_range found;
        const struct code_range *range =
            modules_find(frame.pc - (frame.is_call ? 1 : 0), &found) ? &found : NULL;
        if (depth == 0 && range)
            located->module = range->module;
        if (!add_frame(located, range, &frame) || !unwind_step(&frame, range, &stack))
            break;
    }
    if (runtime_segment->granularity == GRANULARITY_CALLSITE && located->count > 0) {
        uint32_t caller = located->count > 1 ? located->sites[1] : 0;
        located->sites[0] = callsite_number(runtime_segment, located->sites[0], caller);
        located->count = located->sites[0] != 0;
    }
    if (unlikely(runtime_segment->group_count))
        add_groups(located);
}

/* The site of the innermost frame in scope that the code belongs to; 0: it is not in scope. */
static uint32_t first_site(const struct frame *frame)
{
    struct code_range range;
    uint32_t row = modules_find(frame->pc - 1, &range) ? row_at(&range, frame) : 0;
    if (!row)
        return 0;
    uint32_t count = atomic_load_explicit(&range.module->node_count, memory_order_acquire), site = row;
    if (count) {
        const struct site_node *nodes =
            tables_at(atomic_load(&range.module->nodes_offset), count, sizeof *nodes);
        for (site = 0; nodes && !site && row && row < count;
             row = nodes[row].outer < row ? nodes[row].outer : 0)
            site = nodes[row].site;
    }
    return site < SEGMENT_SITES ? site : 0;
}

uint32_t locate_call(uintptr_t at, uintptr_t stack_high, bool *is_its_own)
{
    struct registers registers = registers_here();
    struct frame frame = {.pc = at, .is_call = true};
    uint32_t site = first_site(&frame);
    if (is_its_own)
        *is_its_own = site != 0;
    struct stack stack = {.high = stack_high};
    bool is_outside = false;
    frame = frame_of(registers);
    for (int depth = 0; !site && depth < FRAMES; depth++) {
        struct code_range found;
        const struct code_range *range =
            modules_find(frame.pc - (frame.is_call ? 1 : 0), &found) ? &found : NULL;
        if (is_outside)
            site = first_site(&frame);
        if (site || !unwind_step(&frame, range, &stack))
            break;
        is_outside |= frame.pc == at;
    }
    return site;
}
