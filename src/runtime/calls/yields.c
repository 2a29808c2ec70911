#include "runtime/calls/yields.h"

#include "base/clock.h"
#include "runtime/core/departure.h"
#include "runtime/ledger/ramp.h"
#include "runtime/thread/thread.h"

enum { LOOK_NS = 2000 }; /* between two calls no more fits in than a look at what the thread waits for */

static void loop_begin(struct thread *thread, uint64_t now_ns)
{
    thread->yielding = (struct yielding){
        .began_ns = now_ns, .required_ns = required_now(), .paid_ns = account_paid_ns(&thread->account)};
}

/* All that became due since the loop began, and no more than it took; what was owed before it still is. */
static void loop_credit(struct thread *thread, uint64_t now_ns)
{
    const struct yielding *loop = &thread->yielding;
    ramps_fold(&thread->account);
    uint64_t grown_ns = required_now() - loop->required_ns, waited_ns = now_ns - loop->began_ns;
    if (grown_ns)
        ledger_credit_wake(&thread->account.balance, runtime_segment,
                           loop->paid_ns + (grown_ns < waited_ns ? grown_ns : waited_ns));
}

struct turn yield_begins(void)
{
    struct thread *thread = &thread_current;
    struct turn turn = {0, 0};
    if (likely(thread->on)) {
        turn = turn_now();
        thread->yielding.call_ns = turn.began_ns;
    }
    return turn;
}

void yield_is_over(struct turn turn)
{
    struct thread *thread = &thread_current;
    thread->yielding.call_ns = 0;
    if (!thread->on || thread->guard || !departure_begin_work())
        return;
    thread_guard_begin(thread);
    uint64_t now_ns = clock_wall_ns();
    bool is_again = clock_passed_ns(thread->yielding.until_ns, turn.began_ns) < LOOK_NS;
    if (is_again) {
        loop_credit(thread, now_ns);
        turn.required_ns = required_now(); /* the time in the run queue is credited already */
    } else {
        loop_begin(thread, now_ns);
        if (now_ns - turn.began_ns > YIELD_IN_VAIN_NS)
            ramps_fold(&thread->account);
    }
    turn_is_over(&thread->account.presence, turn, now_ns, YIELD_IN_VAIN_NS);
    thread->yielding.until_ns = now_ns;
    thread_guard_end(thread);
    departure_end_work();
}
