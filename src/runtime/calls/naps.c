#include "runtime/calls/naps.h"

#include "base/clock.h"
#include "runtime/core/departure.h"
#include "runtime/ledger/pause.h"

#include <errno.h>

static bool is_time(const struct timespec *time)
{
    return time && time->tv_sec >= 0 && time->tv_sec < INT32_MAX && time->tv_nsec >= 0 &&
           time->tv_nsec < 1000000000;
}

uint64_t naps_debt_ns(const struct timespec *time)
{
    struct thread *thread = &thread_current;
    if (likely(!thread->naps.owes))
        return 0;
    thread->naps.owes = false;
    if (thread->guard || !is_time(time) || !departure_begin_work())
        return 0;
    int saved = errno;
    uint64_t debt = 0, began_ns = clock_wall_ns();
    thread_guard_begin(thread);
    if (runtime_collects()) {
        runqueue_credit(&thread->account, instant_now(&thread->account.presence));
        debt = ledger_debt(&thread->account.balance, runtime_segment);
    }
    thread_note_cost(thread, instant_own_cost_ns(began_ns, 0));
    thread_guard_end(thread);
    departure_end_work();
    errno = saved;
    /* The rest is paid with the next one. */
    return debt < PAUSE_LONGEST_SLEEP_NS ? debt : PAUSE_LONGEST_SLEEP_NS;
}

void naps_paid(uint64_t debt_ns)
{
    struct thread *thread = &thread_current;
    if (likely(!debt_ns) || !thread->on || thread->guard)
        return;
    uint64_t slept = clock_passed_ns(thread->wait.began_ns, clock_wall_ns());
    uint64_t paid = slept < debt_ns ? slept : debt_ns;
    thread_guard_begin(thread);
    account_pause(&thread->account, runtime_segment, paid);
    thread->wait.began_ns += paid;
    thread->wait.paid_ns = account_paid_ns(&thread->account);
    thread_guard_end(thread);
}
