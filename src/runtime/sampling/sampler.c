#include "runtime/sampling/sampler.h"

#include "runtime/sampling/own_signal.h"

void sampler_seed(struct sampler *sampler, uint32_t seed)
{
    sampler->random = seed ? seed : 1; /* xorshift never leaves 0 */
}

uint32_t sampler_random(struct sampler *sampler)
{
    uint32_t x = sampler->random;
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return sampler->random = x;
}

uint64_t sampler_period(struct sampler *sampler)
{
    enum { SPARSE_FACTOR = 6 };
    uint64_t period = runtime_segment->period_ns * (sampler->is_sparse ? SPARSE_FACTOR : 1);
    return period / 2 + sampler_random(sampler) % period;
}

/* The program put a descriptor of its own in the place of the event's: the event is gone. */
static void replace_lost_event(struct sampler *sampler)
{
    sampler->perf_fd = -1;
    sampler->no_perf = true;
    if (sampler_clock_start(sampler, sampler_period(sampler)) < 0)
        sampler_ticks_start(sampler, sampler_period(sampler));
}

void sampler_suspend(struct sampler *sampler)
{
    if (sampler->suspended)
        return;
    if (unlikely(sampler->perf_fd >= 0 && sampler_perf_is_lost(sampler)))
        replace_lost_event(sampler);
    if (sampler->perf_fd >= 0)
        sampler_perf_suspend(sampler);
    else if (sampler->timer_is_fine)
        sampler_clock_suspend(sampler);
    sampler->suspended = true; /* a timer fires once at most, and that signal is ignored */
}

void sampler_resume(struct sampler *sampler)
{
    sampler->suspended = false;
    if (sampler->perf_fd >= 0)
        sampler_perf_resume(sampler);
    else if (sampler->timer_is_fine)
        sampler_clock_resume(sampler);
    else if (sampler->has_timer && !sampler->timer_is_set)
        sampler_ticks_next(sampler, sampler_period(sampler));
}

void sampler_go_on(struct sampler *sampler)
{
    if (sampler->perf_fd >= 0)
        sampler_perf_next(sampler, sampler_period(sampler));
    else if (sampler->timer_is_fine)
        sampler_clock_next(sampler, sampler_period(sampler));
    sampler_resume(sampler);
}

void sampler_start(struct sampler *sampler)
{
    own_signal_open();
    sampler->signal = own_signal();
    if (sampler->signal)
        sampler_choose_first(sampler);
}

void sampler_change_signal(struct sampler *sampler, int number)
{
    int before = sampler->signal;
    if (before == number || !before)
        return;
    sampler->signal = number;
    if (sampler->perf_fd >= 0)
        sampler_perf_change_signal(sampler, before);
    if (sampler->has_timer)
        sampler_timer_change_signal(sampler, before);
}

void sampler_silence(struct sampler *sampler)
{
    sampler_suspend(sampler);
    if (sampler->has_timer && sampler->timer_is_set)
        sampler_timer_set(sampler, 0);
    if (sampler->signal)
        own_signal_drain(sampler->signal);
}

void sampler_stop(struct sampler *sampler)
{
    /* A sample that comes in the middle of this must not set again what is being taken away: a thread that
     * ended was seen to do nothing else any more. */
    sampler->suspended = true;
    atomic_signal_fence(memory_order_seq_cst);
    if (sampler->perf_fd >= 0)
        sampler_perf_stop(sampler);
    if (sampler->has_timer)
        sampler_timer_stop(sampler);
}
