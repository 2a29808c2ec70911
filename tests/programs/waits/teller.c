/* Tells itself 60 kB in a packet, asks whether it is there, and takes no more than its first byte: calls that might wait,
 * and return at once, of which one copies for most of the time. Each turn is a visit.
 *
 *     teller [--ms N | --until FILE]      as target.h says */
#include "../target.h"

#include <coz.h>
#include <poll.h>
#include <sys/socket.h>

enum { SIZE = 60000 };

static char bytes[SIZE];

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    int ends[2];
    must(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends));
    struct pollfd there = {.fd = ends[1], .events = POLLIN};
    while (!is_over(span)) {
        must(write(ends[0], bytes, SIZE) != SIZE); /* told line */
        must(poll(&there, 1, 0) != 1);
        must(recv(ends[1], bytes, 1, 0) != 1);
        must(recv(ends[1], bytes, 1, MSG_DONTWAIT) != -1);
        COZ_PROGRESS_NAMED("tell");
    }
    return 0;
}
