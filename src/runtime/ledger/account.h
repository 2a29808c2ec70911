/* One thread's account with the ledger: what it has paid (ledger.h), as of when it is settled and where it
 * was since (runqueue.h), and what it tells the others while it gets ahead (ramp.h). The parts of the ledger
 * that have a clock all work on one of these, and on nothing else of a thread.
 *
 * It belongs to one thread; only that thread, inside its guard or in its handler, changes it. */
#pragma once

#include "runtime/clock/instant.h"
#include "runtime/ledger/ledger.h"

/* A time in which the thread had no core, and what of `required` it was credited with for that. */
struct absence {
    uint64_t from_ns, until_ns, credited_ns;
};

enum { ABSENCES = 4 }; /* the latest */

/* Of the thread's waits for a core, when these are the target (core_waits.h): up to which total of them it has got
 * ahead, in which window, and what the run queue had been credited with by then. */
struct core_waits {
    bool is_target;
    uint32_t window;
    uint64_t queued_ns, credited_ns;
};

/* How long threads had a core, what of that they paid, and how long they stood in its run queue. */
struct core_times {
    uint64_t had_ns, paid_ns, queued_ns;
    uint64_t ranked_ns; /* how long they wanted it, times what the kernel weighs them by: 1 at nice 0 */
};

/* The thread's own, and those of the others on its core, in the last while (core_share.h): in windows of one target at
 * one speedup. */
struct core_turns {
    segment_target target;
    struct core_sums {
        double had_ns, paid_ns, queued_ns, ranked_ns;
    } mine, others;
};

/* What the thread saw when it last looked, and where: totals of its own, and of all threads there. */
struct core_look {
    uint64_t at_ns;
    unsigned core;
    uint32_t window;
    struct core_times mine, all;
};

enum { CORE_SHARE_TARGETS = 32 };

struct core_share {
    struct core_look last;
    struct core_turns turns[CORE_SHARE_TARGETS];
    unsigned count; /* the next one goes there, in turns */
    uint32_t rank;  /* what the kernel weighs it by, 1024 at nice 0; 0: it is of a real-time class */
    uint64_t ranked_at_ns;
};

struct account {
    struct balance balance;
    _Atomic uint64_t *lifted_ns; /* in the segment, for others to raise; NULL: it has no place there */
    uint32_t pid;
    struct presence presence;
    /* Where the last settlement stood: what `required` grew by since is owed, or credited (runqueue.h). */
    struct instant mark;
    unsigned mark_core;
    struct absence absences[ABSENCES];
    unsigned absences_count; /* the next one goes there, in turns */
    uint64_t uncredited_ns;  /* of the turns that it lost lately, for which nothing was due yet */
    struct core_waits core_waits;
    struct core_share core_share;
    uint64_t paid_on_core_ns;           /* what it has paid on its core, by its own steps too */
    uint64_t counted_ns, counted_at_ns; /* of its time in the run queue, for the totals; and when */
    struct segment_ramp *ramp;          /* once it has published one */
    uint64_t folded_ns;                 /* when it last looked at those of others */
    /* While it pauses. The time that the program's own signal handlers took is none of the pause; and they
     * get the slack of timers back, which a pause has another of (0: not now). */
    volatile uint64_t elsewhere_ns;
    uint64_t own_slack_ns;
    uint64_t wakes_late_ns; /* from pauses, lately */
    /* How long the thread has stood still for us in windows, pauses and our own work together; and how much of
     * it when the program last read a clock (calls/deadline.h). */
    uint64_t stood_ns, stood_at_clock_ns;
};

/* The thread has paused for ns: in a sleep of the program's, say, that was as much longer. */
static inline void account_pause(struct account *account, struct segment *segment, uint64_t ns)
{
    account->stood_ns += ns;
    ledger_paused(&account->balance, segment, ns);
}

/* What the thread has paid. */
static inline uint64_t account_paid_ns(const struct account *account)
{
    return atomic_load_explicit(account->balance.paid_ns, memory_order_relaxed);
}
