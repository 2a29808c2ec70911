#include "runtime/runqueue.h"

#include "base/clock.h"
#include "runtime/descriptors.h"
#include "runtime/kernel.h"
#include "segment/cores.h"
#include "segment/growth.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/syscall.h>

enum {
    OFF_CPU_NS = 20000, /* wall time without CPU time from here on is worth asking the scheduler about */
    WORTH_LOOKING_NS = 10000, /* a debt from here on is worth a look into the history */
};

static uint64_t required(void)
{
    return atomic_load_explicit(&runtime_segment->due.required_ns, memory_order_relaxed);
}

/* Whoever looks at the clock is on a core. */
static struct instant noted(struct instant now)
{
    struct thread *thread = &thread_current;
    thread->seen_core = (unsigned)sched_getcpu();
    core_note(runtime_segment, thread->seen_core, now.wall_ns, (uint32_t)thread->tid);
    return now;
}

struct instant instant_now(void)
{
    struct thread *thread = &thread_current;
    uint64_t before_ns = clock_wall_ns(), level = required();
    /* In this order: kernels preempt at the end of system calls, and the wall clock must not miss that. */
    uint64_t cpu = clock_cpu_ns();
    struct instant now = noted((struct instant){clock_wall_ns(), cpu});
    if (unlikely(now.wall_ns - before_ns > PREEMPTED_NS)) {
        thread->lost.ns += now.wall_ns - before_ns;
        thread->lost.growth_ns += required() - level;
    }
    return now;
}

struct instant instant_move(struct instant from)
{
    uint64_t now = clock_wall_ns(), moved = now - from.wall_ns;
    return moved < PREEMPTED_NS ? noted((struct instant){now, from.cpu_ns + moved}) : instant_now();
}

static uint64_t number(const char **text)
{
    uint64_t value = 0;
    for (; **text >= '0' && **text <= '9'; (*text)++)
        value = value * 10 + (uint64_t)(**text - '0');
    while (**text == ' ')
        (*text)++;
    return value;
}

/* "cpu_ns queued_ns turns" */
static struct scheduled scheduled(struct thread *thread)
{
    struct scheduled nothing = {0, 0}, told;
    char text[96];
    if (thread->schedstat == -1) {
        int fd = (int)kernel_call(SYS_openat, AT_FDCWD, (long)"/proc/thread-self/schedstat",
                                  O_RDONLY | O_CLOEXEC, 0, 0, 0);
        thread->schedstat = fd < 0 ? -2 : descriptors_keep(fd, thread->tid);
        if (thread->schedstat < 0)
            thread->schedstat = -2; /* never ask again */
    }
    if (!descriptors_is_of(thread->schedstat, thread->tid))
        return nothing;
    long length = kernel_call(SYS_pread64, thread->schedstat, (long)text, sizeof text - 1, 0, 0, 0);
    if (length <= 0)
        return nothing;
    text[length] = 0;
    const char *rest = text;
    number(&rest);
    told.queued_ns = number(&rest);
    told.turns = number(&rest);
    return told;
}

/* How much of away_ns, which ended at that moment, the thread stood in the run queue. The kernel tells of the
 * present: who lost the core again since then is told of that wait the next time. */
static uint64_t take_queued(struct thread *thread, struct scheduled told, uint64_t away_ns, uint64_t until_ns)
{
    uint64_t queued = clock_passed_ns(thread->mark_scheduled.queued_ns, told.queued_ns);
    if (queued > away_ns)
        queued = away_ns;
    if (clock_passed_ns(until_ns, clock_wall_ns()) > LONGEST_OWN_NS)
        told.queued_ns = thread->mark_scheduled.queued_ns + queued;
    thread->mark_scheduled = told;
    return queued;
}

/* How long the thread was off its core since it was last settled. */
static uint64_t off_cpu_ns(const struct thread *thread, struct instant now)
{
    return clock_passed_ns(clock_passed_ns(thread->mark.cpu_ns, now.cpu_ns),
                           clock_passed_ns(thread->mark.wall_ns, now.wall_ns));
}

/* Credits what the thread lost at its looks at the clock, out of queued_ns in the run queue. Returns what is
 * left of those. */
static uint64_t credit_lost(struct thread *thread, uint64_t queued_ns)
{
    uint64_t lost = thread->lost.ns < queued_ns ? thread->lost.ns : queued_ns;
    if (lost)
        ledger_credit_runqueue(&thread->account, runtime_segment, thread->lost.growth_ns, lost);
    thread->lost = (struct lost_turns){0, 0};
    return queued_ns - lost;
}

static void set_mark(struct thread *thread, struct instant now)
{
    thread->mark = now;
    thread->mark_core = thread->seen_core;
}

void runqueue_mark(struct thread *thread, struct instant now)
{
    int saved = errno;
    uint64_t off = off_cpu_ns(thread, now);
    if (off > OFF_CPU_NS)
        credit_lost(thread, take_queued(thread, scheduled(thread), off, now.wall_ns));
    set_mark(thread, now);
    errno = saved;
}

/* What `required` grew by between two moments; `otherwise`, when its history does not go back that far. */
static uint64_t growth_between(uint64_t from_ns, uint64_t until_ns, uint64_t otherwise_ns)
{
    uint64_t before = growth_at(runtime_segment, from_ns), after = growth_at(runtime_segment, until_ns);
    if (before == UINT64_MAX || after == UINT64_MAX)
        return otherwise_ns;
    return after > before ? after - before : 0;
}

