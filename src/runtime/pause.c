#include "runtime/pause.h"

#include "runtime/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/prctl.h>
#include <unistd.h>

enum {
    OFF_CPU_NS = 20000,   /* wall time without CPU time from here on is worth asking the scheduler about */
    PREEMPTED_NS = 30000, /* two looks at the clock this far apart: the thread was off its core in between */
    LONGEST_SLEEP_NS = 50000000, /* sleep in pieces, so that a dead controller is noticed */
};

static uint64_t required(void)
{
    return atomic_load_explicit(&runtime_segment->required_ns, memory_order_relaxed);
}

/* All time that the thread ever stood in the run queue, or 0 when the system does not tell. "cpu_ns queued_ns
 * slices" */
static uint64_t runqueue_ns(struct thread *thread)
{
    char text[96];
    if (thread->schedstat == -1) {
        thread->schedstat = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
        if (thread->schedstat < 0)
            thread->schedstat = -2; /* never ask again */
    }
    if (thread->schedstat < 0)
        return 0;
    ssize_t length = pread(thread->schedstat, text, sizeof text - 1, 0);
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

static void mark(struct thread *thread, uint64_t wall_ns)
{
    thread->mark_wall_ns = wall_ns;
    thread->mark_cpu_ns = clock_cpu_ns();
    if (thread->schedstat >= 0)
        thread->mark_runqueue_ns = runqueue_ns(thread);
}

void pause_mark(struct thread *thread)
{
    int saved = errno;
    mark(thread, clock_wall_ns());
    errno = saved;
}

bool pause_credit(struct thread *thread)
{
    int saved = errno;
    uint64_t debt = ledger_debt(&thread->account, runtime_segment);
    uint64_t wall = clock_wall_ns() - thread->mark_wall_ns;
    uint64_t cpu = clock_cpu_ns() - thread->mark_cpu_ns;
    uint64_t off = wall > cpu ? wall - cpu : 0;
    bool blocked = false;
    if (debt && off > OFF_CPU_NS) {
        uint64_t before = thread->mark_runqueue_ns, now = runqueue_ns(thread);
        uint64_t queued = now > before ? now - before : 0;
        if (queued > off)
            queued = off;
        ledger_credit_runqueue(&thread->account, runtime_segment, debt, queued, wall);
        blocked = off - queued > wall / 2;
    }
    errno = saved;
    return blocked;
}

/* Spins for ns of the core's time. Looks at the clock that are far apart mean that the core was somebody
 * else's: that stretch is no pause, and what `required` grew by in it is credited. */
static void spin(struct thread *thread, uint64_t ns, bool for_debt)
{
    uint64_t last = clock_wall_ns(), spun = 0, level = required();
    while (spun < ns) {
        for (int i = 0; i < 8; i++)
            __builtin_ia32_pause();
        uint64_t now = clock_wall_ns(), step = now - last, grown = required();
        last = now;
        if (step < PREEMPTED_NS) {
            spun += step;
        } else if (for_debt && grown > level) {
            ledger_credit_runqueue(&thread->account, runtime_segment, grown - level, step, step);
        }
        level = grown;
        if (for_debt && !atomic_load_explicit(&runtime_segment->active, memory_order_relaxed))
            break;
    }
    thread->excluded_ns += spun;
    if (for_debt)
        ledger_paused(&thread->account, runtime_segment, spun);
}

static void sleep_for(struct thread *thread, uint64_t ns)
{
    if (ns > LONGEST_SLEEP_NS)
        ns = LONGEST_SLEEP_NS;
    /* The default slack of 50 us would make short pauses twice as long; the program's own sleeps keep theirs.
     */
    int slack = prctl(PR_GET_TIMERSLACK);
    prctl(PR_SET_TIMERSLACK, 1ul);
    uint64_t start = clock_wall_ns();
    struct timespec time = {.tv_sec = 0, .tv_nsec = (long)ns};
    nanosleep(&time, NULL);
    ledger_paused(&thread->account, runtime_segment, clock_wall_ns() - start);
    prctl(PR_SET_TIMERSLACK, (unsigned long)slack);
}

/* A debt larger than what the window has inserted so far is from an earlier one, and disturbs this one. */
static void audit_carried(uint64_t debt)
{
    uint64_t since =
        required() - atomic_load_explicit(&runtime_segment->window_required_ns, memory_order_relaxed);
    if (debt > since)
        atomic_fetch_add_explicit(&runtime_segment->carried_ns, debt - since, memory_order_relaxed);
}

void pause_for_debt(struct thread *thread, bool asleep)
{
    int saved = errno;
    uint64_t debt = ledger_debt(&thread->account, runtime_segment);
    if (debt)
        audit_carried(debt);
    if (debt && asleep)
        sleep_for(thread, debt);
    else if (debt)
        spin(thread, debt, true);
    else
        ledger_paused(&thread->account, runtime_segment, 0); /* an overshoot may make it level */
    mark(thread, clock_wall_ns());
    errno = saved;
}

uint64_t pause_until_level(struct thread *thread)
{
    while (ledger_debt(&thread->account, runtime_segment) &&
           atomic_load_explicit(&runtime_segment->active, memory_order_relaxed))
        pause_for_debt(thread, pause_credit(thread));
    ledger_paused(&thread->account, runtime_segment, 0);
    return clock_wall_ns();
}

void pause_spin(struct thread *thread, uint64_t ns)
{
    spin(thread, ns, false);
}
