/* Ramps of threads that were killed: nobody believes them, and hooks are as cheap again as they were. */
#include "probe.h"

#include "runtime/core/kernel.h"

#include <semaphore.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { SECOND = 1000000000, SLOT = 3 };

static uint64_t now_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

/* A hooked call looks at ramps, every 20 us at most. */
static void fold(void)
{
    static sem_t sem;
    kernel_call(SYS_nanosleep, (long)&(struct timespec){0, 1000000}, 0, 0, 0, 0, 0);
    sem_post(&sem);
}

static uint32_t up(void)
{
    return atomic_load(&probe_segment->due.ramps);
}

static struct segment_ramp *left_behind(pid_t pid, uint32_t rate, uint64_t since_ns)
{
    struct segment_ramp *ramp = &probe_segment->ramp_slots[SLOT];
    atomic_store(&ramp->tid, (uint32_t)pid);
    atomic_store(&ramp->pid, (uint32_t)pid);
    atomic_store(&ramp->paid_ns, atomic_load(&probe_segment->due.required_ns));
    atomic_store(&ramp->since_wall_ns, since_ns);
    atomic_store(&ramp->rate, rate);
    atomic_fetch_or(&probe_segment->due.ramps, 1u << SLOT);
    return ramp;
}

int main(void)
{
    probe_attach();
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    waitpid(pid, NULL, 0);
    uint64_t required = atomic_load(&probe_segment->due.required_ns);

    probe_name = "a ramp of a process killed a while ago";
    struct segment_ramp *ramp = left_behind(pid, 1 << 16, now_ns() - 2ull * SECOND);
    fold();
    expect(up() == 0 && atomic_load(&ramp->rate) == 0);
    expect(atomic_load(&probe_segment->due.required_ns) == required);

    probe_name = "one that was killed just before it was down";
    left_behind(pid, 0, now_ns());
    fold();
    expect(up() == 0);

    probe_name = "one of a thread of ours that has ended";
    ramp = left_behind(getpid(), 1 << 16, now_ns());
    atomic_store(&ramp->tid, (uint32_t)pid);
    fold();
    expect(up() == 0 && atomic_load(&probe_segment->due.required_ns) == required);
    return probe_failures > 0;
}
