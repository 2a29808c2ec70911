#include "runtime/thread/sample.h"

#include "runtime/core/departure.h"
#include "runtime/core/message.h"
#include "runtime/core/process.h"
#include "runtime/ledger/core_share.h"
#include "runtime/ledger/core_waits.h"
#include "runtime/ledger/pause.h"
#include "runtime/ledger/ramp.h"
#include "runtime/ledger/runqueue.h"
#include "runtime/sampling/locate.h"
#include "runtime/sampling/own_signal.h"
#include "runtime/sampling/sampled_points.h"
#include "runtime/sampling/stacks.h"
#include "runtime/thread/breakpoints.h"
#include "runtime/thread/give_way.h"
#include "runtime/thread/handlers.h"
#include "runtime/thread/thread.h"
#include "shared/site_counts.h"
#include "shared/stack_slots.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <ucontext.h>

/* The CPU time that this sample stands for. */
static uint64_t weigh_sample(struct sampler *sampler, uint64_t cpu_ns)
{
    /* A CPU time that was computed from the wall clock may be a little ahead of the real one. */
    uint64_t passed = cpu_ns > sampler->sampled_cpu_ns ? cpu_ns - sampler->sampled_cpu_ns : 0;
    uint64_t ours = sampler->excluded_ns < passed ? sampler->excluded_ns : passed;
    sampler->sampled_cpu_ns = cpu_ns;
    sampler->excluded_ns = 0;
    sampler->lived_ns += passed - ours;
    uint64_t first_ns = sampler->first_weight_ns;
    sampler->first_weight_ns = 0;
    return first_ns ? first_ns : passed - ours;
}

/* Who shares a place with another target may lose what it had: the one that spins most keeps it nearly always. */
static void count_spin(struct segment_spins *spins, uint32_t site)
{
    struct segment_spin *spin = &spins->sites[site % SEGMENT_SPINS];
    atomic_fetch_add_explicit(&spins->samples, 1, memory_order_relaxed);
    if (!site)
        return;
    if (atomic_load_explicit(&spin->site, memory_order_relaxed) != site) {
        atomic_store_explicit(&spin->count, 0, memory_order_relaxed);
        atomic_store_explicit(&spin->site, site, memory_order_relaxed);
    }
    atomic_fetch_add_explicit(&spin->count, 1, memory_order_relaxed);
}

/* Returns how many there were before. */
static uint64_t count_sample(struct segment *segment, const struct located *located, uint64_t weight_ns)
{
    uint64_t before = atomic_fetch_add_explicit(&segment->samples, 1, memory_order_relaxed);
    if (located->module)
        atomic_fetch_add_explicit(&located->module->samples, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&segment->samples_ns, weight_ns, memory_order_relaxed);
    process_sampled(weight_ns);
    if (!located->count)
        return before;
    atomic_fetch_add_explicit(&segment->in_scope, 1, memory_order_relaxed);
    for (uint32_t i = 0; i < located->count; i++)
        site_counts_add(segment, located->sites[i], weight_ns);
    if (segment->granularity == GRANULARITY_FUNCTION)
        atomic_fetch_add_explicit(&segment->sites[located->sites[0]].self_ns, weight_ns,
                                  memory_order_relaxed);
    return before;
}

/* A trap is entered and left by the kernel: a sample that comes meanwhile finds the thread where it has met the
 * breakpoint. What part of all samples do is what the traps take of the time. Each sample then stands for as
 * much of it, so that it is not owed in lumps. */
static void weigh_traps(struct traps *traps, uint64_t weight_ns, bool is_in_trap)
{
    enum { REMEMBERED_NS = 200000000 };
    traps->ran_ns += weight_ns;
    traps->stood_ns += is_in_trap ? weight_ns : 0;
    if (traps->ran_ns)
        traps->owed_ns += (uint64_t)((double)weight_ns * (double)traps->stood_ns / (double)traps->ran_ns);
    if (traps->ran_ns > REMEMBERED_NS) {
        traps->ran_ns /= 2;
        traps->stood_ns /= 2;
    }
}

