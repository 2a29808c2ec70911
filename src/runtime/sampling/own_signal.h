/* The signal that samples come by. The program may want each real-time signal for itself, at any moment: so a
 * process chooses one that nothing is installed for, and gives it up for another (thread/give_way.h) when the
 * program asks for it, or somebody else sends it. What is ours is told from the program's by what a signal
 * carries, not by its number: a timer that is still armed with the old number disturbs nobody.
 *
 * Any thread; all but own_signal_begin() also in handlers; errno is kept. */
#pragma once

#include "runtime/core/runtime.h"

#include <signal.h>
#include <stdbool.h>

extern HIDDEN _Atomic int own_signal_current;
extern HIDDEN _Atomic unsigned own_signal_sent_again;

/* 0: the program uses all there are, and no thread of this process is sampled. */
static inline int own_signal(void)
{
    return atomic_load_explicit(&own_signal_current, memory_order_relaxed);
}

static inline bool own_signal_is(int number)
{
    return unlikely(number == own_signal()) && number;
}

/* Once a process: chooses one, and installs the handler that the action names. 0, or a negative errno. When
 * there is none that is free, none is chosen. */
int own_signal_begin(const struct sigaction *action);

/* The program is to have `number`: samples go by another signal from here on, one that is not in `avoid`
 * (NULL: any). When there is none, samples end if is_asked_for, else nothing changes. True when this call has
 * changed it. */
bool own_signal_give_up(int number, const sigset_t *avoid, bool is_asked_for);

/* It was ours once. */
bool own_signal_was_given_up(int number);

/* Puts our handler where the program has left the default action to a number that was given up: a late sample
 * would end the program there. For SIGIO, too: see sample_guard(). */
void own_signal_guard(int number);

/* What it carries is ours. */
bool own_signal_is_sample(const siginfo_t *info);

/* Perf events may signal from here on, which carry no value. */
void own_signal_expect_events(void);

/* As a sample to a thread of this process. False when that is not possible. */
bool own_signal_send(pid_t tid, int number);

/* The program's signal came where it should not: once more, as it was. When the user has as many signals
 * queued as he may (`ulimit -i`), it comes without what it carried. */
void own_signal_send_again(int number, const siginfo_t *info);
/* How often that was done in this process. */
static inline unsigned own_signal_times_sent_again(void)
{
    return atomic_load_explicit(&own_signal_sent_again, memory_order_relaxed);
}

/* Before the program sees it, which may have been sent again: as it was at first. */
void own_signal_unmark(siginfo_t *info);

/* Takes what samples of that number are still pending for the calling thread, which blocks it. */
void own_signal_drain(int number);

/* The action that the program has chosen for our number, as long as that is no function: to ignore it, or the
 * default. */
bool own_signal_is_ignored(int number);
void own_signal_set_ignored(int number, bool is_ignored);

/* ---- masks: ours stays open in each thread, but the program is told what it has chosen. */

/* The calling thread begins to be sampled: the signal is opened. */
void own_signal_open(void);

/* Whether the program thinks that the calling thread blocks our signal. */
bool own_signal_is_hidden(void);
void own_signal_set_hidden(bool is_hidden);

/* The calling thread, which blocks all signals, goes on with the mask when that is over: in it our signal is
 * opened, and the one before it is as the program thinks. False when there is nothing to change. */
bool own_signal_change_mask(sigset_t *mask);

/* Blocks all signals of the calling thread, and gives back its mask. */
void own_signal_block_all(sigset_t *before);
void own_signal_set_mask(const sigset_t *mask);
