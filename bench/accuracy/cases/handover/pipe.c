/*
 * Two threads hand a turn to each other through two pipes, so that only one ever works; a visit is a turn
 * each. Planted: each line pays its share, less what waking costs.
 *
 * @case pipe
 */
#include "case.h"

static unsigned ping_steps = 4 * MS / 5, pong_steps = 3 * MS / 5;
static int to_ping[2], to_pong[2];

static void wait_for(const int *mine)
{
    char token;

    if (read(mine[0], &token, 1) != 1)
        case_fail("read");
}

static void give(const int *to)
{
    if (write(to[1], "", 1) != 1)
        case_fail("write");
}

static void *pong(void *unused)
{
    unsigned x = 1;

    for (;;) {
        wait_for(to_pong);
        WORK(x, pong_steps); /* TARGET pong */
        give(to_ping);
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"ping", &ping_steps}, {"pong", &pong_steps}};
    unsigned x = 1;

    case_start(argc, argv, knobs, 2);
    if (pipe(to_ping) != 0 || pipe(to_pong) != 0)
        case_fail("pipe");
    start_thread(pong, NULL);
    for (;;) {
        WORK(x, ping_steps); /* TARGET ping */
        give(to_pong);
        wait_for(to_ping);
        VISIT();
    }
}
