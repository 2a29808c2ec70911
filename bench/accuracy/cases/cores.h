/* For cases whose truth would hang on where the kernel puts their threads. */
#ifndef CORES_H
#define CORES_H

#include "case.h"

#include <sched.h>

/* Keeps the calling thread on the first (0) or second (1) core that we may use. */
static inline void keep_on(unsigned core)
{
    cpu_set_t allowed, one;

    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        case_fail("sched_getaffinity");
    core %= (unsigned)CPU_COUNT(&allowed);
    CPU_ZERO(&one);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &allowed) && core-- == 0)
            CPU_SET(cpu, &one);
    if (sched_setaffinity(0, sizeof one, &one) != 0)
        case_fail("sched_setaffinity");
}

#endif
