/* What the walk up 20 frames costs, by the runtime's own code over this program's tables and its libraries'.
 * Caches are warm, as the same stack is walked again and again. Prints the median of many. */
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

#include "base/clock.h"
#include "runtime/sampling/unwind.h"
#include "tables.h"

enum { DEPTH = 24, FRAMES = 20, WALKS = 2001, BATCH = 100 };

static int add_module(struct dl_phdr_info *object, size_t size, void *context)
{
    uintptr_t start = UINTPTR_MAX, end = 0;
    (void)size;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        uintptr_t from = object->dlpi_addr + header->p_vaddr;
        if (header->p_type != PT_LOAD)
            continue;
        start = from < start ? from : start;
        end = from + header->p_memsz > end ? from + header->p_memsz : end;
    }
    bool *first = context;
    if (*first || object->dlpi_name[0] == '/')
        tables_add(*first ? "/proc/self/exe" : object->dlpi_name,
                   (struct code_range){start, end, object->dlpi_addr, NULL});
    *first = false;
    return 0;
}

static uintptr_t stack_high;
static double costs[WALKS];

static int walk(const ucontext_t *context)
{
    const greg_t *registers = context->uc_mcontext.gregs;
    struct frame frame = {.pc = (uintptr_t)registers[REG_RIP],
                          .sp = (uintptr_t)registers[REG_RSP],
                          .fp = (uintptr_t)registers[REG_RBP]};
    struct stack stack = {.high = stack_high};
    int depth = 0;
    for (; depth < FRAMES; depth++) {
        struct code_range range;
        bool found = modules_find(frame.pc - (frame.is_call ? 1 : 0), &range);
        if (!unwind_step(&frame, found ? &range : NULL, &stack))
            break;
    }
    return depth;
}

static int compare(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static __attribute__((noinline)) int measure(void)
{
    ucontext_t context;
    volatile int frames = FRAMES;
    getcontext(&context);
    for (int i = 0; i < WALKS; i++) {
        uint64_t begun = clock_wall_ns();
        for (int j = 0; j < BATCH; j++)
            frames = walk(&context) < frames ? 0 : frames;
        costs[i] = (double)(clock_wall_ns() - begun) / BATCH;
    }
    qsort(costs, WALKS, sizeof *costs, compare);
    printf("%d frames: %.0f ns (%.0f to %.0f in nine of ten)\n", frames, costs[WALKS / 2], costs[WALKS / 20],
           costs[WALKS - WALKS / 20]);
    return frames;
}

static __attribute__((noinline)) int descend(int depth)
{
    volatile int below = depth == 0 ? measure() : descend(depth - 1);
    return below;
}

int main(void)
{
    bool first = true;
    int here;
    tables_init();
    dl_iterate_phdr(add_module, &first);
    stack_high = (uintptr_t)&here + 65536; /* more than what is read: the walk ends after so many frames */
    return descend(DEPTH) != FRAMES;
}
