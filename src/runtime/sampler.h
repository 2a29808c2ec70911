/* Sampling of the calling thread's CPU time: the choice of a way to do it, and the one handler. Three ways:
 * by perf, where that is permitted, or by a timer on the wall clock, for threads that run long at a time; by
 * a timer on ticks for all others.
 *
 * A sample weighs the CPU time that has really passed since the one before, our own time taken off; the first
 * one of a thread weighs a whole period, whatever came before it, which makes the sum right for threads that
 * end before their second sample. On ticks, a period is a tick of the scheduler at least. */
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

/* The three ways. *_start returns 0 or a negative errno; it may come in the handler. first_ns is the time to
 * the first sample, next_ns to the next; *_next is for a suspended sampler. */
int sampler_perf_start(struct thread *thread, uint64_t first_ns);
void sampler_perf_next(struct thread *thread, uint64_t next_ns);
void sampler_perf_suspend(struct thread *thread);
void sampler_perf_resume(struct thread *thread);
void sampler_perf_stop(struct thread *thread);
bool sampler_perf_is_lost(const struct thread *thread); /* the program took its descriptor */
int sampler_clock_start(struct thread *thread, uint64_t first_ns);
void sampler_clock_next(struct thread *thread, uint64_t next_ns);
void sampler_clock_suspend(struct thread *thread); /* it still fires once, which is then taken for nothing */
void sampler_clock_resume(struct thread *thread);  /* not while the thread waits */

/* It has fired. When no sample is due yet, by the CPU clock, it is set again and this is true. */
bool sampler_clock_was_early(struct thread *thread);

/* Before and after a hooked call that may block: no signal is to wake the thread. */
void sampler_clock_wait(struct thread *thread);
void sampler_clock_go_on(struct thread *thread);

int sampler_ticks_start(struct thread *thread, uint64_t first_ns);
void sampler_ticks_next(struct thread *thread, uint64_t next_ns);
uint64_t sampler_tick_ns(void); /* they do not come more often */

/* The timer of the last two. A clock of the thread, or CLOCK_MONOTONIC for a fine timer; 0 or a negative
 * errno. It fires once, in ns; 0 takes it down. */
int sampler_timer_create(struct thread *thread, clockid_t clock);
void sampler_timer_set(struct thread *thread, uint64_t ns);
void sampler_timer_stop(struct thread *thread);

/* Which of the three (sampler_choice.c): at a thread's start, and after each of its samples, while they are
 * suspended. True when it was changed: then it is running. */
void sampler_choose_first(struct thread *thread);
bool sampler_choose(struct thread *thread, uint64_t cpu_ns);

/* A fine timer has woken the thread out of a call that no hook knows of: back to ticks, for good when that
 * happens again and again. */
void sampler_found_asleep(struct thread *thread);

/* A thread of this process has ended, and has used so much: the next ones may be alike. */
void sampler_note_life(uint64_t cpu_ns);
