/*
 * Two processes hand a turn to each other by process-shared semaphores; a visit is a turn each.
 * Planted: each line pays its share, less what waking costs. Half of the program is a forked child.
 *
 * @case semaphore
 */
#include "case.h"

#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>

struct shared {
    sem_t to_ping, to_pong;
};

static unsigned ping_steps = 4 * MS / 5, pong_steps = 3 * MS / 5;

static void wait_for(sem_t *mine)
{
    while (sem_wait(mine) != 0)
        continue;
}

static void pong(struct shared *shared)
{
    unsigned x = 1;

    for (;;) {
        wait_for(&shared->to_pong);
        WORK(x, pong_steps); /* TARGET pong */
        sem_post(&shared->to_ping);
    }
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"ping", &ping_steps}, {"pong", &pong_steps}};
    struct shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    unsigned x = 1;

    case_start(argc, argv, knobs, 2);
    if (shared == MAP_FAILED)
        case_fail("mmap");
    sem_init(&shared->to_ping, 1, 0);
    sem_init(&shared->to_pong, 1, 0);
    if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pong(shared);
    }
    for (;;) {
        WORK(x, ping_steps); /* TARGET ping */
        sem_post(&shared->to_pong);
        wait_for(&shared->to_ping);
        VISIT();
    }
}
