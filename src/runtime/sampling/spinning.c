#include "runtime/sampling/spinning.h"

#include "runtime/arch/registers.h"
#include "runtime/core/kernel.h"

/* The kernel looks at what it is asked for, so this is for those that were seen before. */
static bool is_at_work_in_kernel(const ucontext_t *context)
{
    const unsigned char *pc = (const unsigned char *)registers_of(context).pc;
    if (!kernel_can_read(pc - SYSTEM_CALL_SIZE) || !registers_is_call(pc - SYSTEM_CALL_SIZE))
        return false;
    return !kernel_can_read(pc - NUMBERED_CALL_SIZE) ||
           !registers_is_numbered_call(pc - NUMBERED_CALL_SIZE, SYS_sched_yield);
}

bool spinning_note(struct spinning *spinning, const ucontext_t *context)
{
    uint64_t print = registers_fingerprint(context) | 1;
    for (int i = 0; i < SPINNING_SEEN; i++)
        if (spinning->seen[i] == print)
            return !is_at_work_in_kernel(context);
    spinning->seen[spinning->next++ % SPINNING_SEEN] = print;
    return false;
}
