/* Writes 100 kB into a socket and reads them again: it copies, and waits for nothing. Each turn is a visit.
 *
 *     copier [--ms N | --until FILE]      as target.h says */
#include "../target.h"

#include <coz.h>
#include <sys/socket.h>

enum { SIZE = 100000 };

static char bytes[SIZE];

int main(int argc, char **argv)
{
    struct span span = span_option(argc, argv);
    int ends[2];
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
    while (!is_over(span)) {
        must(write(ends[0], bytes, SIZE) != SIZE);             /* copies there */
        must(recv(ends[1], bytes, SIZE, MSG_WAITALL) != SIZE); /* copies back */
        COZ_PROGRESS_NAMED("copy");
    }
    return 0;
}