/* When the thread began to stand in the run queue, of a stretch of wall_ns since it was last settled: when
 * another one of the tree was first seen on its core. If none was, in the middle is the best guess, and it
 * can be off by half of the rest only, which is less than a period. */
static uint64_t queued_from(const struct thread *thread, uint64_t queued_ns, uint64_t wall_ns)
{
    uint64_t earliest = thread->mark.wall_ns, latest = earliest + wall_ns - queued_ns;
    uint64_t lost = core_lost_at(runtime_segment, thread->mark_core, (uint32_t)thread->tid, earliest);
    if (!lost)
        return earliest + (latest - earliest) / 2;
    return lost < latest ? lost : latest;
}

/* Credits what `required` grew by while the thread was queued. */
static void credit_queued(struct thread *thread, uint64_t queued_ns, uint64_t wall_ns, uint64_t behind_ns)
{
    uint64_t from = queued_from(thread, queued_ns, wall_ns);
    uint64_t otherwise = (uint64_t)((double)behind_ns * (double)queued_ns / (double)wall_ns);
    uint64_t credited = ledger_credit_runqueue(&thread->account, runtime_segment,
                                               growth_between(from, from + queued_ns, otherwise), queued_ns);
    runqueue_was_absent(thread, from, from + queued_ns, credited);
}

void runqueue_was_absent(struct thread *thread, uint64_t from_ns, uint64_t until_ns, uint64_t credited_ns)
{
    thread->absences[thread->absences_count++ % ABSENCES] = (struct absence){from_ns, until_ns, credited_ns};
}

/* Steps come late, at a sample or where a stretch ends, and are written into the history for the time that
 * they stand for. What it now says of an absence, and did not when that ended, is credited. Were it not, a
 * thread that waits often and briefly would pay for steps that others made on its core while it waited. */
static void credit_absences(struct thread *thread, uint64_t now_ns)
{
    enum { LATE_PERIODS = 6 };
    uint64_t oldest = now_ns - LATE_PERIODS * runtime_segment->period_ns;
    for (int i = 0; i < ABSENCES; i++) {
        struct absence *absence = &thread->absences[i];
        if (absence->until_ns < oldest || absence->until_ns < absence->from_ns + GROWTH_STEP_NS)
            continue;
        /* The step of the history in which it ended may have grown only afterwards: what woke it may run in
         * the target from then on. */
        uint64_t growth = growth_between(absence->from_ns, absence->until_ns - GROWTH_STEP_NS, 0);
        if (growth > absence->credited_ns)
            absence->credited_ns += ledger_credit_runqueue(
                &thread->account, runtime_segment, growth - absence->credited_ns,
                clock_passed_ns(absence->from_ns + absence->credited_ns, absence->until_ns));
    }
}

/* Blocked, and not in the run queue: it was switched from, which a thread is not when only its core's time
 * was stolen. */
static bool was_blocked(const struct thread *thread, struct scheduled told)
{
    return !told.turns || told.turns != thread->mark_scheduled.turns;
}

bool runqueue_credit(struct thread *thread, struct instant now)
{
    uint64_t behind = ledger_behind(&thread->account, runtime_segment);
    uint64_t wall = clock_passed_ns(thread->mark.wall_ns, now.wall_ns), off = off_cpu_ns(thread, now);
    bool asleep = false;
    if (behind > WORTH_LOOKING_NS) {
        credit_absences(thread, now.wall_ns);
        behind = ledger_behind(&thread->account, runtime_segment);
    }
    if (behind && off >= OFF_CPU_NS) {
        int saved = errno;
        struct scheduled told = scheduled(thread);
        bool blocked = was_blocked(thread, told);
        uint64_t queued = take_queued(thread, told, off, now.wall_ns), rest = credit_lost(thread, queued);
        if (rest > OFF_CPU_NS)
            credit_queued(thread, rest, wall, behind);
        asleep = blocked && off - queued > wall / 2;
        set_mark(thread, now);
        errno = saved;
    }
    /* Credit comes first, and then what was paused too long: while that stands beside the balance, a step of
     * the thread's own does not make it owed by others. */
    ledger_paused(&thread->account, runtime_segment, 0);
    return asleep;
}

double runqueue_growth_lately(struct instant now)
{
    enum { LATELY_NS = 5000000 };
    return (double)growth_between(now.wall_ns - LATELY_NS, now.wall_ns, 0) / LATELY_NS;
}

void runqueue_credit_back(struct thread *thread, uint64_t queued_ns, struct instant now)
{
    ledger_credit_runqueue(&thread->account, runtime_segment,
                           growth_between(now.wall_ns - queued_ns, now.wall_ns, queued_ns), queued_ns);
}

void runqueue_credit_start(struct thread *thread, struct instant now)
{
    if (ledger_debt(&thread->account, runtime_segment) < OFF_CPU_NS)
        return;
    thread->mark_scheduled = scheduled(thread);
    runqueue_credit_back(thread, thread->mark_scheduled.queued_ns, now); /* all of its life */
}

uint64_t runqueue_in_step(struct thread *thread, uint64_t step_ns, uint64_t now_ns, uint64_t otherwise_ns)
{
    struct scheduled told = scheduled(thread);
    return thread->schedstat < 0 ? otherwise_ns : take_queued(thread, told, step_ns, now_ns);
}
