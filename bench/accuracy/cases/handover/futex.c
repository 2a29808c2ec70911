/*
 * Two threads hand a turn to each other by raw futex, so that only one ever works; a visit is a turn each.
 * Planted: each line pays its share, less what waking costs: 11, 29, 39 % was seen for one like it. The waits
 * are system calls that no library function wraps.
 *
 * @case futex
 * @case futex-beside-20ms --set sleeper=20000
 */
#include "case.h"

#include <linux/futex.h>
#include <sys/syscall.h>

enum { PING, PONG };

static unsigned ping_steps = 4 * MS / 5, pong_steps = 3 * MS / 5, turn;

static void wait_for(unsigned mine)
{
    while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) != mine)
        syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, !mine, NULL, NULL, 0);
}

static void give(unsigned to)
{
    __atomic_store_n(&turn, to, __ATOMIC_RELEASE);
    syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void *pong(void *unused)
{
    unsigned x = 1;

    for (;;) {
        wait_for(PONG);
        WORK(x, pong_steps); /* TARGET pong */
        give(PING);
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"ping", &ping_steps}, {"pong", &pong_steps}};
    unsigned x = 1;

    case_start(argc, argv, knobs, 2);
    start_thread(pong, NULL);
    for (;;) {
        WORK(x, ping_steps); /* TARGET ping */
        give(PONG);
        wait_for(PING);
        VISIT();
    }
}
