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
 * On some virtual machines the interrupt alone takes 40 us, and twice as many as there were slow down what is
 * not even interrupted. Where samples turn out to be so dear, threads that wait often are sampled more seldom:
 * their stretches are stepped by shares, too. Not on ticks: rounds of constant length fall into step with
 * those, and then some places are never seen.
 *
 * While no experiment has run, samples tell only what there is to try: threads that wait often, and those that have run
 * for a second without one, are sampled as seldom wherever a sample takes more than on bare metal.
 *
 * A thread begins in a fine way, unless threads of this process live shortly; ticks are too coarse to tell
 * apart what threads of a millisecond run. It is looked at after each of its samples, and where it is sampled by a timer
 * once before, when it has waited some times: the first samples of one that hands work to and fro come early, again and
 * again, and took a hundredth of its time. Opening perf is dearer
 * than making a timer, so there are lives that are worth the one and not the other. */
#include "runtime/sampling/sampler.h"

#include "base/clock.h"
#include "runtime/core/kernel.h"
#include "runtime/core/message.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>

enum {
    SHORT_RUNS_NS = 50000,     /* in the mean: on ticks from here on, as arming costs a few microseconds */
    LONG_RUNS_NS = 100000,     /* in a fine way again */
    MEMORY_NS = 10000000,      /* of CPU time; what was before counts half */
    NO_PERF_LIFE_NS = 200000,  /* in the mean of the last threads: opening perf is too dear */
    SHORT_LIFE_NS = 50000,     /* so is programming a timer */
    LIVES = 16,                /* over which that is taken */
    DEAR_NS = 45000,           /* in the mean of the last samples */
    COSTS = 16,                /* over which that is taken */
    CHEAP_NS = 10000,          /* likewise; below it nothing is gained */
    LONG_IDLE_NS = 1000000000, /* of a thread's CPU time, before the first experiment */
    OFTEN_WAITS = 4,           /* lately; fewer say nothing yet */
    SPARSE_PERIODS = 3,        /* the mean stretch, at most, of a thread that is sampled more seldom */
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

/* What a sample by a fine timer took in this process, in the mean, of late. */
static _Atomic uint64_t mean_cost_ns;

void sampler_note_cost(uint64_t ns)
{
    uint64_t mean = atomic_load_explicit(&mean_cost_ns, memory_order_relaxed);
    atomic_store_explicit(&mean_cost_ns, mean - mean / COSTS + ns / COSTS, memory_order_relaxed);
}

static bool samples_take(uint64_t ns)
{
    return atomic_load_explicit(&mean_cost_ns, memory_order_relaxed) > ns;
}

/* Whether this process has seen an experiment. Between two blocks there is no target for a moment: a way of sampling
 * that went to and fro with it would spoil both. */
static bool experiments_have_run(void)
{
    static _Atomic bool seen;
    if (atomic_load_explicit(&seen, memory_order_relaxed))
        return true;
    bool is_on = runtime_target() != 0;
    if (is_on)
        atomic_store_explicit(&seen, true, memory_order_relaxed);
    return is_on;
}

/* How often the thread was switched from. */
static uint64_t count_switches(void)
{
    struct rusage usage;
    if (kernel_call(SYS_getrusage, RUSAGE_THREAD, (long)&usage, 0, 0, 0, 0))
        return 0;
    return (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
}

static void look_at_clock(struct sampler *sampler, uint64_t cpu_ns)
{
    uint64_t switches = count_switches(), waits = sampler->wait_count;
    if (cpu_ns > sampler->seen_cpu_ns)
        sampler->run_ns += cpu_ns - sampler->seen_cpu_ns;
    sampler->runs += switches - sampler->seen_switches;
    sampler->waits_lately += waits - sampler->seen_waits;
    sampler->seen_cpu_ns = cpu_ns;
    sampler->seen_switches = switches;
    sampler->seen_waits = waits;
    if (sampler->run_ns > MEMORY_NS) {
        sampler->run_ns /= 2;
        sampler->runs /= 2;
        sampler->waits_lately /= 2;
    }
}

/* The mean length of its runs, lately. */
static uint64_t mean_run_ns(const struct sampler *sampler)
{
    return sampler->run_ns / (sampler->runs + 1);
}

/* By the mean CPU time from one of its waits to the next, lately. A thread that has not waited often yet may
 * be one that runs long: it must not end before its second sample. */
static void choose_period(struct sampler *sampler)
{
    uint64_t most = SPARSE_PERIODS * runtime_segment->period_ns;
    bool waits_often = sampler->waits_lately >= OFTEN_WAITS &&
                       sampler->run_ns / sampler->waits_lately < (sampler->is_sparse ? most : most / 2);
    if (experiments_have_run())
        sampler->is_sparse = samples_take(DEAR_NS) && waits_often;
    else
        sampler->is_sparse = samples_take(CHEAP_NS) && (waits_often || sampler->lived_ns > LONG_IDLE_NS);
}

static int start_perf(struct sampler *sampler, uint64_t first_ns)
{
    int rc = sampler_perf_start(sampler, first_ns);
    if (rc == 0)
        atomic_store_explicit(&runtime_segment->sampler, SAMPLER_PERF, memory_order_relaxed);
    else if (rc == -EMFILE || rc == -ENFILE)
        message_say(
            "there were not enough descriptors (ulimit -n) to sample every thread by perf: the others "
            "are sampled by timer");
    else
        atomic_store_explicit(&runtime_segment->perf_errno, (uint32_t)-rc, memory_order_relaxed);
    return rc;
}

/* In the place of a timer on ticks, if there is one: that one is back when it cannot be done. */
static int start_fine(struct sampler *sampler, uint64_t first_ns)
{
    bool had_ticks = sampler->has_timer;
    if (!sampler->no_perf && start_perf(sampler, first_ns) == 0) {
        if (had_ticks)
            sampler_timer_stop(sampler);
        return 0;
    }
    sampler->no_perf = true;
    if (had_ticks)
        sampler_timer_stop(sampler);
    int rc = sampler_clock_start(sampler, first_ns);
    sampler->keeps_ticks = rc < 0;
    if (rc < 0 && had_ticks)
        sampler_ticks_start(sampler, 1);
    return rc;
}

/* Uniform in (0, P], with the weight P: threads that live for less must be seen as often as their share. */
static int begin_fine(struct sampler *sampler)
{
    uint64_t period = runtime_segment->period_ns;
    sampler->first_weight_ns = period;
    return start_fine(sampler, 1 + sampler_random(sampler) % period);
}

/* What the first sample on ticks stands for. */
static uint64_t first_on_ticks_ns(void)
{
    uint64_t period = runtime_segment->period_ns, tick = sampler_tick_ns();
    return period > tick ? period : tick;
}

static int begin_on_ticks(struct sampler *sampler)
{
    uint64_t period = runtime_segment->period_ns, tick = sampler_tick_ns();
    sampler->first_weight_ns = sampler->covered_ns = first_on_ticks_ns();
    return sampler_ticks_start(sampler, period > tick ? 1 + sampler_random(sampler) % period : 1);
}

/* There are no more timers for this user (ulimit -i). */
static bool begin_by_perf_after_all(struct sampler *sampler)
{
    sampler->no_perf = runtime_segment->want_sampler == SAMPLER_TIMER;
    return !sampler->no_perf && begin_fine(sampler) == 0;
}

void sampler_choose_first(struct sampler *sampler)
{
    struct segment *segment = runtime_segment;
    /* The first thread of all finds out whether perf is permitted. */
    uint32_t known = atomic_load_explicit(&segment->sampler, memory_order_relaxed);
    sampler->no_perf =
        segment->want_sampler != SAMPLER_PERF || known == SAMPLER_TIMER || lives_are_below(NO_PERF_LIFE_NS);
    bool is_fine = (known == SAMPLER_NONE || !lives_are_below(SHORT_LIFE_NS)) && begin_fine(sampler) == 0;
    if (!is_fine && begin_on_ticks(sampler) && !begin_by_perf_after_all(sampler)) {
        message_say("neither perf events nor timers are to be had: some threads are not sampled");
        return;
    }
    if (sampler->perf_fd < 0 && known == SAMPLER_NONE)
        atomic_store_explicit(&segment->sampler, SAMPLER_TIMER, memory_order_relaxed);
}

static bool change_to_fine(struct sampler *sampler, uint64_t cpu_ns)
{
    uint64_t lived = cpu_ns > sampler->began_cpu_ns ? cpu_ns - sampler->began_cpu_ns : 0;
    uint64_t first_ns = sampler_period(sampler), period = runtime_segment->period_ns;
    /* The first sample on ticks stands for so much of the thread's life: what lies beyond begins like a life
     * of its own. */
    bool is_young = lived < sampler->covered_ns;
    if (is_young)
        first_ns = sampler->covered_ns - lived + 1 + sampler_random(sampler) % period;
    if (start_fine(sampler, first_ns) < 0)
        return sampler->has_timer;
    if (is_young)
        sampler->first_weight_ns = period;
    return true;
}

static bool change_to_ticks(struct sampler *sampler)
{
    if (sampler->has_timer)
        sampler_timer_stop(sampler);
    if (sampler_ticks_start(sampler, 1) < 0)
        return false;
    if (sampler->perf_fd >= 0)
        sampler_perf_stop(sampler);
    return true;
}

/* One that has had no sample yet begins anew, as it would have begun on ticks. */
void sampler_look_at_waits(struct sampler *sampler)
{
    look_at_clock(sampler, clock_cpu_ns());
    if (mean_run_ns(sampler) < SHORT_RUNS_NS && change_to_ticks(sampler) && sampler->first_weight_ns)
        sampler->first_weight_ns = sampler->covered_ns = first_on_ticks_ns();
}

void sampler_found_asleep(struct sampler *sampler)
{
    enum { OFTEN = 3 };
    sampler->keeps_ticks = ++sampler->found_asleep >= OFTEN;
    change_to_ticks(sampler);
}

void sampler_hardly_runs(struct sampler *sampler)
{
    if (sampler->perf_fd >= 0 || sampler->timer_is_fine)
        change_to_ticks(sampler);
}

bool sampler_choose(struct sampler *sampler, uint64_t cpu_ns)
{
    if (sampler->keeps_ticks)
        return false;
    look_at_clock(sampler, cpu_ns);
    choose_period(sampler);
    if (sampler->perf_fd >= 0 || sampler->timer_is_fine)
        return mean_run_ns(sampler) < SHORT_RUNS_NS && change_to_ticks(sampler);
    return sampler->has_timer && mean_run_ns(sampler) > LONG_RUNS_NS && change_to_fine(sampler, cpu_ns);
}
