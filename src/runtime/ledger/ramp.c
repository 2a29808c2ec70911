#include "runtime/ledger/ramp.h"

#include "base/clock.h"
#include "runtime/core/kernel.h"
#include "shared/growth.h"

#include <errno.h>
#include <sys/syscall.h>

enum {
    ONE = 1 << 16, /* a rate of 1 */
    FOLD_EVERY_NS = 20000,
    LONGEST_NS = 1000000,  /* an owner is sampled more often than that, and then publishes anew */
    STALE_NS = 1000000000, /* by the wall clock: its owner is gone */
};

/* The kernel's own encoding of a thread's CPU clock. */
static clockid_t cpu_clock_of(uint32_t tid)
{
    return (clockid_t)(~segment_number_pid(tid) << 3 | 6);
}

/* A number may be some other process's by now. Of a thread in another namespace than ours nothing can be
 * said. */
static bool has_ended(const struct account *account, const struct segment_ramp *ramp, uint32_t tid)
{
    uint32_t pid = atomic_load_explicit(&ramp->pid, memory_order_relaxed);
    if (segment_number_tag(tid) != segment_number_tag(account->presence.number))
        return false;
    tid = segment_number_pid(tid);
    pid = pid ? segment_number_pid(pid) : tid;
    return kernel_call(SYS_tgkill, (long)pid, (long)tid, 0, 0, 0, 0) == -ESRCH;
}

/* A free slot, or one whose owner was killed; NULL: all are taken. */
static struct segment_ramp *claim_slot(const struct account *account)
{
    for (int i = 0; i < 2 * SEGMENT_RAMPS; i++) {
        struct segment_ramp *ramp = &runtime_segment->ramp_slots[i % SEGMENT_RAMPS];
        uint32_t owner = atomic_load_explicit(&ramp->tid, memory_order_relaxed);
        if ((owner == 0 || (i >= SEGMENT_RAMPS && has_ended(account, ramp, owner))) &&
            atomic_compare_exchange_strong(&ramp->tid, &owner, account->presence.number))
            return ramp;
    }
    return NULL;
}

static uint32_t bit_of(const struct segment_ramp *ramp)
{
    return 1u << (ramp - runtime_segment->ramp_slots);
}

static void set_rate(struct segment_ramp *ramp, uint32_t rate)
{
    _Atomic uint32_t *ramps = &runtime_segment->due.ramps;
    atomic_store_explicit(&ramp->rate, rate, memory_order_release);
    bool is_up = atomic_load_explicit(ramps, memory_order_relaxed) & bit_of(ramp);
    if (rate && !is_up)
        atomic_fetch_or_explicit(ramps, bit_of(ramp), memory_order_relaxed);
    if (!rate && is_up)
        atomic_fetch_and_explicit(ramps, ~bit_of(ramp), memory_order_relaxed);
}

void ramp_hold(struct account *account)
{
    struct segment_ramp *ramp = account->ramp;
    if (ramp)
        atomic_store_explicit(&ramp->version, atomic_load_explicit(&ramp->version, memory_order_relaxed) | 1,
                              memory_order_release);
}

/* target: of a wait; 0: the thread runs. */
static void publish(struct account *account, double rate, struct instant since, segment_target target,
                    uint32_t window)
{
    uint32_t scaled = (uint32_t)(rate * ONE);
    if (!account->ramp && (!scaled || !(account->ramp = claim_slot(account))))
        return;
    struct segment_ramp *ramp = account->ramp;
    if (scaled) {
        ramp_hold(account);
        atomic_thread_fence(memory_order_release);
        atomic_store_explicit(&ramp->pid, account->pid, memory_order_relaxed);
        atomic_store_explicit(&ramp->paid_ns, account_paid_ns(account), memory_order_relaxed);
        atomic_store_explicit(&ramp->since_cpu_ns, since.cpu_ns, memory_order_relaxed);
        atomic_store_explicit(&ramp->since_wall_ns, since.wall_ns, memory_order_relaxed);
        atomic_store_explicit(&ramp->wait_target, target, memory_order_relaxed);
        atomic_store_explicit(&ramp->window, window, memory_order_relaxed);
        uint32_t version = atomic_load_explicit(&ramp->version, memory_order_relaxed);
        atomic_store_explicit(&ramp->version, version + 1, memory_order_release);
    }
    set_rate(ramp, scaled);
}

void ramp_publish(struct account *account, double rate, struct instant since)
{
    publish(account, rate, since, 0, 0);
}

void ramp_publish_wait(struct account *account, double rate, uint64_t now_ns, segment_target target,
                       uint32_t window)
{
    publish(account, rate, (struct instant){.wall_ns = now_ns}, target, window);
}

void ramp_hide(struct account *account)
{
    if (account->ramp)
        set_rate(account->ramp, 0);
}

void ramp_end(struct account *account)
{
    if (!account->ramp)
        return;
    set_rate(account->ramp, 0);
    atomic_store(&account->ramp->tid, 0);
    account->ramp = NULL;
}

