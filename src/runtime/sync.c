#include "runtime/sync.h"

#include "base/clock.h"
#include "runtime/pause.h"
#include "runtime/stretch.h"

#include <errno.h>

/* A thread of a process that was left is off from here on; its timer and its slot are the process's end's. */
static bool begin_work(struct thread *thread)
{
    thread->on = runtime_begin_work();
    return thread->on;
}

/* Settling takes half a microsecond, as long as ten locks that nobody holds. A thread that calls hooks all
 * the time passes as many of them as lets it settle every 10 to 20 us, which is how fine ramps are. One that
 * owes more is settled at once (sync_passes()), and one that waits, at each hook again. */
enum {
    SETTLE_OFTEN_NS = 10000,
    SETTLE_STALE_NS = 100000, /* it does something else than before */
    HOOKS_TO_PASS = 255,      /* at most */
};

/* What settling costs, and holding a sampler around a wait, is no part of virtual time. Each time it is told,
 * all others have something to settle, so it is told in lumps. */
enum { COST_WORTH_TELLING_NS = 20000 };

static bool is_stale(const struct thread *thread, uint64_t now_ns)
{
    return clock_passed_ns(thread->settled_ns, now_ns) > SETTLE_STALE_NS;
}

static void choose_passes(struct thread *thread, uint64_t now_ns)
{
    uint64_t since_ns = clock_passed_ns(thread->settled_ns, now_ns);
    uint32_t between = thread->hooks_between;
    if (since_ns < SETTLE_OFTEN_NS)
        between = between * 2 + 1 < HOOKS_TO_PASS ? between * 2 + 1 : HOOKS_TO_PASS;
    else if (is_stale(thread, now_ns))
        between = 0;
    else if (since_ns > SYNC_SELDOM_NS)
        between /= 2;
    thread->hooks_between = thread->hooks_to_pass = between;
}

void sync_no_passes(struct thread *thread)
{
    thread->hooks_between = thread->hooks_to_pass = 0;
}

void sync_sampled(struct thread *thread, uint64_t now_ns)
{
    if (is_stale(thread, now_ns))
        sync_no_passes(thread);
}

static bool is_worth_telling(const struct thread *thread)
{
    return thread->hooks_cost_ns >= COST_WORTH_TELLING_NS;
}

static void tell_cost(struct thread *thread)
{
    if (!is_worth_telling(thread))
        return;
    thread_enter(thread);
    pause_own_cost(thread, thread->hooks_cost_ns);
    thread->hooks_cost_ns = 0;
    thread_leave(thread);
}

/* The thread becomes level. Returns what that cost. */
static uint64_t settle(struct thread *thread, uintptr_t at)
{
    uint64_t began_ns = clock_wall_ns();
    struct instant now, end;
    if (unlikely(thread->waits)) /* it left a call that waited: cancelled, or by an exception */
        thread->hooks_cost_ns += thread_set_waits(thread, false);
    thread_enter(thread);
    choose_passes(thread, began_ns);
    if (stretch_is_followed(thread)) {
        ramp_hold(thread);
        uint64_t in_target = stretch_turn(thread, at, &now);
        ramps_fold(thread);
        end = pause_settle(thread, in_target, now);
        stretch_skip(thread, now, end);
        thread_leave_out(thread, end, instant_move(end));
        stretch_publish(thread);
    } else {
        now = instant_now();
        ramps_fold(thread);
        end = pause_settle(thread, 0, now);
        thread_leave_out(thread, end, instant_move(end));
    }
    thread->settled_ns = clock_wall_ns();
    thread_leave(thread);
    return pause_cost_ns(began_ns, end.wall_ns - now.wall_ns);
}

void sync_settle_slowly(uintptr_t at)
{
    struct thread *thread = &thread_current;
    if (!thread->on || thread->guard || sync_passes() || !begin_work(thread))
        return;
    int saved = errno;
    thread->hooks_cost_ns += settle(thread, at);
    tell_cost(thread);
    runtime_end_work();
    errno = saved;
}

