/* What AArch64 holds in which register, and what its ABI and its kernel do: see x86_64/registers.h. */
#pragma once

#ifndef __aarch64__
#error "coz runs on x86-64 and AArch64; another machine's headers belong beside these (src/runtime/arch)"
#endif

#include <signal.h> /* siginfo_t */
#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* back: where the function that runs returns to, as long as it has not saved it. */
struct registers {
    uintptr_t pc, sp, fp, back;
};

enum { FRAME_POINTER = 29, LINK = 30 };

static inline struct registers registers_of(const ucontext_t *context)
{
    const mcontext_t *all = &context->uc_mcontext;
    return (struct registers){all->pc, all->sp, all->regs[FRAME_POINTER], all->regs[LINK]};
}

/* A return address may be signed in its upper bits (PAC); this takes them off, and does nothing elsewhere. */
static inline uintptr_t registers_plain(uintptr_t address)
{
    register uintptr_t link __asm__("x30") = address;
    __asm__("hint #7" : "+r"(link)); /* xpaclri */
    return link;
}

static inline uint64_t registers_fingerprint(const ucontext_t *context)
{
    uint64_t print = 0;
    for (int i = 0; i <= LINK; i++)
        print = (print ^ context->uc_mcontext.regs[i]) * 0x9e3779b97f4a7c15u;
    print = (print ^ context->uc_mcontext.pc) * 0x9e3779b97f4a7c15u;
    return print ^ print >> 32;
}

static inline __attribute__((always_inline)) struct registers registers_here(void)
{
    struct registers here;
    __asm__ volatile("adr %0, .\n\tmov %1, sp\n\tmov %2, x29\n\tmov %3, x30"
                     : "=&r"(here.pc), "=&r"(here.sp), "=&r"(here.fp), "=&r"(here.back));
    return here;
}

static inline long registers_result(const ucontext_t *context)
{
    return (long)context->uc_mcontext.regs[0];
}

/* The kernel steps over a breakpoint by itself, and nothing in the registers tells of it. */
static inline bool registers_resumes(const ucontext_t *context)
{
    (void)context;
    return false;
}

enum { SYSTEM_CALL_SIZE = 4, NUMBERED_CALL_SIZE = 8 };

/* The instruction is svc #0. */
static inline bool registers_is_call(const unsigned char *instruction)
{
    uint32_t word;
    __builtin_memcpy(&word, instruction, sizeof word);
    return word == 0xd4000001;
}

/* A move of the number to x8, and svc #0. */
static inline bool registers_is_numbered_call(const unsigned char *instructions, uint32_t number)
{
    uint32_t word;
    __builtin_memcpy(&word, instructions, sizeof word);
    return word == (0xd2800008 | number << 5) && registers_is_call(instructions + 4);
}

enum { RED_ZONE = 0 };

/* Entries of the procedure linkage table leave the stack alone. */
static inline uintptr_t registers_cfa_in_plt(uintptr_t pc, uintptr_t sp)
{
    (void)pc;
    return sp;
}

/* Handlers return to the kernel's own page of code. It calls rt_sigreturn. */
enum { SIGNALS_RETURN_OUTSIDE = true };

static inline bool registers_is_signal_return(const unsigned char *instructions)
{
    enum { RT_SIGRETURN = 139 };
    return registers_is_numbered_call(instructions, RT_SIGRETURN);
}

enum { SIGNALS_ALWAYS_TELL = false };

static inline const ucontext_t *registers_saved_at(uintptr_t sp)
{
    return (const ucontext_t *)(sp + sizeof(siginfo_t));
}
