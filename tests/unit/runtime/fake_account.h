/* An account at a segment that no program has: the parts of the ledger that have a clock (src/runtime's
 * runqueue, pause, ramp and stretch) work on it as they do inside a program. */
#pragma once

#include "base/clock.h"
#include "fake_segment.h"
#include "runtime/core/descriptors.h"
#include "runtime/ledger/account.h"

#include <unistd.h>

struct segment *runtime_segment;

bool runtime_is_steered(uint64_t now_ns)
{
    (void)now_ns;
    return atomic_load(&runtime_segment->active) != 0;
}

enum { FAKE_SITE = 7, FAKE_PERIOD_NS = 1000000 };

struct fake_account {
    _Atomic uint64_t paid_ns;
    struct account account;
};

static inline int fake_begin(void **state)
{
    (void)state;
    runtime_segment = fake_segment();
    if (!runtime_segment)
        return -1;
    atomic_store(&runtime_segment->active, 1);
    runtime_segment->period_ns = FAKE_PERIOD_NS;
    return 0;
}

static inline int fake_end(void **state)
{
    (void)state;
    fake_segment_release(runtime_segment);
    return 0;
}

/* Level at 0, as of now; the scheduler is not asked. */
static inline struct account *fake_account(struct fake_account *fake)
{
    *fake = (struct fake_account){
        .account = {.pid = (uint32_t)getpid(),
                    .presence = {.tid = gettid(),
                                 .number = (uint32_t)gettid(),
                                 .schedstat = QUEUED_NEVER_ASK}},
    };
    fake->account.balance.paid_ns = &fake->paid_ns;
    fake->account.mark = instant_now(&fake->account.presence);
    return &fake->account;
}

static inline uint64_t fake_required(void)
{
    return atomic_load(&runtime_segment->due.required_ns);
}

static inline void fake_require(uint64_t ns)
{
    atomic_store(&runtime_segment->due.required_ns, ns);
}

static inline void fake_target(int32_t permille)
{
    atomic_store(&runtime_segment->target, segment_target_make(FAKE_SITE, permille));
}
