/* Processes of the profiled tree, to be looked at in /proc. */
#pragma once

#include "shared/layout.h"

#include <sys/types.h>

enum { MEMBERS = 16 };

/* The first one and the latest, as far as their numbers mean something here; some may have ended. Returns how many. */
static inline int members_list(const struct segment *segment, pid_t pids[MEMBERS])
{
    uint32_t joined = atomic_load(&segment->processes);
    if (joined > SEGMENT_PROCESSES)
        joined = SEGMENT_PROCESSES;
    int count = 0;
    for (uint32_t i = 0; i < joined; i++) {
        uint32_t pid = atomic_load(&segment->process_slots[i].pid);
        if (i > 0 && i + MEMBERS <= joined)
            continue;
        if (pid && segment_number_tag(pid) == 0 && count < MEMBERS)
            pids[count++] = (pid_t)pid;
    }
    return count;
}
