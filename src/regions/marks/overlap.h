/*
 * The method that waits. While one thread or more is in the target the target is *on*. A thread that is in other regions
 * meanwhile owes a share of that time, and pauses for it before it leaves them. So time in the target passes for the
 * others as if it were shorter by that share. What all must have paused by now is the share of all the time that the
 * target was on.
 *
 * To know when it was on takes all threads' times in it. They only log these, in memory of their own, for a mark must
 * cost nothing. Whoever comes to leave a region, and finds that nobody did so for OVERLAP_DELAY_NS, adds them up for all.
 *
 * Where marks come so often that reading the clock at each would take a good part of what it measures, threads log in
 * short *watches* only, and what is found in one speaks for all the time since the one before. The watchman, a thread of
 * the library's own, begins them at random and adds up what they found: were it left to the marks, watches would not come
 * while there are none. A watch begins a moment after it is announced, for the watchman itself has just taken a core from
 * somebody. Where marks are rare, and in short calls, one watch lasts for the whole call.
 *
 * What a watch has found is due at once and in all, where it should have become due little by little. Rounds in which
 * threads meet may be shorter than what lies between two watches, and a pause that is longer than the others' lead costs
 * the program more than many short ones. So threads pay a part of what they owe again and again, as much less as they owe
 * less, and the sum follows in the same way.
 *
 * A pause is itself time in another region: while it lasts the target may be on.
 */
#pragma once

#include "regions/marks/thread.h"

enum {
    OVERLAP_DELAY_NS = 10000,
    OVERLAP_AHEAD_NS = 30000,   /* a watch is announced so long before it counts, */
    OVERLAP_WATCH_NS = 100000,  /* and lasts so long, */
    OVERLAP_LEAST_NS = 1000000, /* and the watchman comes again after a time between these two */
    OVERLAP_MOST_NS = 5000000,
    OVERLAP_LAG_NS = 3000000, /* the part of a debt that is paid after that time is 1 - 1/e */
};

/* The present watch: its number, which changes with each; since when a thread that has passed no mark in it is where it
 * is; and when it is over. In ticks; read atomically, the number first. */
extern uint32_t overlap_watch;
extern uint64_t overlap_since, overlap_until;

/* Around a call of the function: before, when no other thread passes marks in this moment, and after it, when it
 * returns the ticks that the target was on. */
void overlap_begin(double tick_ns);
uint64_t overlap_end(void);

/* A thread has begun to pass marks: from the second one on there is a watchman. */
void overlap_attend(void);

/* The present watch is not short. */
static inline bool overlap_goes_on(void)
{
    return __atomic_load_n(&overlap_until, __ATOMIC_RELAXED) == UINT64_MAX;
}

/* In ticks: what of a debt is to be paid when so long has passed since it was last paid of; and after how long that is as
 * much as `due`. */
double overlap_due(double debt, double passed);
double overlap_wait(double debt, double due);

/* How many ticks elsewhere of the thread, in all its life until now, the target was on. What it says may be
 * OVERLAP_DELAY_NS old, or the watchman's last. `now` is 0 in a thread that logs nothing. */
uint64_t overlap_of(struct region_thread *thread, uint64_t now);

/* Until there is room in the thread's log. False: a short watch ends before what was to be logged. */
bool overlap_make_room(struct region_thread *thread);

/* In the child of a fork: whoever had the lock is not there, nor is the watchman. */
void overlap_forked(void);
