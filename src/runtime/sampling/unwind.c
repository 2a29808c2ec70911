#include "runtime/sampling/unwind.h"

#include "runtime/arch/x86_64/registers.h"
#include "runtime/core/kernel.h"
#include "runtime/core/tables.h"

#include <signal.h>
#include <ucontext.h>

enum {
    PAGE = 4096,
    MOST_OF_A_GUESS = 16 * PAGE, /* no frame of code without rows is thought to be larger */
};

static bool is_below(const struct stack *stack, uintptr_t at, size_t size)
{
    return at < stack->high && stack->high - at >= size;
}

static bool can_read(struct stack *stack, uintptr_t at)
{
    uintptr_t page = at & ~(uintptr_t)(PAGE - 1);
    if (page >= stack->from && page < stack->to)
        return true;
    if (!kernel_can_read((const void *)page))
        return false;
    if (page != stack->to)
        stack->from = page;
    stack->to = page + PAGE;
    return true;
}

/* Reads a word of the stack, or fails when it is not there. */
static bool read_word(const struct frame *frame, struct stack *stack, uintptr_t at, uintptr_t *word)
{
    if (at < frame->sp || !is_below(stack, at, sizeof *word) || at % sizeof *word || !can_read(stack, at))
        return false;
    *word = *(const uintptr_t *)at;
    return true;
}

/* The same for a register's slot. In an epilogue the slots that were popped lie below the stack pointer, and
 * are still said to hold what they do: nobody may write to the RED_ZONE bytes there. */
static bool read_saved(const struct frame *frame, struct stack *stack, uintptr_t at, uintptr_t *word)
{
    struct frame below = *frame;
    below.sp -= frame->is_call ? 0 : RED_ZONE;
    return read_word(&below, stack, at, word);
}

/* The last row that starts at or before the address. */
static const struct unwind_row *find_row(const struct segment_module *module, uintptr_t address)
{
    if (address > UINT32_MAX) /* code up there has no rows */
        return NULL;
    size_t count = atomic_load_explicit(&module->unwind_count, memory_order_acquire);
    const struct unwind_row *rows = tables_at(atomic_load(&module->unwind_offset), count, sizeof *rows);
    size_t low = 0, high = rows ? count : 0;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (rows[middle].start <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &rows[low - 1] : NULL;
}

/* Without unwind rows, rbp may hold anything: it is only followed to an address on the same stack, with no
 * unreadable page in between. */
static bool is_near(const struct frame *frame, struct stack *stack, uintptr_t fp)
{
    if (fp < frame->sp || fp >= stack->high || fp - frame->sp > MOST_OF_A_GUESS)
        return false;
    for (uintptr_t page = frame->sp & ~(uintptr_t)(PAGE - 1); page <= fp; page += PAGE)
        if (!can_read(stack, page))
            return false;
    return true;
}

static bool step_by_frame_pointer(struct frame *frame, struct stack *stack)
{
    uintptr_t fp, pc;
    if (!is_near(frame, stack, frame->fp) || !read_word(frame, stack, frame->fp, &fp) ||
        !read_word(frame, stack, frame->fp + sizeof fp, &pc))
        return false;
    *frame = (struct frame){.pc = pc, .sp = frame->fp + 2 * sizeof fp, .fp = fp, .is_call = true};
    return pc != 0;
}

static bool step_out_of_signal(struct frame *frame, struct stack *stack)
{
    const ucontext_t *context = (const void *)frame->sp;
    if (!is_below(stack, frame->sp, sizeof *context) || !can_read(stack, frame->sp) ||
        !can_read(stack, frame->sp + sizeof *context - 1))
        return false;
    struct registers registers = registers_of(context);
    *frame = (struct frame){.pc = registers.pc, .sp = registers.sp, .fp = registers.fp};
    return frame->sp && frame->sp < stack->high;
}

bool unwind_step(struct frame *frame, const struct code_range *range, struct stack *stack)
{
    const struct segment_module *module = range ? range->module : NULL;
    /* While the module's rows are still being read, guessing could name a wrong line: the walk ends. A module
     * that has no rows at all is walked by frame pointers. */
    if (module && atomic_load_explicit(&module->state, memory_order_acquire) != MODULE_KNOWN)
        return false;
    if (!module || !atomic_load_explicit(&module->unwind_count, memory_order_relaxed))
        return step_by_frame_pointer(frame, stack);
    uintptr_t address = frame->pc - range->bias - (frame->is_call ? 1 : 0);
    const struct unwind_row *row = find_row(module, address);
    uintptr_t cfa;
    switch (row ? row->kind : UNWIND_NONE) {
    case UNWIND_RSP:
        cfa = frame->sp + (uintptr_t)(intptr_t)row->cfa_offset;
        break;
    case UNWIND_RBP:
        cfa = frame->fp + (uintptr_t)(intptr_t)row->cfa_offset;
        break;
    case UNWIND_PLT:
        cfa = registers_cfa_in_plt((struct registers){frame->pc, frame->sp, frame->fp});
        break;
    case UNWIND_SIGNAL:
        return step_out_of_signal(frame, stack);
    default:
        return false;
    }
    uintptr_t pc, fp = frame->fp;
    if (cfa <= frame->sp || !read_word(frame, stack, cfa - sizeof pc, &pc))
        return false;
    if (row->fp_offset && !read_saved(frame, stack, cfa + (uintptr_t)(intptr_t)row->fp_offset, &fp))
        return false;
    *frame = (struct frame){.pc = pc, .sp = cfa, .fp = fp, .is_call = true};
    return pc != 0;
}
