/*
 * A server and two clients over loopback, closed loop: a client thinks, sends, and waits for the reply, which
 * is a visit. The server has one core, the clients the other. No two turns are of one length: with turns that
 * are all alike, the clients fall into step, ask at the same time, and leave their core idle while both wait;
 * a server that took half of the time saved 14 % then, and one that took three quarters 24.
 *
 * Planted: the server is the bottleneck until the clients' core is full: at most 25, 33, 33 %, less what
 * unlike turns wait for each other, which the clients' line can shorten, too. Measured: serve 17, 23, 32 %,
 * think 7, 8, 9 %. In the second case the server is a process of its own.
 *
 * @case loopback
 * @case loopback-fork --set fork=1
 */
#include "case.h"
#include "cores.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>

enum { CLIENTS = 2, MESSAGE = 64 };

static unsigned serve_steps = 9 * MS / 10, think_steps = 3 * MS / 5, forked;
static int client_ends[CLIENTS], server_ends[CLIENTS];

/* From half of the steps to one and a half times as many, by chance: WORK leaves a well-mixed number. */
static unsigned about(unsigned steps, unsigned chance)
{
    return steps / 2 + (unsigned)((uint64_t)steps * (chance >> 16) >> 16);
}

/* One connection over loopback: [0] the client's end, [1] the server's. */
static void connect_pair(int *client, int *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;

    *client = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 1) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0 ||
        connect(*client, (struct sockaddr *)&address, length) != 0)
        case_fail("loopback");
    *server = accept(listener, NULL, NULL);
    if (*server < 0)
        case_fail("accept");
    setsockopt(*client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(*server, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    close(listener);
}

static void *server(void *unused)
{
    struct pollfd ends[CLIENTS];
    char message[MESSAGE];
    unsigned x = 1;

    keep_on(1);
    for (int i = 0; i < CLIENTS; i++)
        ends[i] = (struct pollfd){.fd = server_ends[i], .events = POLLIN};
    for (;;) {
        poll(ends, CLIENTS, -1);
        for (int i = 0; i < CLIENTS; i++) {
            if (!ends[i].revents)
                continue;
            if (recv(ends[i].fd, message, sizeof message, MSG_WAITALL) != sizeof message)
                case_fail("server");
            WORK(x, about(serve_steps, x)); /* TARGET serve */
            send(ends[i].fd, message, sizeof message, MSG_NOSIGNAL);
        }
    }
    return unused;
}

static void *client(void *end)
{
    char message[MESSAGE] = "please";
    unsigned x = 1 + (unsigned)*(int *)end; /* another sequence for each */

    keep_on(0);
    for (;;) {
        WORK(x, about(think_steps, x)); /* TARGET think */
        send(*(int *)end, message, sizeof message, MSG_NOSIGNAL);
        if (recv(*(int *)end, message, sizeof message, MSG_WAITALL) != sizeof message)
            case_fail("client");
        VISIT();
    }
    return end;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"serve", &serve_steps}, {"think", &think_steps}, {"fork", &forked}};

    case_start(argc, argv, knobs, 3);
    for (int i = 0; i < CLIENTS; i++)
        connect_pair(&client_ends[i], &server_ends[i]);
    if (!forked)
        start_thread(server, NULL);
    else if (fork() == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        server(NULL);
    }
    start_thread(client, &client_ends[1]);
    client(&client_ends[0]);
}
