/* Which way a thread is sampled.
 *
 * A fine way, by a timer on the wall clock or by perf, has the better rate. The timer needs no privilege and
 * no descriptor, and takes less of the program's time; perf is for those who ask for it, and where timers are
 * not to be had. But the kernel arms perf's task clock at each switch to the thread and takes it down at each
 * switch from it, and hooks do the same with the timer: that is dear for a thread that runs a few
 * microseconds at a time, and so is setting it up for one that lives as short. Both are sampled on ticks;
 * such threads need no sample for each step, only a share for each stretch (stretch.h), so the lower rate
 * does.
 *
 * A thread begins in a fine way, unless threads of this process live shortly; ticks are too coarse to tell
 * apart what threads of a millisecond run. It is looked at after each of its samples. Opening perf is dearer
 * than making a timer, so there are lives that are worth the one and not the other. */
#include "runtime/sampler.h"

#include "runtime/kernel.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>

enum {
    SHORT_RUNS_NS = 50000,    /* in the mean: on ticks from here on, as arming costs a few microseconds */
    LONG_RUNS_NS = 100000,    /* in a fine way again */
    MEMORY_NS = 10000000,     /* of CPU time; what was before counts half */
    NO_PERF_LIFE_NS = 200000, /* in the mean of the last threads: opening perf is too dear */
    SHORT_LIFE_NS = 50000,    /* so is programming a timer */
    LIVES = 16,               /* over which that is taken */
};

/* The mean CPU time of this process's threads, of late: 0 before the first has ended. */
static _Atomic uint64_t mean_life_ns;

void sampler_note_life(uint64_t cpu_ns)
{
    uint64_t mean = atomic_load_explicit(&mean_life_ns, memory_order_relaxed);
    atomic_store_explicit(&mean_life_ns, mean ? mean - mean / LIVES + cpu_ns / LIVES : cpu_ns + 1,
                          memory_order_relaxed);
}

static bool lives_are_below(uint64_t ns)
{
    uint64_t mean = atomic_load_explicit(&mean_life_ns, memory_order_relaxed);
    return mean && mean < ns;
}

