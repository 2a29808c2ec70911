#include "report/target/callers.h"

#include "profile/frames.h"
#include "report/cells.h"
#include "report/ink.h"
#include "stats/answers/details.h"

#include <stdlib.h>
#include <string.h>

enum { WAYS_MOST = 3 };

/* The function, and of its place what stands behind the last '/'. */
static void put_frame(FILE *out, const struct profile_frame *frame)
{
    char *function = frame->function ? clean_text(frame->function, true) : NULL;
    char *place = frame->place ? clean_text(frame->place, true) : NULL;
    const char *slash = place ? strrchr(place, '/') : NULL;
    fputs(function ? function : "a function without a name", out);
    if (place)
        fprintf(out, " (%s)", slash ? slash + 1 : place);
    free(function);
    free(place);
}

static void put_way(FILE *out, const struct analysis_stack *stack, uint64_t samples)
{
    struct profile_frame frame;
    const char *rest = stack->frames, *between = "";
    bool was_inlined = false;
    fprintf(out, "%.0f %% of its samples: ", 100 * (double)stack->count / (double)samples);
    while (profile_frame_next(&rest, &frame)) {
        fputs(was_inlined ? ", inlined into " : between, out);
        put_frame(out, &frame);
        between = ", called by ";
        was_inlined = frame.is_inlined;
        profile_frame_release(&frame);
    }
    fputs(".\n", out);
}

static bool has_caller(const struct analysis_stack *stacks, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *end = strchr(stacks[i].frames, '\n');
        if (end && end[1])
            return true;
    }
    return false;
}

void put_callers(FILE *out, const struct analysis *analysis, const struct analysis_result *result,
                 const struct report_options *options)
{
    const struct analysis_stack *stacks;
    uint64_t samples;
    size_t count = analysis_stacks(analysis, result, &stacks, &samples);
    if (!has_caller(stacks, count))
        return;
    putc('\n', out);
    for (size_t i = 0; i < count && i < WAYS_MOST; i++) {
        struct flow flow;
        put_way(put_flow(&flow, out), &stacks[i], samples);
        put_flow_end(&flow, options->wraps ? (size_t)options->width : 0);
    }
}
