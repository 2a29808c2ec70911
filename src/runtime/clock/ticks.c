#include "runtime/clock/ticks.h"

#ifdef __x86_64__
#include <cpuid.h>

bool ticks_are_counted;

/* Leaf 0x80000007, EDX, bit 8. */
bool ticks_keep_pace(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & 1u << 8);
}

static double measure_tick(void)
{
    uint64_t wall = clock_wall_ns(), ticks = ticks_read();
    while (clock_wall_ns() - wall < 1000000)
        spin_pause();
    uint64_t passed = ticks_read() - ticks;
    return passed ? (double)(clock_wall_ns() - wall) / (double)passed : 1;
}
#else
bool ticks_keep_pace(void)
{
    return true;
}
#endif

double ticks_prepare(void)
{
    static double known; /* threads that come together each find it */
    double tick_ns = 1;
    __atomic_load(&known, &tick_ns, __ATOMIC_ACQUIRE);
    if (tick_ns > 0)
        return tick_ns;
    tick_ns = 1;
#ifdef __x86_64__
    if (ticks_keep_pace()) {
        __atomic_store_n(&ticks_are_counted, true, __ATOMIC_RELAXED);
        tick_ns = measure_tick();
    }
#endif
    __atomic_store(&known, &tick_ns, __ATOMIC_RELEASE);
    return tick_ns;
}