/* How long the owner has waited, of what counts still. False when it is gone. */
static bool wait_of(const struct account *account, const struct segment_ramp *ramp, uint32_t tid,
                    uint64_t now_ns, uint64_t *ns)
{
    enum { SURE_NS = 10000000 }; /* a thread that has waited for less lives, as a rule */
    const struct segment *segment = runtime_segment;
    *ns = clock_passed_ns(atomic_load_explicit(&ramp->since_wall_ns, memory_order_relaxed), now_ns);
    if (atomic_load_explicit(&segment->target, memory_order_relaxed) !=
            atomic_load_explicit(&ramp->wait_target, memory_order_relaxed) ||
        edge_window(atomic_load_explicit(&segment->edge_word, memory_order_relaxed)) !=
            atomic_load_explicit(&ramp->window, memory_order_relaxed) ||
        !runtime_is_steered(now_ns))
        return false;
    return *ns < SURE_NS || !has_ended(account, ramp, tid);
}

/* How long the owner, has run since it published. False when it is gone. */
static bool progress_of(const struct segment_ramp *ramp, uint32_t tid, bool is_of_this_process,
                        uint64_t now_ns, uint64_t *ns)
{
    uint64_t since = atomic_load_explicit(&ramp->since_cpu_ns, memory_order_relaxed), now = now_ns;
    struct timespec time;
    uint64_t wall = atomic_load_explicit(&ramp->since_wall_ns, memory_order_relaxed);
    if (now_ns > wall + STALE_NS)
        return false;
    if (!is_of_this_process)
        since = wall; /* clocks of threads are their own process's */
    else if (kernel_call(SYS_clock_gettime, cpu_clock_of(tid), (long)&time, 0, 0, 0, 0) == 0)
        now = clock_time_ns(time);
    else
        return false;
    *ns = now > since ? now - since : 0;
    return true;
}

/* How the ramp climbed; to_ns is 0 when that is not known. Where its owner was off its core in between, it is
 * taken to have run first. */
static struct growth_climb climb_of(const struct account *account, struct segment_ramp *ramp, uint64_t now_ns)
{
    struct growth_climb climb = {0}, unknown = {0};
    uint32_t tid = atomic_load_explicit(&ramp->tid, memory_order_relaxed);
    uint32_t rate = atomic_load_explicit(&ramp->rate, memory_order_acquire);
    if (ramp == account->ramp)
        return unknown;
    if (!tid || !rate) { /* killed before it had taken the bit down */
        atomic_fetch_and_explicit(&runtime_segment->due.ramps, ~bit_of(ramp), memory_order_relaxed);
        return unknown;
    }
    uint32_t version = atomic_load_explicit(&ramp->version, memory_order_acquire);
    climb.from_ns = atomic_load_explicit(&ramp->paid_ns, memory_order_relaxed);
    climb.since_ns = atomic_load_explicit(&ramp->since_wall_ns, memory_order_relaxed);
    uint32_t pid = atomic_load_explicit(&ramp->pid, memory_order_relaxed);
    bool waits = atomic_load_explicit(&ramp->wait_target, memory_order_relaxed) != 0;
    if (waits ? !wait_of(account, ramp, tid, now_ns, &climb.took_ns)
              : !progress_of(ramp, tid, pid == account->pid, now_ns, &climb.took_ns)) {
        set_rate(ramp, 0); /* it was killed; or else it will publish again */
        return unknown;
    }
    atomic_thread_fence(memory_order_acquire);
    if (version % 2 || atomic_load_explicit(&ramp->version, memory_order_relaxed) != version ||
        (!waits && climb.took_ns > LONGEST_NS))
        return unknown;
    climb.to_ns = climb.from_ns + climb.took_ns * rate / ONE;
    return climb;
}

void ramps_fold(struct account *account)
{
    struct segment *segment = runtime_segment;
    uint64_t now = clock_wall_ns();
    if (!ramps_are_up() || now - account->folded_ns < FOLD_EVERY_NS)
        return;
    account->folded_ns = now;
    for (int i = 0; i < SEGMENT_RAMPS; i++) {
        struct segment_ramp *ramp = &segment->ramp_slots[i];
        if (!(atomic_load_explicit(&segment->due.ramps, memory_order_relaxed) & bit_of(ramp)))
            continue;
        struct growth_climb climb = climb_of(account, ramp, now);
        uint64_t required = atomic_load_explicit(&segment->due.required_ns, memory_order_relaxed);
        while (required < climb.to_ns &&
               !atomic_compare_exchange_weak(&segment->due.required_ns, &required, climb.to_ns))
            ;
        if (required >= climb.to_ns)
            continue;
        if (atomic_load_explicit(&ramp->wait_target, memory_order_relaxed))
            growth_note(segment, now, climb.to_ns);
        else
            growth_note_climb(segment, &climb, now);
    }
}
