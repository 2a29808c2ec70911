/* Sampling of the calling thread's CPU time: the choice of a way to do it, and the one handler.
 *
 * A sample weighs the CPU time that has really passed since the one before, our own time taken off; the first
 * one of a thread weighs a whole period, whatever came before it, which makes the sum right for threads that
 * end before their second sample. By timer, a period is a tick of the scheduler at least. */
#pragma once

#include "runtime/thread.h"

/* Once a process, before any thread: installs the handler. 0 or a negative errno. */
int sampler_install(void);

/* When the user's queue of real-time signals is full, the kernel sends SIGIO instead, which ends a program
 * that has not heard of it: it is taken for a sample. To be called when the program may have given SIGIO up.
 * One that a process sends does what it would do without us. */
void sampler_guard_io(void);

bool sampler_is_handler(const void *handler);

void sampler_start(struct thread *thread);
void sampler_stop(struct thread *thread);

/* Around a pause: a sample in it would be for nothing, and cost what nobody would account for. The time to
 * the next sample stands still meanwhile: begun anew, it would hide what a thread runs right after its
 * pauses. */
void sampler_suspend(struct thread *thread);
void sampler_resume(struct thread *thread);

/* A new period with jitter, in [P/2, 3P/2]. */
uint64_t sampler_period(struct thread *thread);

/* The two ways. *_start returns 0 or a negative errno; it may come in the handler. first_ns is the time to
 * the first sample, next_ns to the next; *_next is for a suspended sampler. */
int sampler_perf_start(struct thread *thread, uint64_t first_ns);
void sampler_perf_next(struct thread *thread, uint64_t next_ns);
void sampler_perf_suspend(struct thread *thread);
void sampler_perf_resume(struct thread *thread);
void sampler_perf_stop(struct thread *thread);
bool sampler_perf_is_lost(const struct thread *thread); /* the program took its descriptor */
int sampler_timer_start(struct thread *thread, uint64_t first_ns);
void sampler_timer_next(struct thread *thread, uint64_t next_ns);
void sampler_timer_stop(struct thread *thread);
uint64_t sampler_timer_tick_ns(void); /* it does not fire more often */

/* Which of the two (sampler_choice.c): at a thread's start, and after each of its samples, while they are
 * suspended. True when it was changed: then it is running. */
void sampler_choose_first(struct thread *thread);
bool sampler_choose(struct thread *thread, uint64_t cpu_ns);

/* A thread of this process has ended, and has used so much: the next ones may be alike. */
void sampler_note_life(uint64_t cpu_ns);
