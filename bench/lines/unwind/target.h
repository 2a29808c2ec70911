/* The program that is stopped: its threads, registers and stacks. All functions exit with a message when the
 * system refuses something. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <ucontext.h>

/* Starts the program, stopped before its first instruction. */
pid_t target_start(char **argv);

/* Lets it run that long, then stops one of its threads, by chance. Returns its number; 0 when the program has
 * ended. */
pid_t target_stop(unsigned run_us);

/* One instruction. False when the thread is not there any more. */
bool target_step(pid_t thread);

/* Is the thread waiting in the kernel? Then it cannot be stepped. */
bool target_registers(pid_t thread, ucontext_t *context, bool *waits);

/* Copies the thread's stack, from its stack pointer up, to the same addresses of our own process. Returns its
 * end; 0 when something of ours is there. */
uintptr_t target_copy_stack(pid_t thread, uintptr_t stack_pointer);

void target_resume(pid_t thread);
void target_kill(void);
