/* What x86-64 wants to hear in a loop that waits. */
#pragma once

static inline void spin_pause(void)
{
    __builtin_ia32_pause();
}