/* The program ran until `entry`. Returns the moment up to which what came then is accounted for; *paused_ns
 * of it counts as a pause. */
static struct instant take_sample(struct thread *thread, const ucontext_t *context, struct instant entry,
                                  uint64_t *paused_ns)
{
    struct segment *segment = runtime_segment;
    struct instant end;
    ramp_hold(&thread->account);
    uint64_t weight = weigh_sample(&thread->sampler, entry.cpu_ns);
    struct located located;
    if (segment->granularity == GRANULARITY_THREAD)
        locate_known(own_name_site(&thread->name), &located);
    else
        locate(context, thread->stack_high, &located);
    if (unlikely(breakpoints_are_met())) {
        bool is_in_trap = breakpoints_is_in_trap(context);
        weigh_traps(&thread->traps, weight, is_in_trap);
        if (is_in_trap)
            located.count = 0; /* it is no time of that line's */
    }
    uint64_t number = count_sample(segment, &located, weight);
    if (number % STACK_EVERY == 0 && located.count && located.module)
        stacks_note(located.sites[0], context, thread->stack_high);
    idling_sample(&thread->idling, located.sites, located.count, weight, entry.wall_ns);
    sampled_points_visit(registers_of(context).pc, weight);
    if (!thread->wait.is_on && spinning_note(&thread->spinning, context))
        count_spin(&segment->spins, located.count ? located.sites[0] : 0);
    runqueue_count(&thread->account, entry.wall_ns);
    ramps_fold(&thread->account);

    uint32_t target = segment_target_site(atomic_load_explicit(&segment->target, memory_order_relaxed));
    bool hit = target && located_has(&located, target);
    uint64_t in_target;
    if (unlikely(segment_target_is_region(target)))
        in_target = thread_take_region(thread, entry);
    else
        in_target = target ? stretch_sample(&thread->stretch, target, hit, weight, entry) : 0;
    if (unlikely(thread->regions.is_used)) {
        regions_follow(&thread->regions);
        regions_tell(&thread->regions);
    }

    if (thread->wait.is_on) {
        end = instant_move(&thread->account.presence, pause_apply_target(&thread->account, in_target, entry));
    } else {
        /* Credit comes before our own step, which it would swallow otherwise. */
        bool asleep = runqueue_credit(&thread->account, entry) || thread->naps.owes;
        core_waits_shorten(&thread->account, entry);
        thread->naps.owes = false;
        end = pause_apply_target(&thread->account, in_target, entry);
        /* Who is about to be settled pays then (budget.h). */
        if (ledger_debt(&thread->account.balance, segment) &&
            (asleep || !budget_settles_soon(&thread->budget, entry.wall_ns))) {
            sampler_suspend(&thread->sampler);
            /* What arises while it spins waits for the next sample. */
            end = asleep ? pause_until_level(&thread->account, true, end)
                         : pause_for_debt(&thread->account, end);
            *paused_ns = end.wall_ns - entry.wall_ns;
        } else {
            end = instant_move(&thread->account.presence, end);
            runqueue_mark(&thread->account, end);
        }
        uint64_t given_ns = core_share_even(&thread->account, end);
        if (given_ns) {
            *paused_ns += given_ns;
            end = instant_now(&thread->account.presence);
            runqueue_credit(&thread->account, end);
        }
    }
    thread->sampler.sampled_cpu_ns = end.cpu_ns;
    stretch_skip(&thread->stretch, entry, end);
    if (stretch_is_followed(&thread->stretch))
        stretch_publish(&thread->stretch, &thread->account);
    else
        ramp_hide(&thread->account);
    return end;
}

/* The kernel sends SIGIO in the place of a sample when the queue is full. Somebody else may send either. */
static bool is_sample(int number, const siginfo_t *info)
{
    return number == SIGIO ? info->si_code > 0 : own_signal_is_sample(info);
}

/* What began then was ours, paused_ns of it a pause, and `since` is where it is not left out from yet. As
 * late as can be: programming a timer may take longer than all else. */
