/*
 * The method that waits. While one thread or more is in the target the target is *on*. A thread that is in other regions
 * meanwhile owes a share of that time, and pauses for it before it leaves them. So time in the target passes for the
 * others as if it were shorter by that share. What all must have paused by now is the share of all the time that the
 * target was on.
 *
 * To know when it was on takes all threads' times in it. They only log these, in memory of their own, for a mark must
 * cost nothing. Whoever comes to leave a region, and finds that nobody did so for OVERLAP_DELAY_NS, adds them up for all.
 *
 * A pause is itself time in another region: while it lasts the target may be on.
 */
#pragma once

#include "regions/marks/thread.h"

enum { OVERLAP_DELAY_NS = 10000 };

/* Before an experiment begins, when no other thread passes marks in this moment. */
void overlap_reset(double tick_ns);

/* Ticks that the target was on since then. */
uint64_t overlap_total(void);

/* How many ticks elsewhere of the thread, in all its life until now, the target was on. What it says may be
 * OVERLAP_DELAY_NS old. */
uint64_t overlap_of(struct region_thread *thread, uint64_t now);

/* Until there is room in the thread's log. */
void overlap_make_room(struct region_thread *thread);

/* In the child of a fork: whoever had the lock is not there. */
void overlap_forked(void);