/* How often the thread was switched from. */
static uint64_t count_switches(void)
{
    struct rusage usage;
    if (kernel_call(SYS_getrusage, RUSAGE_THREAD, (long)&usage, 0, 0, 0, 0))
        return 0;
    return (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

/* The mean length of its runs, lately. */
static uint64_t look(struct thread *thread, uint64_t cpu_ns)
{
    uint64_t switches = count_switches();
    if (cpu_ns > thread->seen_cpu_ns)
        thread->run_ns += cpu_ns - thread->seen_cpu_ns;
    thread->runs += switches - thread->seen_switches;
    thread->seen_cpu_ns = cpu_ns;
    thread->seen_switches = switches;
    uint64_t mean = thread->run_ns / (thread->runs + 1);
    if (thread->run_ns > MEMORY_NS) {
        thread->run_ns /= 2;
        thread->runs /= 2;
    }
    return mean;
}

static int start_perf(struct thread *thread, uint64_t first_ns)
{
    int rc = sampler_perf_start(thread, first_ns);
    if (rc == 0)
        atomic_store_explicit(&runtime_segment->sampler, SAMPLER_PERF, memory_order_relaxed);
    else if (rc == -EMFILE || rc == -ENFILE)
        runtime_say(
            "there were not enough descriptors (ulimit -n) to sample every thread by perf: the others "
            "are sampled by timer");
    else
        atomic_store_explicit(&runtime_segment->perf_errno, (uint32_t)-rc, memory_order_relaxed);
    return rc;
}

/* In the place of a timer on ticks, if there is one: that one is back when it cannot be done. */
static int start_fine(struct thread *thread, uint64_t first_ns)
{
    bool had_ticks = thread->has_timer;
    if (!thread->no_perf && start_perf(thread, first_ns) == 0) {
        if (had_ticks)
            sampler_timer_stop(thread);
        return 0;
    }
    thread->no_perf = true;
    if (had_ticks)
        sampler_timer_stop(thread);
    int rc = sampler_clock_start(thread, first_ns);
    thread->keeps_ticks = rc < 0;
    if (rc < 0 && had_ticks)
        sampler_ticks_start(thread, 1);
    return rc;
}

/* Uniform in (0, P], with the weight P: threads that live for less must be seen as often as their share. */
static int begin_fine(struct thread *thread)
{
    uint64_t period = runtime_segment->period_ns;
    thread->first_weight_ns = period;
    return start_fine(thread, 1 + thread_random(thread) % period);
}

static int begin_on_ticks(struct thread *thread)
{
    uint64_t period = runtime_segment->period_ns, tick = sampler_tick_ns();
    thread->first_weight_ns = thread->covered_ns = period > tick ? period : tick;
    return sampler_ticks_start(thread, period > tick ? 1 + thread_random(thread) % period : 1);
}

/* There are no more timers for this user (ulimit -i). */
static bool begin_by_perf_after_all(struct thread *thread)
{
    thread->no_perf = runtime_segment->want_sampler == SAMPLER_TIMER;
    return !thread->no_perf && begin_fine(thread) == 0;
}

void sampler_choose_first(struct thread *thread)
{
    struct segment *segment = runtime_segment;
    /* The first thread of all finds out whether perf is permitted. */
    uint32_t known = atomic_load_explicit(&segment->sampler, memory_order_relaxed);
    thread->no_perf =
        segment->want_sampler != SAMPLER_PERF || known == SAMPLER_TIMER || lives_are_below(NO_PERF_LIFE_NS);
    bool is_fine = (known == SAMPLER_NONE || !lives_are_below(SHORT_LIFE_NS)) && begin_fine(thread) == 0;
    if (!is_fine && begin_on_ticks(thread) && !begin_by_perf_after_all(thread)) {
        runtime_say("neither perf events nor timers are to be had: some threads are not sampled");
        return;
    }
    if (thread->perf_fd < 0 && known == SAMPLER_NONE)
        atomic_store_explicit(&segment->sampler, SAMPLER_TIMER, memory_order_relaxed);
}

static bool change_to_fine(struct thread *thread, uint64_t cpu_ns)
{
    uint64_t lived = cpu_ns > thread->began_cpu_ns ? cpu_ns - thread->began_cpu_ns : 0;
    uint64_t first_ns = sampler_period(thread), period = runtime_segment->period_ns;
    /* The first sample on ticks stands for so much of the thread's life: what lies beyond begins like a life
     * of its own. */
    bool is_young = lived < thread->covered_ns;
    if (is_young)
        first_ns = thread->covered_ns - lived + 1 + thread_random(thread) % period;
    if (start_fine(thread, first_ns) < 0)
        return thread->has_timer;
    if (is_young)
        thread->first_weight_ns = period;
    return true;
}

static bool change_to_ticks(struct thread *thread)
{
    if (thread->has_timer)
        sampler_timer_stop(thread);
    if (sampler_ticks_start(thread, 1) < 0)
        return false;
    if (thread->perf_fd >= 0)
        sampler_perf_stop(thread);
    return true;
}

void sampler_found_asleep(struct thread *thread)
{
    enum { OFTEN = 3 };
    thread->keeps_ticks = ++thread->found_asleep >= OFTEN;
    change_to_ticks(thread);
}

bool sampler_choose(struct thread *thread, uint64_t cpu_ns)
{
    if (thread->keeps_ticks)
        return false;
    uint64_t mean = look(thread, cpu_ns);
    if (thread->perf_fd >= 0 || thread->timer_is_fine)
        return mean < SHORT_RUNS_NS && change_to_ticks(thread);
    return thread->has_timer && mean > LONG_RUNS_NS && change_to_fine(thread, cpu_ns);
}