static void own_cost(struct thread *thread, bool is_fine, uint64_t began_ns, uint64_t paused_ns,
                     struct instant since)
{
    thread_guard_begin(thread);
    thread_exclude(thread, since, instant_move(&thread->account.presence, since));
    uint64_t cost_ns = instant_own_cost_ns(began_ns, paused_ns);
    budget_skip(&thread->budget, cost_ns + paused_ns);
    if (thread->wait.is_on) { /* whether it delays anybody is known when the call is over */
        thread->wait.ours_ns += cost_ns;
        thread_guard_end(thread);
        return;
    }
    pause_own_cost(&thread->account, cost_ns + thread->traps.owed_ns);
    thread->traps.owed_ns = 0;
    if (is_fine)
        sampler_note_cost(cost_ns);
    if (stretch_is_followed(&thread->stretch))
        stretch_publish(&thread->stretch, &thread->account);
    thread_guard_end(thread);
}

/* It mostly comes early because the thread has stood in the run queue, and has just left it. As in a sample, credit
 * comes before a step of its own, which would swallow it. */
static void come_early(struct thread *thread, bool is_fine, struct instant began)
{
    if (!thread->wait.is_on) {
        thread_guard_begin(thread);
        thread->naps.owes |= runqueue_credit(&thread->account, began);
        thread_guard_end(thread);
    }
    own_cost(thread, is_fine, began.wall_ns, 0, began);
}

/* Whether the controller has gone, so that the thread stops being sampled. Not while a hook works for the
 * thread; the next sample asks again. */
static bool stops_for_good(const struct thread *thread, uint64_t now_ns)
{
    return unlikely(runtime_is_deserted(now_ns)) && !thread->guard && !thread->wait.is_on &&
           !thread->sampler.suspended;
}

enum { LATEST_NS = 100000 }; /* no interrupt is late by more, unless the thread is off its core */

/* How long ago the interrupt came that this signal is of; 0: it does not tell. */
static uint64_t since_interrupt_ns(const struct thread *thread, const siginfo_t *info, uint64_t now_ns)
{
    uint64_t late_ns = 0;
    if (info->si_code == SI_TIMER && thread->sampler.timer_is_fine)
        late_ns = clock_passed_ns(thread->sampler.fires_at_ns, now_ns);
    else if (info->si_code > 0 && thread->sampler.perf_fd >= 0)
        late_ns = sampler_perf_late_ns(&thread->sampler);
    return late_ns < LATEST_NS ? late_ns : 0;
}

/* From the interrupt on the program stands still: until its handler runs, that takes ten to seventy
 * microseconds where a host has a part in it. Who has not run for so long since the last sample was off its
 * core then. */
static struct instant interrupted_at(struct thread *thread, const siginfo_t *info)
{
    struct instant now = instant_now(&thread->account.presence);
    uint64_t late_ns = since_interrupt_ns(thread, info, now.wall_ns);
    if (late_ns > clock_passed_ns(thread->sampler.sampled_cpu_ns, now.cpu_ns))
        return now;
    return (struct instant){now.wall_ns - late_ns, now.cpu_ns - late_ns};
}

/* Whether the thread was off its core when its timer fired, and has only now heard of that. */
static bool was_away(const struct thread *thread, uint64_t now_ns)
{
    uint64_t fired_ns = thread->sampler.fires_at_ns;
    return clock_passed_ns(fired_ns, now_ns) >= LATEST_NS || yielding_is_away(&thread->yielding, fired_ns);
}

/* A fine timer, which knows the wall clock only: the thread was off its core in between, or did our own work. Calls are
 * no exception: were they, whatever is early would be put off until it falls into one. */
