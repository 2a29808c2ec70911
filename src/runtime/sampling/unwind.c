#include "runtime/sampling/unwind.h"

#include "runtime/core/kernel.h"
#include "runtime/core/runtime.h"
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

/* Without unwind rows, the frame pointer may hold anything: it is only followed to an address on the same stack, with no
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
    *frame =
        (struct frame){.pc = registers_plain(pc), .sp = frame->fp + 2 * sizeof fp, .fp = fp, .is_call = true};
    return pc != 0;
}

static bool step_out_of_signal(struct frame *frame, struct stack *stack)
{
    const ucontext_t *context = registers_saved_at(frame->sp);
    uintptr_t first = (uintptr_t)context, last = first + sizeof *context - 1;
    if (!is_below(stack, first, sizeof *context) || !can_read(stack, first) || !can_read(stack, last))
        return false;
    *frame = frame_of(registers_of(context));
    return frame->sp && frame->sp < stack->high;
}

/* Code that no module holds may be where a handler returns to. */
static bool is_signal_return(const struct frame *frame)
{
    const unsigned char *pc = (const unsigned char *)frame->pc;
    return SIGNALS_RETURN_OUTSIDE && frame->is_call && kernel_can_read(pc) &&
           kernel_can_read(pc + NUMBERED_CALL_SIZE - 1) && registers_is_signal_return(pc);
}

/* Reads where the frame returns to. */
static bool read_return(const struct frame *frame, const struct unwind_row *row, struct stack *stack,
                        uintptr_t cfa, uintptr_t *pc)
{
    uintptr_t saved = cfa + (uintptr_t)(intptr_t)row->fp_offset;
    switch (row->return_at) {
    case UNWIND_PUSHED:
        return read_word(frame, stack, cfa - sizeof *pc, pc);
    case UNWIND_BESIDE:
        return read_saved(frame, stack, saved + sizeof *pc, pc);
    case UNWIND_ALONE:
        return read_saved(frame, stack, saved, pc);
    default:
        *pc = frame->back;
        return true;
    }
}

static bool find_cfa(const struct frame *frame, const struct unwind_row *row, uintptr_t *cfa)
{
    switch (row ? row->kind : UNWIND_NONE) {
    case UNWIND_SP:
        *cfa = frame->sp + (uintptr_t)(intptr_t)row->cfa_offset;
        break;
    case UNWIND_FP:
        *cfa = frame->fp + (uintptr_t)(intptr_t)row->cfa_offset;
        break;
    case UNWIND_PLT:
        *cfa = registers_cfa_in_plt(frame->pc, frame->sp);
        break;
    default:
        return false;
    }
    /* A function that has nothing on the stack is the innermost one, and its return address still in place. */
    return *cfa > frame->sp || (*cfa == frame->sp && row->return_at == UNWIND_IN_PLACE && !frame->is_call);
}

bool unwind_step(struct frame *frame, const struct code_range *range, struct stack *stack)
{
    const struct segment_module *module = range ? range->module : NULL;
    if (!module && unlikely(is_signal_return(frame)))
        return step_out_of_signal(frame, stack);
    /* While the module's rows are still being read, guessing could name a wrong line: the walk ends. A module
     * that has no rows at all is walked by frame pointers. */
    if (module && atomic_load_explicit(&module->state, memory_order_acquire) != MODULE_KNOWN)
        return false;
    if (!module || !atomic_load_explicit(&module->unwind_count, memory_order_relaxed))
        return step_by_frame_pointer(frame, stack);
    uintptr_t address = frame->pc - range->bias - (frame->is_call ? 1 : 0);
    const struct unwind_row *row = find_row(module, address);
    if (row && row->kind == UNWIND_SIGNAL)
        return step_out_of_signal(frame, stack);
    uintptr_t cfa, pc, fp = frame->fp;
    if (!find_cfa(frame, row, &cfa) || !read_return(frame, row, stack, cfa, &pc))
        return false;
    bool is_saved = row->fp_offset && row->return_at != UNWIND_ALONE;
    if (is_saved && !read_saved(frame, stack, cfa + (uintptr_t)(intptr_t)row->fp_offset, &fp))
        return false;
    *frame = (struct frame){.pc = registers_plain(pc), .sp = cfa, .fp = fp, .is_call = true};
    return pc != 0;
}
