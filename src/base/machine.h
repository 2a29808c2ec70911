/* What the whole machine's processors did since it was started, in clock ticks (sysconf(_SC_CLK_TCK) a
 * second). */
#pragma once

#include <stdint.h>

struct machine_ticks {
    uint64_t used;
    uint64_t stolen; /* a virtual machine's processors waited for real ones */
    uint64_t all;    /* idle ones too */
};

/* All zero where the system does not tell. */
struct machine_ticks machine_ticks_now(void);
