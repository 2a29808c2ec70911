#include "runtime/locate.h"

#include "runtime/runtime.h"
#include "runtime/unwind.h"

enum { FRAMES = 64 };

static uint32_t site_at(const struct code_range *range, const struct frame *frame)
{
    if (!range || !range->module)
        return 0;
    const struct segment_module *module = range->module;
    uint32_t count = atomic_load_explicit(&module->row_count, memory_order_acquire);
    const struct site_row *rows =
        (const void *)((const char *)runtime_segment + atomic_load(&module->rows_offset));
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

uint32_t locate_site(const ucontext_t *context, uintptr_t stack_high)
{
    const greg_t *registers = context->uc_mcontext.gregs;
    struct frame frame = {.pc = (uintptr_t)registers[REG_RIP],
                          .sp = (uintptr_t)registers[REG_RSP],
                          .fp = (uintptr_t)registers[REG_RBP]};
    for (int depth = 0; depth < FRAMES; depth++) {
        struct code_range found;
        const struct code_range *range =
            modules_find(frame.pc - (frame.is_call ? 1 : 0), &found) ? &found : NULL;
        uint32_t site = site_at(range, &frame);
        if (site || !unwind_step(&frame, range, stack_high))
            return site;
    }
    return 0;
}
