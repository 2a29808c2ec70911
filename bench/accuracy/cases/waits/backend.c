/*
 * A server that asks a slow backend over loopback for each request of a client. The server also keeps a journal,
 * by a thread that nobody waits for: it sleeps again and again. Planted: waiting for the backend pays its share
 * of the visit, about two thirds; the journal nothing.
 *
 * @case backend
 */
#include "case.h"
#include "rest.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

static unsigned backend_us = 4000, journal_us = 2000, serve_steps = MS / 2, think_steps = MS / 4;
static int client_ends[2], backend_ends[2]; /* [0]: the side that asks */

static void connect_pair(int ends[2])
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t length = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), yes = 1;

    ends[0] = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&address, length) != 0 || listen(listener, 1) != 0 ||
        getsockname(listener, (struct sockaddr *)&address, &length) != 0 ||
        connect(ends[0], (struct sockaddr *)&address, length) != 0)
        case_fail("loopback");
    ends[1] = accept(listener, NULL, NULL);
    if (ends[1] < 0)
        case_fail("accept");
    setsockopt(ends[0], IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    setsockopt(ends[1], IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    close(listener);
}

static void get(int end)
{
    char token;

    if (recv(end, &token, 1, 0) != 1)
        case_fail("recv");
}

static void put(int end)
{
    if (send(end, "", 1, MSG_NOSIGNAL) != 1)
        case_fail("send");
}

static void *backend(void *unused)
{
    be_sharp();
    for (;;) {
        struct timespec later = microseconds(backend_us);

        get(backend_ends[1]);
        nanosleep(&later, NULL);
        put(backend_ends[1]);
    }
    return unused;
}

static void *journal(void *unused)
{
    unsigned x = 1;

    be_sharp();
    for (;;) {
        struct timespec later = microseconds(journal_us);

        nanosleep(&later, NULL); /* TARGET journal WAIT */
        WORK(x, MS / 20);
    }
    return unused;
}

static void *server(void *unused)
{
    char token;
    unsigned x = 1;

    for (;;) {
        get(client_ends[1]);
        put(backend_ends[0]);
        if (recv(backend_ends[0], &token, 1, 0) != 1) /* TARGET backend WAIT */
            case_fail("recv");
        WORK(x, serve_steps);
        put(client_ends[1]);
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"backend", &backend_us}, {"journal", &journal_us}};
    unsigned x = 1;

    case_start(argc, argv, knobs, 2);
    connect_pair(client_ends);
    connect_pair(backend_ends);
    start_thread(backend, NULL);
    start_thread(journal, NULL);
    start_thread(server, NULL);
    for (;;) {
        WORK(x, think_steps);
        put(client_ends[0]);
        get(client_ends[0]);
        VISIT();
    }
}
