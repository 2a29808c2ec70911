/* Somebody else's program: it knows of no profiler, and gets its work done by calls of libc. A client asks a
 * server thread over a socket, and writes to nowhere what it was told; every eighth time, a second time.
 * Before it asks it looks for an answer, in vain.
 *
 *     units [--ms N | --until FILE] */
#include "../target.h"

#include <stdint.h>
#include <sys/socket.h>

enum { HEAVY = 200000, LIGHT = 20000, SELDOM = 8 };

static volatile unsigned light_sum;

static unsigned work(unsigned x)
{
    for (int i = 0; i < HEAVY; x = MIX(x, 2246822519u), i++) /* the heavy line */
        continue;
    return x;
}

static void *serve(void *socket)
{
    int fd = (int)(intptr_t)socket;
    unsigned request;
    while (recv(fd, &request, sizeof request, 0) == sizeof request) { /* is asked */
        unsigned answer = work(request);
        if (send(fd, &answer, sizeof answer, 0) != sizeof answer) /* answers */
            break;
    }
    return NULL;
}

static void note(int fd, unsigned answer)
{
    if (write(fd, &answer, sizeof answer) != sizeof answer) /* notes */
        exit(98);
    if (answer % SELDOM == 0 && write(fd, &answer, sizeof answer) != sizeof answer) /* notes again */
        exit(98);
}

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    int fds[2], nowhere = open("/dev/null", O_WRONLY);
    pthread_t server;
    unsigned x = 1, asked = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, fds))
        must(errno);
    must(pthread_create(&server, NULL, serve, (void *)(intptr_t)fds[1]));
    for (; !is_over(span); asked++) {
        if (recv(fds[0], &x, sizeof x, MSG_DONTWAIT) >= 0 || errno != EAGAIN) /* in vain */
            return 98;
        if (send(fds[0], &x, sizeof x, 0) != sizeof x || recv(fds[0], &x, sizeof x, 0) != sizeof x)
            return 98;
        note(nowhere, x);
        for (int i = 0; i < LIGHT; x = MIX(x, 3266489917u), i++) /* the light line */
            continue;
    }
    light_sum = x;
    shutdown(fds[0], SHUT_RDWR);
    must(pthread_join(server, NULL));
    printf("asked %u\n", asked);
    return 0;
}
