/* Sampling of the calling thread's CPU time: the choice of a way to do it, and the one handler. Three ways:
 * by perf, where that is permitted, or by a timer on the wall clock, for threads that run long at a time; by
 * a timer on ticks for all others.
 *
 * A sample weighs the CPU time that has really passed since the one before, our own time taken off; the first
 * one of a thread weighs a whole period, whatever came before it, which makes the sum right for threads that
 * end before their second sample. On ticks, a period is a tick of the scheduler at least. */
#pragma once

#include "runtime/core/runtime.h"

#include <stdbool.h>
#include <sys/types.h>

/* One thread's. Only that thread, its handler included, touches it. */
struct sampler {
    pid_t tid;
    int signal;               /* that its timers and events have; 0: there is none, and no samples */
    uint64_t sampled_cpu_ns;  /* the thread's CPU time up to which samples have accounted */
    uint64_t excluded_ns;     /* since then: CPU time that was ours */
    uint64_t began_cpu_ns;    /* CPU time when its sampling began */
    uint64_t lived_ns;        /* CPU time since then, up to the last sample, without ours */
    uint64_t covered_ns;      /* of the CPU time since then: what the first sample stands for, by timer */
    uint64_t first_weight_ns; /* the weight of the next sample; 0: the CPU time that has passed */
    bool suspended;           /* no samples at the moment: the thread pauses */
    bool waits;               /* the thread is in a hooked call that may block: nothing is to wake it */
    int perf_fd;              /* -1: none */
    uint64_t due_count_ns;    /* what its event will have counted at the next overflow */
    int timer;                /* the kernel's number */
    bool has_timer, timer_is_set;
    bool timer_is_fine;    /* on the wall clock (sampling/clock.c), not on ticks of the CPU clock */
    uint64_t fires_at_ns;  /* a fine timer, when it is set: wall clock */
    uint64_t rest_ns;      /* what it is set to when it goes on */
    uint64_t due_ns;       /* CPU time from the last sample to the next */
    unsigned timer_core;   /* where it was set */
    unsigned found_asleep; /* by a fine timer */
    unsigned short_waits;  /* so many waits in a row were none to speak of */
    uint64_t held_ns;      /* when the last wait began, on the wall clock */
    uint64_t held_cpu_ns;  /* and on the thread's; if it is sampled sparsely, and the call may compute */
    bool may_compute;      /* that call */
    uint64_t known_sleeps; /* how often it had given its core up at the last look, and slept in calls that do
                              nothing else since */
    bool is_stale;         /* the timer fired while the thread slept, and is still to be heard of */
    bool no_perf;          /* it was refused */
    bool keeps_ticks;      /* no fine timer either */
    bool is_sparse;        /* its periods are longer (sampling/choice.c) */
    /* How long it runs at a time, and from one hooked wait to the next (sampling/choice.c): lately, and as of
     * the last look. */
    uint64_t run_ns, runs, waits_lately;
    uint64_t seen_cpu_ns, seen_switches, seen_waits;
    uint64_t wait_count; /* hooked calls that may block, since its start */
    uint32_t random;     /* the state of sampler_random() */
};

void sampler_start(struct sampler *sampler);
void sampler_stop(struct sampler *sampler);

/* Samples come by another signal from here on. The thread blocks all signals. */
void sampler_change_signal(struct sampler *sampler, int number);

/* None comes before it is resumed, not even one that was on its way. The thread blocks our signal. */
void sampler_silence(struct sampler *sampler);

/* Around a pause: a sample in it would be for nothing, and cost what nobody would account for. The time to
 * the next sample stands still meanwhile: begun anew, it would hide what a thread runs right after its
 * pauses. */
void sampler_suspend(struct sampler *sampler);
void sampler_resume(struct sampler *sampler);

/* Resumes with a new period: from now on. */
void sampler_go_on(struct sampler *sampler);

/* For jitter (xorshift). */
void sampler_seed(struct sampler *sampler, uint32_t seed);
uint32_t sampler_random(struct sampler *sampler);

/* A new period with jitter, in [P/2, 3P/2]; where the thread is sampled sparsely, six times as long. */
uint64_t sampler_period(struct sampler *sampler);

