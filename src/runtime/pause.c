#include "runtime/pause.h"

#include "base/clock.h"
#include "runtime/descriptors.h"
#include "runtime/kernel.h"
#include "runtime/ramp.h"
#include "runtime/sampler.h"
#include "segment/cores.h"
#include "segment/growth.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* System calls here are made by number: libc's functions are points where a thread may be cancelled, and a
 * pause can come in the middle of anything. */

enum {
    OFF_CPU_NS = 20000,   /* wall time without CPU time from here on is worth asking the scheduler about */
    PREEMPTED_NS = 30000, /* two looks at the clock this far apart: the thread may have been off its core */
    LONGEST_SLEEP_NS = 50000000, /* sleep in pieces, so that a dead controller is noticed */
};

static uint64_t required(void)
{
    return atomic_load_explicit(&runtime_segment->due.required_ns, memory_order_relaxed);
}

/* All time that the thread ever stood in the run queue, or 0 when the system does not tell. "cpu_ns queued_ns
 * slices" */
static uint64_t runqueue_ns(struct thread *thread)
{
    char text[96];
    if (thread->schedstat == -1) {
        int fd = (int)kernel_call(SYS_openat, AT_FDCWD, (long)"/proc/thread-self/schedstat",
                                  O_RDONLY | O_CLOEXEC, 0, 0, 0);
        thread->schedstat = fd < 0 ? -2 : descriptors_keep(fd, thread->tid);
        if (thread->schedstat < 0)
            thread->schedstat = -2; /* never ask again */
    }
    if (!descriptors_is_of(thread->schedstat, thread->tid))
        return 0;
    long length = kernel_call(SYS_pread64, thread->schedstat, (long)text, sizeof text - 1, 0, 0, 0);
    if (length <= 0)
        return 0;
    text[length] = 0;
    const char *c = text;
    while (*c && *c != ' ')
        c++;
    uint64_t ns = 0;
    for (c += *c == ' '; *c >= '0' && *c <= '9'; c++)
        ns = ns * 10 + (uint64_t)(*c - '0');
    return ns;
}

/* Whoever looks at the clock is on a core. */
static struct instant noted(struct instant now)
{
    core_note(runtime_segment, (unsigned)sched_getcpu(), now.wall_ns);
    return now;
}

struct instant instant_now(void)
{
    /* In this order: kernels preempt at the end of system calls, and the wall clock must not miss that. */
    uint64_t cpu = clock_cpu_ns();
    return noted((struct instant){clock_wall_ns(), cpu});
}

struct instant instant_move(struct instant from)
{
    uint64_t now = clock_wall_ns(), moved = now - from.wall_ns;
    return moved < PREEMPTED_NS ? noted((struct instant){now, from.cpu_ns + moved}) : instant_now();
}

/* How long the thread was off its core since it was last settled. */
static uint64_t off_cpu_ns(const struct thread *thread, struct instant now)
{
    return clock_passed_ns(clock_passed_ns(thread->mark.cpu_ns, now.cpu_ns),
                           clock_passed_ns(thread->mark.wall_ns, now.wall_ns));
}

