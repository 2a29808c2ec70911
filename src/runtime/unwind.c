#include "runtime/unwind.h"

#include "runtime/runtime.h"

#include <signal.h>
#include <ucontext.h>

/* What the ABI of x86-64 keeps below the stack pointer. */
enum { RED_ZONE = 128 };

/* Reads a word of the stack, or fails when it is not there. */
static bool read_word(const struct frame *frame, uintptr_t stack_high, uintptr_t at, uintptr_t *word)
{
    if (at < frame->sp || at + sizeof *word > stack_high || at % sizeof *word)
        return false;
    *word = *(const uintptr_t *)at;
    return true;
}

/* The same for a register's slot. In an epilogue the slots that were popped lie below the stack pointer, and
 * are still said to hold what they do: nobody may write to the RED_ZONE bytes there. */
static bool read_saved(const struct frame *frame, uintptr_t stack_high, uintptr_t at, uintptr_t *word)
{
    struct frame below = *frame;
    below.sp -= frame->is_call ? 0 : RED_ZONE;
    return read_word(&below, stack_high, at, word);
}

/* The last row that starts at or before the address. */
static const struct unwind_row *find_row(const struct segment_module *module, uint32_t address)
{
    size_t count = atomic_load_explicit(&module->unwind_count, memory_order_acquire);
    const struct unwind_row *rows =
        (const void *)((const char *)runtime_segment + atomic_load(&module->unwind_offset));
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (rows[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &rows[low - 1] : NULL;
}

static bool step_by_frame_pointer(struct frame *frame, uintptr_t stack_high)
{
    uintptr_t fp, pc;
    if (!read_word(frame, stack_high, frame->fp, &fp) ||
        !read_word(frame, stack_high, frame->fp + sizeof fp, &pc))
        return false;
    *frame = (struct frame){.pc = pc, .sp = frame->fp + 2 * sizeof fp, .fp = fp, .is_call = true};
    return pc != 0;
}

static bool step_out_of_signal(struct frame *frame, uintptr_t stack_high)
{
    const ucontext_t *context = (const void *)frame->sp;
    if (frame->sp + sizeof *context > stack_high)
        return false;
    const greg_t *registers = context->uc_mcontext.gregs;
    *frame = (struct frame){.pc = (uintptr_t)registers[REG_RIP],
                            .sp = (uintptr_t)registers[REG_RSP],
                            .fp = (uintptr_t)registers[REG_RBP]};
    return frame->sp && frame->sp < stack_high;
}

bool unwind_step(struct frame *frame, const struct code_range *range, uintptr_t stack_high)
{
    const struct segment_module *module = range ? range->module : NULL;
    /* A guess before the rows are there would be a wrong line; without them it is better than none. */
    if (module && atomic_load_explicit(&module->state, memory_order_acquire) != MODULE_KNOWN)
        return false;
    if (!module || !atomic_load_explicit(&module->unwind_count, memory_order_relaxed))
        return step_by_frame_pointer(frame, stack_high);
    uintptr_t address = frame->pc - range->bias - (frame->is_call ? 1 : 0);
    const struct unwind_row *row = find_row(module, (uint32_t)address);
    uintptr_t cfa;
    switch (row ? row->kind : UNWIND_NONE) {
    case UNWIND_RSP:
        cfa = frame->sp + (uintptr_t)(intptr_t)row->cfa_offset;
        break;
    case UNWIND_RBP:
        cfa = frame->fp + (uintptr_t)(intptr_t)row->cfa_offset;
        break;
    case UNWIND_PLT:
        cfa = frame->sp + 8 + ((frame->pc & 15) >= 11 ? 8 : 0);
        break;
    case UNWIND_SIGNAL:
        return step_out_of_signal(frame, stack_high);
    default:
        return false;
    }
    uintptr_t pc, fp = frame->fp;
    if (cfa <= frame->sp || !read_word(frame, stack_high, cfa - sizeof pc, &pc))
        return false;
    if (row->fp_offset && !read_saved(frame, stack_high, cfa + (uintptr_t)(intptr_t)row->fp_offset, &fp))
        return false;
    *frame = (struct frame){.pc = pc, .sp = cfa, .fp = fp, .is_call = true};
    return pc != 0;
}
