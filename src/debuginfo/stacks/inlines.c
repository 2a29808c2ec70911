#include "debuginfo/stacks/inlines.h"

#include "debuginfo/stacks/frames.h"

/* What is being filled, with the frames of one function at a time. */
struct filling {
    const struct unit *unit;
    const struct source_table *sources;
    const struct frames *frames;
    struct line_range_list *out;
};

/* The innermost call site that is in scope; none: line 0. */
static struct line_range call_site(const struct filling *filling, uint32_t entry)
{
    for (; entry; entry = filling->frames->entries[entry].outer) {
        const struct frame_entry *frame = &filling->frames->entries[entry];
        if (frame->call_line && filling->sources->items[frame->call_source].in_scope)
            return (struct line_range){.source = frame->call_source, .line = frame->call_line};
    }
    return (struct line_range){0};
}

/* Appends those parts of the holes that lie in [start, end). */
static bool fill(void *context, uint32_t start, uint32_t end, uint32_t entry)
{
    const struct filling *filling = context;
    const struct range_list *holes = &filling->unit->holes;
    struct line_range site = call_site(filling, entry);
    if (!site.line)
        return true;
    for (size_t i = range_list_search(holes, start); i < holes->count && holes->items[i].start < end; i++) {
        const struct range *hole = &holes->items[i];
        site.start = hole->start > start ? hole->start : start;
        site.end = hole->end < end ? hole->end : end;
        if (!line_range_list_add(filling->out, site))
            return false;
    }
    return true;
}

static bool fill_function(void *context, struct frames *frames)
{
    struct filling *filling = context;
    filling->frames = frames;
    return cover_resolve(&frames->covers, fill, filling);
}

int unit_read_inlines(struct unit *unit, struct source_table *sources, struct line_range_list *out)
{
    struct filling filling = {.unit = unit, .sources = sources, .out = out};
    return unit_each_function(unit, sources, &unit->holes, fill_function, &filling);
}