void pause_mark(struct thread *thread, struct instant now)
{
    int saved = errno;
    if (off_cpu_ns(thread, now) > OFF_CPU_NS)
        thread->mark_runqueue_ns = runqueue_ns(thread);
    thread->mark = now;
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

/* What it grew by while the thread was queued, of a stretch of wall_ns since it was last settled. When in
 * that stretch, nobody tells: in the middle is the best guess, and it can be off by half of the rest only,
 * which is less than a period. */
static uint64_t growth_in_queue(const struct thread *thread, uint64_t queued_ns, uint64_t wall_ns,
                                uint64_t debt_ns)
{
    uint64_t from = thread->mark.wall_ns + (wall_ns - queued_ns) / 2;
    return growth_between(from, from + queued_ns,
                          (uint64_t)((double)debt_ns * (double)queued_ns / (double)wall_ns));
}

bool pause_credit(struct thread *thread, struct instant now)
{
    uint64_t debt = ledger_debt(&thread->account, runtime_segment);
    uint64_t wall = clock_passed_ns(thread->mark.wall_ns, now.wall_ns), off = off_cpu_ns(thread, now);
    if (!debt || off < OFF_CPU_NS)
        return false;
    int saved = errno;
    uint64_t before = thread->mark_runqueue_ns, total = runqueue_ns(thread);
    uint64_t queued = clock_passed_ns(before, total);
    if (queued > off)
        queued = off;
    ledger_credit_runqueue(&thread->account, runtime_segment, growth_in_queue(thread, queued, wall, debt),
                           queued);
    errno = saved;
    return off - queued > wall / 2;
}

void pause_credit_start(struct thread *thread, struct instant now)
{
    uint64_t debt = ledger_debt(&thread->account, runtime_segment);
    if (debt < OFF_CPU_NS)
        return;
    uint64_t queued = thread->mark_runqueue_ns = runqueue_ns(thread); /* all of its life */
    uint64_t growth = growth_between(now.wall_ns - queued, now.wall_ns, debt);
    ledger_credit_runqueue(&thread->account, runtime_segment, growth, queued);
}

/* How much of a long step between two looks at the clock the thread stood in the run queue: all of it, when
 * the system does not tell. */
static uint64_t queued_in_step(struct thread *thread, uint64_t step_ns)
{
    uint64_t total = runqueue_ns(thread), queued = clock_passed_ns(thread->mark_runqueue_ns, total);
    if (thread->schedstat < 0)
        return step_ns;
    thread->mark_runqueue_ns = total;
    return queued < step_ns ? queued : step_ns;
}

/* Spins for ns of the core's time from `since` on. While the thread is in the run queue and another one of
 * the tree has the core, that is no pause, and with an account what `required` grew by in it is credited. But
 * when the host, an interrupt or a stranger takes the core away, nobody's time goes on there: that is as good
 * a pause as spinning. They come as often in real time as they do; were they no pauses, they would come more
 * often in virtual time, the more delay there is. */
static struct instant spin(struct ledger_account *account, uint64_t ns, struct instant since)
{
    struct thread *thread = &thread_current;
    uint64_t last = since.wall_ns, spun = 0, level = required(), elsewhere = thread->elsewhere_ns;
    unsigned core = (unsigned)sched_getcpu();
    bool preempted = false;
    do {
        uint64_t now = clock_wall_ns(), step = now - last, grown = required();
        if (unlikely(thread->elsewhere_ns != elsewhere)) {
            elsewhere = thread->elsewhere_ns; /* a handler of the program's ran: no pause */
            preempted = true;
        } else if (step < PREEMPTED_NS) {
            spun += step;
        } else {
            uint64_t queued = queued_in_step(thread, step);
            preempted = true;
            if (!core_was_ours(runtime_segment, core, last))
                queued = 0;
            spun += step - queued;
            if (account && grown > level)
                ledger_credit_runqueue(account, runtime_segment, (grown - level) * queued / step, queued);
        }
        level = grown;
        last = now;
        if (step >= PREEMPTED_NS) /* it may have come back on another */
            core = (unsigned)sched_getcpu();
        core_note(runtime_segment, core, now);
        for (int i = 0; i < 4; i++)
            __builtin_ia32_pause();
    } while (spun < ns && atomic_load_explicit(&runtime_segment->active, memory_order_relaxed));
    if (account)
        ledger_paused(account, runtime_segment, spun);
    return preempted ? instant_now() : (struct instant){last, since.cpu_ns + spun};
}

static struct instant sleep_for(struct ledger_account *account, uint64_t ns, struct instant since)
{
    if (ns > LONGEST_SLEEP_NS)
        ns = LONGEST_SLEEP_NS;
    /* The default slack of 50 us would make short pauses twice as long; the program's own sleeps keep theirs.
     */
    uint64_t elsewhere = thread_current.elsewhere_ns;
    long slack = kernel_call(SYS_prctl, PR_GET_TIMERSLACK, 0, 0, 0, 0, 0);
    thread_current.own_slack_ns = (uint64_t)slack;
    kernel_call(SYS_prctl, PR_SET_TIMERSLACK, 1, 0, 0, 0, 0);
    struct timespec time = {.tv_sec = 0, .tv_nsec = (long)ns};
    kernel_call(SYS_nanosleep, (long)&time, 0, 0, 0, 0, 0);
    kernel_call(SYS_prctl, PR_SET_TIMERSLACK, slack, 0, 0, 0, 0);
    thread_current.own_slack_ns = 0;
    struct instant now = instant_now();
    elsewhere = thread_current.elsewhere_ns - elsewhere;
    ledger_paused(account, runtime_segment, clock_passed_ns(since.wall_ns + elsewhere, now.wall_ns));
    return now;
}

/* A debt larger than what the window has inserted so far is from an earlier one, and disturbs this one. */
static void audit_carried(uint64_t debt)
{
    uint64_t since =
        required() - atomic_load_explicit(&runtime_segment->window_required_ns, memory_order_relaxed);
    if (debt > since)
        atomic_fetch_add_explicit(&runtime_segment->carried_ns, debt - since, memory_order_relaxed);
}

struct instant pause_for_debt(struct thread *thread, bool asleep, struct instant since)
{
    int saved = errno;
    uint64_t debt = ledger_debt(&thread->account, runtime_segment);
    struct instant end = since;
    if (debt) {
        ramp_hide(thread);
        audit_carried(debt);
        end = asleep ? sleep_for(&thread->account, debt, since) : spin(&thread->account, debt, since);
    } else {
        ledger_paused(&thread->account, runtime_segment, 0); /* an overshoot may make it level */
    }
    pause_mark(thread, end);
    errno = saved;
    return end;
}

struct instant pause_apply_target(struct thread *thread, uint64_t in_target_ns, struct instant now)
{
    segment_target target = atomic_load_explicit(&runtime_segment->target, memory_order_relaxed);
    int32_t permille = segment_target_permille(target);
    if (!in_target_ns || !permille || !runtime_is_steered(now.wall_ns))
        return now;
    if (permille < 0)
        return pause_slowdown(in_target_ns * (uint64_t)-permille / 1000, now);
    ledger_step(&thread->account, runtime_segment, in_target_ns * (uint64_t)permille / 1000);
    growth_note(runtime_segment, now.wall_ns, required());
    return now;
}

struct instant pause_settle(struct thread *thread, uint64_t in_target_ns, struct instant now)
{
    /* Credit comes before our own step, which it would swallow otherwise. */
    bool asleep = pause_credit(thread, now), suspended = false;
    struct instant end = pause_apply_target(thread, in_target_ns, now);
    while (ledger_debt(&thread->account, runtime_segment) &&
           atomic_load_explicit(&runtime_segment->active, memory_order_relaxed)) {
        sampler_suspend(thread);
        suspended = true;
        end = pause_for_debt(thread, asleep, end);
        ramps_fold(thread);
        asleep = pause_credit(thread, end);
    }
    ledger_paused(&thread->account, runtime_segment, 0);
    if (suspended)
        sampler_resume(thread);
    thread->excluded_ns += clock_passed_ns(now.cpu_ns, end.cpu_ns);
    return end;
}

struct instant pause_slowdown(uint64_t ns, struct instant since)
{
    return spin(NULL, ns, since);
}

uint64_t pause_cost_ns(uint64_t began_ns, uint64_t paused_ns)
{
    enum { LONGEST_NS = 100000 }; /* no handler or hook takes more */
    uint64_t took_ns = clock_passed_ns(began_ns + paused_ns, clock_wall_ns());
    return took_ns <= LONGEST_NS ? took_ns : 0;
}

void pause_own_cost(struct thread *thread, uint64_t ns)
{
    segment_target target = atomic_load_explicit(&runtime_segment->target, memory_order_relaxed);
    uint64_t now = clock_wall_ns();
    if (!ns || !segment_target_site(target) || !runtime_is_steered(now))
        return;
    ledger_step(&thread->account, runtime_segment, ns);
    growth_note(runtime_segment, now, required());
}