/* The three ways. *_start returns 0 or a negative errno; it may come in the handler. first_ns is the time to
 * the first sample, next_ns to the next; *_next is for a suspended sampler. */
int sampler_perf_start(struct sampler *sampler, uint64_t first_ns);
void sampler_perf_next(struct sampler *sampler, uint64_t next_ns);
void sampler_perf_suspend(struct sampler *sampler);
void sampler_perf_resume(struct sampler *sampler);
void sampler_perf_stop(struct sampler *sampler);
void sampler_perf_change_signal(struct sampler *sampler, int before);
bool sampler_perf_is_lost(const struct sampler *sampler); /* the program took its descriptor */

/* In the handler, before the event is suspended: CPU time since the overflow; 0: it is not known. */
uint64_t sampler_perf_late_ns(const struct sampler *sampler);
int sampler_clock_start(struct sampler *sampler, uint64_t first_ns);
void sampler_clock_next(struct sampler *sampler, uint64_t next_ns);
void sampler_clock_suspend(
    struct sampler *sampler);                       /* it still fires once, which is then taken for nothing */
void sampler_clock_resume(struct sampler *sampler); /* not while the thread waits */

/* It has fired, at that moment of the CPU clock: not when the handler ran, which is later in calls than elsewhere, so
 * that they would be early less often. was_away: the thread was off its core then, and is back where it left, as a rule in
 * a call that gives the core away or wakes somebody. That is no place of chance: a loop that gives its core away in each
 * round was found there in more than half of all samples. When that is so, when no sample is due yet by the CPU clock, or
 * when it had fired while the thread slept, this is true, and it is set again: at once, or after the hooked call that the
 * thread is in. */
bool sampler_clock_was_early(struct sampler *sampler, uint64_t cpu_ns, bool was_away);

/* In a hooked call that may block: it sleeps there, and is sampled sparsely. */
bool sampler_clock_slept(const struct sampler *sampler);

/* Before and after a hooked call that may block; the wall clock says now_ns. True: the timer is to be taken down by
 * sampler_clock_hold(), that no signal wakes the thread, or set again by sampler_clock_resume(). may_compute: the call
 * may spin or compute. */
bool sampler_clock_waits(struct sampler *sampler, uint64_t now_ns, bool may_compute);
bool sampler_clock_goes_on(struct sampler *sampler, uint64_t now_ns);
void sampler_clock_hold(struct sampler *sampler);

int sampler_ticks_start(struct sampler *sampler, uint64_t first_ns);
void sampler_ticks_next(struct sampler *sampler, uint64_t next_ns);
uint64_t sampler_tick_ns(void); /* they do not come more often */

/* The timer of the last two. A clock of the thread, or CLOCK_MONOTONIC for a fine timer; 0 or a negative
 * errno. It fires once, in ns; 0 takes it down. */
int sampler_timer_create(struct sampler *sampler, clockid_t clock);
void sampler_timer_set(struct sampler *sampler, uint64_t ns);
void sampler_timer_stop(struct sampler *sampler);
void sampler_timer_change_signal(struct sampler *sampler, int before);

/* Which of the three (sampling/choice.c): at a thread's start, and after each of its samples, while they are
 * suspended. True when it was changed: then it is running. */
void sampler_choose_first(struct sampler *sampler);
bool sampler_choose(struct sampler *sampler, uint64_t cpu_ns);

/* A fine timer has woken the thread out of a call that no hook knows of: back to ticks, for good when that
 * happens again and again. */
void sampler_found_asleep(struct sampler *sampler);

/* The thread hardly runs from one sleep to the next: on ticks, for a fine way costs more than it runs. */
void sampler_hardly_runs(struct sampler *sampler);

/* The thread, on a fine timer, is about to make the SAMPLER_TELLING_WAITS-th hooked call that may block: on ticks, if it
 * hardly runs from one to the next. */
enum { SAMPLER_TELLING_WAITS = 8 };
void sampler_look_at_waits(struct sampler *sampler);

/* A sample by a fine timer took so much of the program's time, the interrupt included. */
void sampler_note_cost(uint64_t ns);

/* A thread of this process has ended, and has used so much: the next ones may be alike. */
void sampler_note_life(uint64_t cpu_ns);
