/* What x86-64 holds in which register, and what its ABI and its linkers do. Another machine's port begins
 * here: it gives the same names. Async-signal-safe. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <ucontext.h>

/* back: of machines whose calls keep the return address in a register; here they push it. */
struct registers {
    uintptr_t pc, sp, fp, back;
};

static inline struct registers registers_of(const ucontext_t *context)
{
    const greg_t *all = context->uc_mcontext.gregs;
    return (struct registers){(uintptr_t)all[REG_RIP], (uintptr_t)all[REG_RSP], (uintptr_t)all[REG_RBP], 0};
}

/* A return address as it is; on other machines it may be signed. */
static inline uintptr_t registers_plain(uintptr_t address)
{
    return address;
}

/* A number made of all that the program has in its registers for numbers and addresses, and of where it is. */
static inline uint64_t registers_fingerprint(const ucontext_t *context)
{
    uint64_t print = 0;
    for (int i = REG_R8; i <= REG_RIP; i++)
        print = (print ^ (uint64_t)context->uc_mcontext.gregs[i]) * 0x9e3779b97f4a7c15u;
    return print ^ print >> 32;
}

/* Those of the function that this is inlined into. */
static inline __attribute__((always_inline)) struct registers registers_here(void)
{
    struct registers here = {.back = 0};
    __asm__ volatile("lea 0(%%rip), %0\n\tmov %%rsp, %1\n\tmov %%rbp, %2"
                     : "=r"(here.pc), "=r"(here.sp), "=r"(here.fp));
    return here;
}

/* What a system call has returned, right after it. */
static inline long registers_result(const ucontext_t *context)
{
    return (long)context->uc_mcontext.gregs[REG_RAX];
}

/* The instruction that it stands before has met a breakpoint, and does not meet it again as it goes on: the
 * resume flag. */
static inline bool registers_resumes(const ucontext_t *context)
{
    enum { RESUME_FLAG = 1 << 16 };
    return context->uc_mcontext.gregs[REG_EFL] & RESUME_FLAG;
}

/* The instruction is syscall. */
static inline bool registers_is_call(const unsigned char *instruction)
{
    return instruction[0] == 0x0f && instruction[1] == 0x05;
}

enum { SYSTEM_CALL_SIZE = 2 }; /* bytes of that instruction */

enum {
    NUMBERED_CALL_SIZE = 7
}; /* bytes of the two instructions that choose a call by its number, and make it */

/* The two make the call of that number: a move to eax, and syscall. */
static inline bool registers_is_numbered_call(const unsigned char *instructions, uint32_t number)
{
    uint32_t chosen;
    __builtin_memcpy(&chosen, instructions + 1, sizeof chosen);
    return instructions[0] == 0xb8 && chosen == number && registers_is_call(instructions + 5);
}

enum { RED_ZONE = 128 }; /* below the stack pointer, and nobody's but the function's that runs */

/* The canonical frame address in an entry of the procedure linkage table: from its twelfth byte on, a word
 * lies on the stack. */
static inline uintptr_t registers_cfa_in_plt(uintptr_t pc, uintptr_t sp)
{
    return sp + 8 + ((pc & 15) >= 11 ? 8 : 0);
}

/* Whether handlers return to code that is no module's; here libc has it, and its rows tell. */
enum { SIGNALS_RETURN_OUTSIDE = false };

/* Whether it is that code. */
static inline bool registers_is_signal_return(const unsigned char *instructions)
{
    (void)instructions;
    return false;
}

/* Whether the kernel hands siginfo and context to handlers that did not ask for them (SA_SIGINFO). */
enum { SIGNALS_ALWAYS_TELL = true };

/* Where a signal's frame has the registers, when its handler has returned. */
static inline const ucontext_t *registers_saved_at(uintptr_t sp)
{
    return (const ucontext_t *)sp;
}
