/* Which way a thread is sampled, where perf is permitted.
 *
 * Perf's task clock has the better rate. But the kernel arms it at each switch to the thread and takes it
 * down at each switch from it: that is dear for a thread that runs a few microseconds at a time, and so is
 * opening it for one that lives as short. Both are sampled by timer; such threads need no sample for each
 * step, only a share for each stretch (stretch.h), so the lower rate does.
 *
 * A thread begins by perf, unless threads of this process live shortly; a timer's ticks are too coarse to
 * tell apart what threads of a millisecond run. It is looked at after each of its samples. */
#include "runtime/sampler.h"

#include "runtime/kernel.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>

enum {
    SHORT_RUNS_NS = 50000,  /* in the mean: by timer from here on, as arming costs a few microseconds */
    LONG_RUNS_NS = 100000,  /* by perf again */
    MEMORY_NS = 10000000,   /* of CPU time; what was before counts half */
    SHORT_LIFE_NS = 200000, /* in the mean of the last threads: opening perf is too dear */
    LIVES = 16,             /* over which that is taken */
};

/* The mean CPU time of this process's threads, of late: 0 before the first has ended. */
static _Atomic uint64_t mean_life_ns;

void sampler_note_life(uint64_t cpu_ns)
{
    uint64_t mean = atomic_load_explicit(&mean_life_ns, memory_order_relaxed);
    atomic_store_explicit(&mean_life_ns, mean ? mean - mean / LIVES + cpu_ns / LIVES : cpu_ns + 1,
                          memory_order_relaxed);
}

static bool lives_are_short(void)
{
    uint64_t mean = atomic_load_explicit(&mean_life_ns, memory_order_relaxed);
    return mean && mean < SHORT_LIFE_NS;
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
            "are sampled by timer, which is coarser");
    else
        atomic_store_explicit(&runtime_segment->perf_errno, (uint32_t)-rc, memory_order_relaxed);
    return rc;
}

/* Uniform in (0, P], with the weight P: threads that live for less must be seen as often as their share. */
static int begin_by_perf(struct thread *thread)
{
    uint64_t period = runtime_segment->period_ns;
    thread->first_weight_ns = period;
    return start_perf(thread, 1 + thread_random(thread) % period);
}

static int begin_by_timer(struct thread *thread)
{
    uint64_t period = runtime_segment->period_ns, tick = sampler_timer_tick_ns();
    thread->first_weight_ns = thread->covered_ns = period > tick ? period : tick;
    return sampler_timer_start(thread, period > tick ? 1 + thread_random(thread) % period : 1);
}

void sampler_choose_first(struct thread *thread)
{
    struct segment *segment = runtime_segment;
    bool wants_perf = segment->want_sampler != SAMPLER_TIMER;
    /* The first thread of all finds out whether perf is permitted. */
    bool works = atomic_load_explicit(&segment->sampler, memory_order_relaxed) == SAMPLER_PERF;
    if (wants_perf && (!works || !lives_are_short()) && begin_by_perf(thread) == 0)
        return;
    thread->keeps_timer = !wants_perf || !works;
    if (begin_by_timer(thread) == 0) {
        if (thread->keeps_timer)
            atomic_store_explicit(&segment->sampler, SAMPLER_TIMER, memory_order_relaxed);
    } else if (thread->keeps_timer || begin_by_perf(thread)) {
        runtime_say("neither perf events nor timers are to be had: some threads are not sampled");
    }
}

static bool change_to_perf(struct thread *thread, uint64_t cpu_ns)
{
    uint64_t lived = cpu_ns > thread->began_cpu_ns ? cpu_ns - thread->began_cpu_ns : 0;
    uint64_t first_ns = sampler_period(thread), period = runtime_segment->period_ns;
    /* The timer's first sample stands for so much of the thread's life: what lies beyond begins like a life
     * of its own. */
    bool is_young = lived < thread->covered_ns;
    if (is_young)
        first_ns = thread->covered_ns - lived + 1 + thread_random(thread) % period;
    thread->keeps_timer = start_perf(thread, first_ns) < 0;
    if (thread->keeps_timer)
        return false;
    if (is_young)
        thread->first_weight_ns = period;
    sampler_timer_stop(thread);
    return true;
}

static bool change_to_timer(struct thread *thread)
{
    if (sampler_timer_start(thread, 1) < 0)
        return false;
    sampler_perf_stop(thread);
    return true;
}

bool sampler_choose(struct thread *thread, uint64_t cpu_ns)
{
    if (thread->keeps_timer)
        return false;
    uint64_t mean = look(thread, cpu_ns);
    if (thread->perf_fd >= 0)
        return mean < SHORT_RUNS_NS && change_to_timer(thread);
    return thread->has_timer && mean > LONG_RUNS_NS && change_to_perf(thread, cpu_ns);
}
