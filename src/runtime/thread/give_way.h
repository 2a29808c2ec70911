/* The program comes to need the signal of samples, and gets it: they go by another one from then on, in all
 * threads of the process. Where no other is left, the process is not sampled any more, which is said.
 *
 * Other threads are told by a signal, and follow at once, or where they block it (sigsuspend()) later: what
 * samples still come by the old number are known by what they carry. */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <ucontext.h>

/* The program is about to install a function for the signal, or to wait for it. When it was ours it is not
 * any more on return, and hardly any thread is still to follow. Not in our handler; errno is kept. */
void give_way(int number);

/* The program is about to send the signal. Where its calling thread blocks it, as it thinks, it may look for it
 * among the pending ones at once: our handler must not take it first, and put it back a moment later. */
void give_way_to_sender(int number);

/* The program is about to block these, or to wait for them. Whoever names all real-time signals means none of
 * them: then ours stays. */
void give_way_to_set(const sigset_t *set);

/* In a handler: the calling thread follows, if it has not. */
void give_way_follow(ucontext_t *context);

/* In a hook: the same, when a call of the program's was about to return a sample. */
void give_way_follow_now(void);

/* In our handler: a signal that is no sample. What would have happened without us happens when the handler is
 * back: it stays pending where the program blocks it; it ends the program; it is ignored. */
void give_way_pass_on(int number, const siginfo_t *info, ucontext_t *context);

/* In a hook: a call has ended with EINTR, and no handler has run. Whether a signal that was no sample has been sent again
 * since own_signal_times_sent_again() was that, or is within milliseconds: then a thread that was just following took
 * what the calling thread was woken for. */
bool give_way_took_a_signal(unsigned before);

/* The child of a vfork() has handlers and a mask of its own, but its parent's memory. */
bool give_way_is_vforked(void);
