/*
 * Two threads hand a turn to each other by C++20's atomic wait and notify; a visit is a turn each.
 * Planted: each line pays its share, less what waking costs. The C++ library spins a little, then calls the
 * kernel.
 *
 * @case atomic-wait
 */
#include "case.h"

#include <atomic>
#include <thread>

enum { PING, PONG };

static unsigned ping_steps = 4 * MS / 5, pong_steps = 3 * MS / 5;
static std::atomic<int> turn{PING};

static void give(int to)
{
    turn.store(to, std::memory_order_release);
    turn.notify_one();
}

static void pong()
{
    unsigned x = 1;

    for (;;) {
        turn.wait(PING, std::memory_order_acquire);
        WORK(x, pong_steps); /* TARGET pong */
        give(PING);
    }
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"ping", &ping_steps}, {"pong", &pong_steps}};
    unsigned x = 1;

    case_start(argc, argv, knobs, 2);
    std::thread(pong).detach();
    for (;;) {
        WORK(x, ping_steps); /* TARGET ping */
        give(PONG);
        turn.wait(PONG, std::memory_order_acquire);
        VISIT();
    }
}
