/* Every futex operation, through syscall(). */
#include "probe.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static _Atomic uint32_t word, other;

static long futex(_Atomic uint32_t *address, int operation, uint32_t value, const struct timespec *timeout,
                  _Atomic uint32_t *second, uint32_t value3)
{
    return syscall(SYS_futex, address, operation | FUTEX_PRIVATE_FLAG, value, timeout, second, value3);
}

/* For the operations that take a count where others take a timeout. */
static long futex_move(int operation, uint32_t wake, long move, uint32_t value3)
{
    return syscall(SYS_futex, &word, operation | FUTEX_PRIVATE_FLAG, wake, move, &other, value3);
}

static void clear(void)
{
    atomic_store(&word, 0);
    atomic_store(&other, 0);
}

static void own_with_pi(void)
{
    clear();
    atomic_store(&word, (uint32_t)gettid());
    atomic_store(&other, (uint32_t)gettid());
}

static const struct timespec long_time = {60, 0};

static struct timespec until(clockid_t clock, struct timespec length)
{
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_sec += length.tv_sec + (time.tv_nsec + length.tv_nsec) / 1000000000;
    time.tv_nsec = (time.tv_nsec + length.tv_nsec) % 1000000000;
    return time;
}

static void wait_plain(void)
{
    expect(futex(&word, FUTEX_WAIT, 0, NULL, NULL, 0) == 0);
}

static void wait_timed(void)
{
    expect(futex(&word, FUTEX_WAIT, 0, &long_time, NULL, 0) == 0);
}

/* Not shorter, however often a signal of ours comes. */
static void wait_too_long(void)
{
    struct timespec soon = probe_soon();
    double start = now_ms();
    expect(futex(&word, FUTEX_WAIT, 0, &soon, NULL, 0) == -1 && errno == ETIMEDOUT);
    expect(now_ms() - start >= probe_soon_ms);
}

static void wait_bitset(void)
{
    struct timespec late = until(CLOCK_MONOTONIC, long_time);
    expect(futex(&word, FUTEX_WAIT_BITSET, 0, &late, NULL, 6) == 0);
}

static void wait_bitset_too_long(void)
{
    struct timespec soon = until(CLOCK_REALTIME, probe_soon());
    expect(futex(&word, FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 0, &soon, NULL, 1) == -1 &&
           errno == ETIMEDOUT);
}

static void wait_many(void)
{
    struct futex_waitv many[2] = {
        {.uaddr = (uintptr_t)&other, .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG},
        {.uaddr = (uintptr_t)&word, .flags = FUTEX_32 | FUTEX_PRIVATE_FLAG},
    };
    expect(syscall(SYS_futex_waitv, many, 2, 0, NULL, 0) == 1);
}

static void lock_pi(void)
{
    expect(futex(&word, FUTEX_LOCK_PI, 0, NULL, NULL, 0) == 0);
    expect(futex(&word, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0) == 0);
}

static void lock_pi2(void)
{
    struct timespec late = until(CLOCK_MONOTONIC, long_time);
    expect(futex(&word, FUTEX_LOCK_PI2, 0, &late, NULL, 0) == 0);
    expect(futex(&word, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0) == 0);
}

static void lock_pi_too_long(void)
{
    struct timespec soon = until(CLOCK_REALTIME, probe_soon());
    expect(futex(&word, FUTEX_LOCK_PI, 0, &soon, NULL, 0) == -1 && errno == ETIMEDOUT);
}

static void wait_for_pi(void)
{
    expect(futex(&word, FUTEX_WAIT_REQUEUE_PI, 0, NULL, &other, 0) == 0);
    expect(futex(&other, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0) == 0);
}

static void own_other(void)
{
    clear();
    atomic_store(&other, (uint32_t)gettid());
}

static void wake(void)
{
    expect(futex(&word, FUTEX_WAKE, 1, NULL, NULL, 0) == 1);
}

static void wake_bitset(void)
{
    expect(futex(&word, FUTEX_WAKE_BITSET, 1, NULL, NULL, 2) == 1);
}

