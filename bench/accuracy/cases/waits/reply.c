/*
 * A client asks, by a pipe, a peer that takes its time, and waits for the answer. Planted: the wait pays its share
 * of the round, about two thirds. In the second case the peer is a process of its own.
 *
 * @case reply
 * @case reply-fork --set fork=1
 */
#include "case.h"
#include "rest.h"

#include <signal.h>

static unsigned reply_us = 4000, think_steps = MS, forked;
static int requests[2], replies[2];

static void *peer(void *unused)
{
    char token;

    be_sharp();
    for (;;) {
        struct timespec later = microseconds(reply_us);

        if (read(requests[0], &token, 1) != 1)
            case_fail("read");
        nanosleep(&later, NULL);
        if (write(replies[1], &token, 1) != 1)
            case_fail("write");
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"reply", &reply_us}, {"think", &think_steps}, {"fork", &forked}};
    unsigned x = 1;
    char token;

    case_start(argc, argv, knobs, 3);
    if (pipe(requests) != 0 || pipe(replies) != 0)
        case_fail("pipe");
    if (!forked)
        start_thread(peer, NULL);
    else if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        peer(NULL);
    }
    for (;;) {
        WORK(x, think_steps);
        if (write(requests[1], "", 1) != 1)
            case_fail("write");
        if (read(replies[0], &token, 1) != 1) /* TARGET reply WAIT */
            case_fail("read");
        VISIT();
    }
}
