#include "runtime/sampling/stacks.h"

#include "runtime/core/runtime.h"
#include "runtime/sampling/unwind.h"
#include "shared/stack_slots.h"

void stacks_note(uint32_t site, const ucontext_t *context, uintptr_t stack_high)
{
    struct frame frame = frame_of(registers_of(context));
    struct stack stack = {.high = stack_high};
    uint64_t frames[SEGMENT_STACK_FRAMES];
    uint32_t depth = 0;
    for (uint32_t i = 0; i < SEGMENT_STACK_FRAMES; i++) {
        struct code_range found;
        uintptr_t pc = frame.pc - (frame.is_call ? 1 : 0);
        const struct code_range *range = modules_find(pc, &found) ? &found : NULL;
        if (range && range->module)
            frames[depth++] = stack_frame((uint32_t)(range->module - runtime_segment->modules),
                                          (uint32_t)(pc - range->bias));
        if (!unwind_step(&frame, range, &stack))
            break;
    }
    if (depth > 0)
        stack_count(runtime_segment, site, frames, depth);
}
