/* What the machine keeps from the program: limits, a host, other programs, swap. From the run's beginning on; for
 * the controller's thread. Where the system does not tell, all is zero. */
#pragma once

#include "base/machine.h"
#include "diagnosis/facts.h"
#include "experiment/facts/quota.h"
#include "shared/layout.h"

#include <sys/types.h>

struct watch {
    uint64_t began_ns;
    struct machine_ticks ticks;
    struct quota quota;
    struct quota_use use;
    uint64_t swapped; /* pages that came back from swap, of the whole machine */
};

/* pid: of the program, which has just been started; 0: of nobody, for what the machine is. */
void watch_begin(struct watch *watch, pid_t pid, uint64_t now_ns);

/* What was seen since; what perf is about stays as it is. A program may go into a group with a limit after it has
 * begun: it is watched from when that is seen. */
void watch_look(struct watch *watch, const struct segment *segment, uint64_t now_ns,
                struct machine_facts *facts);

/* 0, or why perf events are refused to us: the errno of the attempt. */
int watch_try_perf(void);