void sync_wait_begin_slowly(uintptr_t at)
{
    struct thread *thread = &thread_current;
    int saved = errno;
    sync_no_passes(thread);
    thread->wait_cost_ns = 0;
    if (!sync_is_calm() && !thread->guard && begin_work(thread)) {
        thread->wait_cost_ns = settle(thread, at);
        runtime_end_work();
    }
    ramp_hide(thread);
    thread->wait_cost_ns += thread_set_waits(thread, true);
    thread->wait_began_ns = clock_wall_ns();
    thread->wait_paid_ns = atomic_load_explicit(thread->account.paid_ns, memory_order_relaxed);
    errno = saved;
}

/* What beginning a wait costs is owed only when the thread was late for that. A peer that ended the wait
 * later than it began would have found the thread waiting anyway: its core had nothing else to do. Were it
 * owed all the same, a thread that hands its turn on before it waits would be credited, when its turn comes
 * back, with what had kept nobody. */
static uint64_t owed_for_wait(struct thread *thread, enum sync_waker waker)
{
    enum { WAITED_NS = 20000 };
    uint64_t cost_ns = thread->wait_cost_ns;
    thread->wait_cost_ns = 0;
    if (!cost_ns || waker == WOKEN_BY_OUTSIDE)
        return cost_ns;
    return clock_passed_ns(thread->wait_began_ns, clock_wall_ns()) < WAITED_NS ? cost_ns : 0;
}

/* Steps that come late may stand for the wait. */
static void keep_wait(struct thread *thread, uint64_t until_ns, uint64_t credited_ns)
{
    enum { WORTH_KEEPING_NS = 5000 };
    if (until_ns > thread->wait_began_ns + WORTH_KEEPING_NS)
        runqueue_was_absent(thread, thread->wait_began_ns, until_ns, credited_ns);
}

void sync_wait_end_slowly(enum sync_waker waker)
{
    struct thread *thread = &thread_current;
    thread->hooks_cost_ns += owed_for_wait(thread, waker);
    thread->hooks_cost_ns += thread_set_waits(thread, false);
    bool followed = stretch_is_followed(thread);
    if (thread->guard)
        return;
    if (sync_is_calm() && !is_worth_telling(thread)) {
        if (waker != WOKEN_BY_OUTSIDE)
            keep_wait(thread, clock_wall_ns(), 0);
        return;
    }
    if (!begin_work(thread))
        return;
    uint64_t began_ns = clock_wall_ns();
    thread_enter(thread);
    sync_no_passes(thread);
    ramps_fold(thread);
    struct instant now = instant_now(), end = now;
    if (waker == WOKEN_BY_OUTSIDE) {
        if (ledger_debt(&thread->account, runtime_segment) >= PAUSE_WORTH_SLEEPING_NS)
            end = pause_settle(thread, 0, now);
    } else {
        uint64_t waited = now.wall_ns - thread->wait_began_ns;
        uint64_t credited =
            ledger_credit_wake(&thread->account, runtime_segment, thread->wait_paid_ns + waited);
        keep_wait(thread, now.wall_ns, credited);
        runqueue_mark(thread, now);
    }
    if (followed) {
        if (waker == SPUN_FOR_PEER)
            stretch_anew(thread, now);
        else
            stretch_waited(thread, now);
        stretch_skip(thread, now, end);
        stretch_publish(thread);
    }
    thread->settled_ns = clock_wall_ns();
    thread->hooks_cost_ns += pause_cost_ns(began_ns, end.wall_ns - now.wall_ns);
    tell_cost(thread);
    thread_leave(thread);
    runtime_end_work();
}

void sync_after_end(uint64_t ended_ns, uint64_t paid_ns)
{
    struct thread *thread = &thread_current;
    if (!thread->on || thread->guard)
        return;
    thread_enter(thread);
    ledger_meet(&thread->account, paid_ns + (clock_wall_ns() - ended_ns));
    thread_leave(thread);
}
