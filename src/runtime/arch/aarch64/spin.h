/* What AArch64 wants to hear in a loop that waits. */
#pragma once

static inline void spin_pause(void)
{
    __asm__ volatile("yield");
}
