#include "regions/marks/ticks.h"

#ifdef __x86_64__
#include <cpuid.h>

bool ticks_are_counted;

/* Leaf 0x80000007, EDX, bit 8: the counter goes on at one rate, whatever the core's clock does. */
static bool counter_is_constant(void)
{
    unsigned a, b, c, d;
    return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & 1u << 8);
}
#endif

static double measure_tick(void)
{
    uint64_t wall = clock_wall_ns(), ticks = ticks_read();
    while (clock_wall_ns() - wall < 1000000)
        spin_pause();
    uint64_t passed = ticks_read() - ticks;
    return passed ? (double)(clock_wall_ns() - wall) / (double)passed : 1;
}

double ticks_prepare(void)
{
    static double tick_ns;
    if (tick_ns > 0)
        return tick_ns;
    tick_ns = 1;
#ifdef __x86_64__
    ticks_are_counted = counter_is_constant();
    if (ticks_are_counted)
        tick_ns = measure_tick();
#endif
    return tick_ns;
}
