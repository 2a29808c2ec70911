/* What a signal's handler is told of the registers, made up, on either machine. */
#pragma once

#include <stdint.h>
#include <ucontext.h>

static inline ucontext_t context_made(uintptr_t pc, uintptr_t sp)
{
    ucontext_t context = {0};
#ifdef __aarch64__
    context.uc_mcontext.pc = pc;
    context.uc_mcontext.sp = sp;
#else
    context.uc_mcontext.gregs[REG_RIP] = (greg_t)pc;
    context.uc_mcontext.gregs[REG_RSP] = (greg_t)sp;
#endif
    return context;
}

/* For numbers and addresses, one after the other. */
#ifdef __aarch64__
enum { CONTEXT_REGISTERS = 31, CONTEXT_SAVED_REGISTER = 19 };
#else
enum { CONTEXT_REGISTERS = REG_RSP + 1, CONTEXT_SAVED_REGISTER = REG_RBX };
#endif

static inline void context_put(ucontext_t *context, int number, uint64_t value)
{
#ifdef __aarch64__
    context->uc_mcontext.regs[number] = value;
#else
    context->uc_mcontext.gregs[number] = (greg_t)value;
#endif
}

/* What a comparison leaves. */
static inline void context_change_flags(ucontext_t *context)
{
#ifdef __aarch64__
    context->uc_mcontext.pstate ^= 1u << 30;
#else
    context->uc_mcontext.gregs[REG_EFL] ^= 0x40;
#endif
}
