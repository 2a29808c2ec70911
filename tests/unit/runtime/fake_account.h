/* An account at a segment that no program has: the parts of the ledger that have a clock (src/runtime's
 * runqueue, pause, ramp and stretch) work on it as they do inside a program. */
#pragma once

#include "base/clock.h"
#include "fake_segment.h"
#include "runtime/core/descriptors.h"
#include "runtime/ledger/account.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

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

/* From here on the scheduler is a file, by which the thread has stood in the run queue for so long, and has got a core
 * so often. */
static inline void fake_scheduler_says(struct fake_account *fake, uint64_t queued_ns, unsigned turns)
{
    struct presence *presence = &fake->account.presence;
    if (presence->schedstat < 0) {
        char path[] = "/tmp/coz-schedstat-XXXXXX";
        int fd = mkstemp(path);
        assert_true(fd >= 0);
        unlink(path);
        presence->schedstat = descriptors_keep(fd, presence->tid);
        assert_true(presence->schedstat >= 0);
    }
    char text[64];
    int length = snprintf(text, sizeof text, "1 %llu %u\n", (unsigned long long)queued_ns, turns);
    assert_int_equal(ftruncate(presence->schedstat, 0), 0);
    assert_int_equal(pwrite(presence->schedstat, text, (size_t)length, 0), length);
}

static inline void fake_scheduler_ends(struct fake_account *fake)
{
    struct presence *presence = &fake->account.presence;
    descriptors_drop(presence->schedstat, presence->tid);
    presence->schedstat = QUEUED_NEVER_ASK;
}
