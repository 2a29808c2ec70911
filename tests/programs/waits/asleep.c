/* A thread that computes for some milliseconds and then sleeps, in a call that it makes of the kernel itself,
 * so that no hook knows of it. It should sleep undisturbed.
 *
 *     asleep [--times N]      prints how often its sleep was cut short, when that was more than ten times */
#include "../target.h"

#include <sys/syscall.h>

static volatile unsigned sum;

static long call(long number, const void *first, void *second)
{
#ifdef __aarch64__
    register long which __asm__("x8") = number;
    register const void *result __asm__("x0") = first;
    register void *argument __asm__("x1") = second;
    __asm__ volatile("svc #0" : "+r"(result) : "r"(which), "r"(argument) : "memory");
    return (long)result;
#else
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(first), "S"(second)
                     : "rcx", "r11", "memory");
    return result;
#endif
}

static void compute(double ms)
{
    unsigned x = sum;
    for (double end = now_ms() + ms; now_ms() < end;)
        for (int i = 0; i < 10000; i++)
            x = MIX(x, 2654435761u);
    sum = x;
}

int main(int argc, char **argv)
{
    enum { TOLERATED = 10 };
    struct timespec two_ms = {.tv_nsec = 2000000};
    int disturbed = 0;
    for (double i = number_option(argc, argv, "--times", 300); i > 0; i--) {
        compute(6);
        disturbed += call(SYS_nanosleep, &two_ms, NULL) == -EINTR;
    }
    if (disturbed > TOLERATED)
        printf("disturbed %d times\n", disturbed);
    return disturbed > TOLERATED;
}