static void wake_op(void)
{
    expect(futex_move(FUTEX_WAKE_OP, 1, 1, FUTEX_OP(FUTEX_OP_SET, 1, FUTEX_OP_CMP_EQ, 0)) == 1);
}

static void requeue(void)
{
    expect(futex_move(FUTEX_REQUEUE, 1, 1, 0) == 1);
}

static void compare_requeue(void)
{
    expect(futex_move(FUTEX_CMP_REQUEUE, 1, 1, 0) == 1);
}

static void unlock_pi(void)
{
    expect(futex(&word, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0) == 0);
}

/* The one that waits is moved to a lock which the first thread holds. */
static void compare_requeue_pi(void)
{
    expect(futex_move(FUTEX_CMP_REQUEUE_PI, 1, 0, 0) >= 0);
    expect(futex(&other, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0) == 0);
}

/* What is there already is not waited for: no credit. */
static void do_not_wait(void)
{
    struct timespec bad = {0, 1000000000};
    uint64_t credited = atomic_load(&probe_segment->credited_wake_ns);
    clear();
    expect(futex(&word, FUTEX_WAIT, 1, NULL, NULL, 0) == -1 && errno == EAGAIN);
    expect(futex(&word, FUTEX_WAIT, 0, &bad, NULL, 0) == -1 && errno == EINVAL);
    expect(futex(&word, FUTEX_WAIT, 0, (struct timespec *)8, NULL, 0) == -1 && errno == EFAULT);
    expect(futex((_Atomic uint32_t *)8, FUTEX_WAIT, 0, NULL, NULL, 0) == -1 && errno == EFAULT);
    expect(futex(&word, FUTEX_WAKE, 1, NULL, NULL, 0) == 0);
    probe_make_due();
    expect(futex(&word, FUTEX_TRYLOCK_PI, 0, NULL, NULL, 0) == 0);
    probe_check(probe_debt(gettid()) == 0, "TRYLOCK_PI", "not level");
    expect(futex(&word, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0) == 0);
    expect(syscall(SYS_getpid) == getpid());
    expect(syscall(-1L) == -1 && errno == ENOSYS);
    probe_check(atomic_load(&probe_segment->credited_wake_ns) == credited, "no wait", "credited");
}

/* Since Linux 5.16, and 5.14. */
static bool has_waitv(void)
{
    return syscall(SYS_futex_waitv, NULL, 0, 0, NULL, 0) == 0 || errno != ENOSYS;
}

static bool has_lock_pi2(void)
{
    clear();
    return (futex(&word, FUTEX_LOCK_PI2, 0, NULL, NULL, 0) == 0 &&
            futex(&word, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0) == 0) ||
           errno != ENOSYS;
}

int main(void)
{
    static const struct probe_case cases[] = {
        {"WAIT, WAKE", PEER, clear, wait_plain, wake},
        {"WAIT with a timeout, WAKE", PEER, clear, wait_timed, wake},
        {"WAIT with a timeout", OUTSIDE, clear, wait_too_long, NULL},
        {"WAIT_BITSET, WAKE_BITSET", PEER, clear, wait_bitset, wake_bitset},
        {"WAIT_BITSET", OUTSIDE, clear, wait_bitset_too_long, NULL},
        {"waitv, WAKE", PEER, clear, wait_many, wake, has_waitv},
        {"WAIT, WAKE_OP", PEER, clear, wait_plain, wake_op},
        {"WAIT, REQUEUE", PEER, clear, wait_plain, requeue},
        {"WAIT, CMP_REQUEUE", PEER, clear, wait_plain, compare_requeue},
        {"LOCK_PI, UNLOCK_PI", PEER, own_with_pi, lock_pi, unlock_pi},
        {"LOCK_PI2, UNLOCK_PI", PEER, own_with_pi, lock_pi2, unlock_pi, has_lock_pi2},
        {"LOCK_PI", OUTSIDE, own_with_pi, lock_pi_too_long, NULL},
        {"WAIT_REQUEUE_PI, CMP_REQUEUE_PI", PEER, own_other, wait_for_pi, compare_requeue_pi},
    };
    probe_attach();
    do_not_wait();
    return PROBE_RUN(cases);
}
