/*
 * A server and two clients over loopback, closed loop: a client thinks, sends, and waits for the reply, which
 * is a visit. The server has one core, the clients the other (left to itself, the kernel now and then puts
 * who wakes and who is woken on one). Planted: the server is the bottleneck, so its line pays until the
 * clients' core is full: 25, 33, 33 %; the clients' line about nothing. In the second case the server is a
 * process of its own.
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
            WORK(x, serve_steps); /* TARGET serve */
            send(ends[i].fd, message, sizeof message, MSG_NOSIGNAL);
        }
    }
    return unused;
}

static void *client(void *end)
{
    char message[MESSAGE] = "please";
    unsigned x = 1;

    keep_on(0);
    for (;;) {
        WORK(x, think_steps); /* TARGET think */
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