static bool fired_early(struct thread *thread, const siginfo_t *info, const ucontext_t *context,
                        struct instant began)
{
    if (info->si_code != SI_TIMER || !thread->sampler.timer_is_fine || thread->guard ||
        thread->sampler.suspended)
        return false;
    bool is_sparse = thread->sampler.is_sparse;
    if (thread->wait.is_on && is_sparse)
        return sampler_clock_slept(&thread->sampler);
    bool is_early = sampler_clock_was_early(&thread->sampler, began.cpu_ns, was_away(thread, began.wall_ns));
    if (unlikely(!thread->wait.is_on && (is_early || is_sparse) && handlers_broke_a_call(context)))
        sampler_found_asleep(&thread->sampler);
    return is_early;
}

/* What the program's own handlers run on may be small, and of that two signals' frames are in use, 3.6 KB each where
 * registers are wide. Where the rest is too little, the time goes into the next sample. */
static bool has_room(const ucontext_t *context)
{
    enum { NEEDED = 3072 };
    uintptr_t here = (uintptr_t)__builtin_frame_address(0), low = (uintptr_t)context->uc_stack.ss_sp;
    return here < low || here - low >= context->uc_stack.ss_size || here - low >= NEEDED;
}

static void on_sample(int number, siginfo_t *info, void *context)
{
    struct thread *thread = &thread_current;
    if (unlikely(!is_sample(number, info))) {
        /* Without us it would have ended no call: the program has no handler for it. */
        thread->nesting.samples += handlers_ended_a_call(context);
        give_way_pass_on(number, info, context);
        return;
    }
    if (unlikely(thread->sampler.signal != own_signal()))
        give_way_follow(context);
    if (!thread->on)
        return;
    if (!departure_begin_work()) {
        thread->on = false;
        return;
    }
    int saved = errno;
    struct instant began = interrupted_at(thread, info), end = began;
    uint64_t paused_ns = 0;
    bool is_fine = info->si_code == SI_TIMER && thread->sampler.timer_is_fine;
    thread->nesting.samples += handlers_ended_a_call(context);
    thread->nesting.cuts += handlers_cut_a_call(context);
    if (info->si_code == SI_TIMER)
        thread->sampler.timer_is_set = false;
    if (stops_for_good(thread, began.wall_ns)) {
        thread_stop();
        departure_end_work();
        errno = saved;
        return;
    }
    if (fired_early(thread, info, context, began)) {
        come_early(thread, is_fine, began);
        departure_end_work();
        errno = saved;
        return;
    }
    bool paused = thread->sampler.suspended, changed = false, sampled = !thread->guard && has_room(context);
    bool stopped = sampled && thread_stop_regions(thread, began);
    /* Off while the handler runs: when a sample costs more than a period, signals would queue without end. */
    sampler_suspend(&thread->sampler);
    if (sampled) {
        thread_guard_begin(thread);
        end = take_sample(thread, context, began, &paused_ns);
        changed = sampler_choose(&thread->sampler, thread->sampler.sampled_cpu_ns);
        thread_guard_end(thread);
    }
    if (changed)
        thread->sampler.suspended = false;
    else if (!paused)
        sampler_go_on(&thread->sampler);
    if (sampled) {
        thread_learn_ticks(thread);
        own_cost(thread, is_fine, began.wall_ns, paused_ns, end);
    }
    thread_resume_regions(thread, stopped, end);
    departure_end_work();
    errno = saved;
}

bool sample_is_handler(const void *handler)
{
    return handler == (const void *)on_sample;
}

/* While the handler runs, no handler of the program's does: what it finds half done would stay so if it never
 * came back. But faults are its own. */
static struct sigaction make_action(void)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    struct sigaction action = {.sa_sigaction = on_sample, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    memset(&action.sa_mask, 0xff, sizeof action.sa_mask); /* those that libc keeps for itself, too */
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        sigdelset(&action.sa_mask, faults[i]);
    return action;
}

void sample_guard(int number)
{
    if (runtime_segment && (number == SIGIO || own_signal_was_given_up(number)))
        own_signal_guard(number);
}

int sample_install(void)
{
    struct sigaction ours = make_action();
    int rc = own_signal_begin(&ours);
    sample_guard(SIGIO);
    if (rc == 0 && !own_signal())
        message_say("the program was started with all real-time signals in use: none is left to sample its "
                    "threads by");
    return rc;
}
