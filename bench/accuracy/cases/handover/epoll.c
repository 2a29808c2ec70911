/*
 * Two event loops hand a turn to each other through eventfds that they wait for with epoll; a visit is a turn
 * each. Planted: each line pays its share, less what waking costs.
 *
 * @case epoll
 */
#include "case.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>

struct loop {
    int event, epoll;
};

static unsigned ping_steps = 4 * MS / 5, pong_steps = 3 * MS / 5;
static struct loop ping_loop, pong_loop;

static void loop_init(struct loop *loop)
{
    struct epoll_event wanted = {.events = EPOLLIN};

    loop->event = eventfd(0, EFD_NONBLOCK);
    loop->epoll = epoll_create1(0);
    if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, loop->event, &wanted) != 0)
        case_fail("epoll");
}

static void wait_for(const struct loop *mine)
{
    struct epoll_event seen;
    eventfd_t value;

    while (epoll_wait(mine->epoll, &seen, 1, -1) != 1)
        continue;
    if (eventfd_read(mine->event, &value) != 0)
        case_fail("eventfd_read");
}

static void give(const struct loop *to)
{
    if (eventfd_write(to->event, 1) != 0)
        case_fail("eventfd_write");
}

static void *pong(void *unused)
{
    unsigned x = 1;

    for (;;) {
        wait_for(&pong_loop);
        WORK(x, pong_steps); /* TARGET pong */
        give(&ping_loop);
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"ping", &ping_steps}, {"pong", &pong_steps}};
    unsigned x = 1;

    case_start(argc, argv, knobs, 2);
    loop_init(&ping_loop);
    loop_init(&pong_loop);
    start_thread(pong, NULL);
    for (;;) {
        WORK(x, ping_steps); /* TARGET ping */
        give(&pong_loop);
        wait_for(&ping_loop);
        VISIT();
    }
}
