/* The program's own signal handlers. One may interrupt the runtime anywhere: in a hook that waits, in the
 * middle of a settlement. It may call hooked functions, which must mean what they always mean, and it may
 * never come back: siglongjmp(), an exception, the end of the thread. So the program's handlers are called by
 * the runtime (hooks/handler.c), and while one runs the thread is as one that is in no hook. What it
 * interrupted is put back only when it returns.
 *
 * For the calling thread; async-signal-safe; errno is kept. */
#pragma once

#include "runtime/arch/registers.h"
#include "runtime/core/kernel.h"
#include "runtime/thread/thread.h"

#include <errno.h>
#include <ucontext.h>

/* What of ours a handler of the program's interrupted. */
struct interruption {
    bool any; /* false: nothing of the rest is set */
    int guard;
    bool suspended, holds_samples, is_nested;
    uint64_t began_ns, paid_ns; /* the wall clock and the balance when the handler began */
    struct wait wait;
};

struct interruption handlers_enter(void);
void handlers_leave(const struct interruption *was);

/* The thread has left all that it was in, and is about to end. */
void handlers_forget(struct thread *thread);

static inline bool handlers_find_call_at(const unsigned char *instruction)
{
    return kernel_can_read(instruction) && registers_is_call(instruction);
}

/* Of several signals, the one that ended a system call is the one whose handler finds the call's result in
 * place. */
static inline bool handlers_follow_a_call(const ucontext_t *context)
{
    return handlers_find_call_at((const unsigned char *)registers_of(context).pc - SYSTEM_CALL_SIZE);
}

static inline bool handlers_ended_a_call(const ucontext_t *context)
{
    return registers_result(context) == -EINTR && handlers_follow_a_call(context);
}

/* It ended a call, which is made again if its kind is: by the kernel, from before the instruction. */
static inline bool handlers_broke_a_call(const ucontext_t *context)
{
    return handlers_ended_a_call(context) ||
           handlers_find_call_at((const unsigned char *)registers_of(context).pc);
}

/* Or came between its result and the program, which is how it looks when the call was cut short. */
static inline bool handlers_cut_a_call(const ucontext_t *context)
{
    return registers_result(context) > 0 && handlers_follow_a_call(context);
}
