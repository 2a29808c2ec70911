/*
 * Load for a web server on the socket `socket` in the current folder: threads, each with a connection that is kept alive,
 * ask for /page.html again and again. Each answer must be the first one, byte for byte.
 *
 *     page [--seconds N]
 *
 * Prints the hash of the page, and how often it was answered. Ends earlier if the server does; if it does before the first
 * answer, or there is none, nothing is printed.
 */
#include "driver.h"

#include <sys/socket.h>
#include <sys/un.h>

/* Two of them keep a server busy that has one thread; more would only be in its way on a machine of two cores. */
enum { CONNECTIONS = 2, MAX_PAGE = 1 << 20 };

static char page[MAX_PAGE]; /* the first answer */
static size_t page_length;
static uint64_t page_hash;

/* NULL when there is no server. */
static FILE *connect_to_server(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "socket"};
    FILE *server = fdopen(socket(AF_UNIX, SOCK_STREAM, 0), "r");

    must(server && setvbuf(server, NULL, _IOFBF, 1 << 16) == 0, "socket");
    if (connect(fileno(server), (struct sockaddr *)&address, sizeof address) == 0)
        return server;
    fclose(server);
    return NULL;
}

/* Returns the length of the page, which comes in chunks, or 0 when the server has ended. */
static size_t get_page(FILE *server, char *to)
{
    static const char request[] = "GET /page.html HTTP/1.1\r\nHost: localhost\r\n\r\n";
    char line[256] = "";
    size_t length = 0, chunk;

    if (send(fileno(server), request, sizeof request - 1, MSG_NOSIGNAL) < 0)
        return 0;
    while (strcmp(line, "\r\n") != 0)
        if (!fgets(line, sizeof line, server))
            return 0;
    while (fgets(line, sizeof line, server) && (chunk = strtoul(line, NULL, 16)) > 0) {
        must(chunk <= MAX_PAGE - length, "a page of at most 1 MB");
        if (fread(to + length, 1, chunk, server) < chunk || !fgets(line, sizeof line, server))
            return 0;
        length += chunk;
    }
    return fgets(line, sizeof line, server) ? length : 0;
}

static void *work(void *argument)
{
    struct worker *self = argument;
    FILE *server = connect_to_server();
    char *answer = malloc(MAX_PAGE);
    size_t length;

    must(answer != NULL, "memory");
    self->hash = page_hash; /* even if the server has ended before it could answer this one */
    while (server && now_seconds() < self->end && (length = get_page(server, answer)) > 0) {
        must(length == page_length && memcmp(answer, page, length) == 0, "the same answer again");
        self->units++;
    }
    free(answer);
    if (server)
        fclose(server);
    return NULL;
}

int main(int argc, char **argv)
{
    double seconds = seconds_asked(argc, argv);
    FILE *server = connect_to_server();

    page_length = server ? get_page(server, page) : 0;
    if (page_length == 0)
        return 0;
    fclose(server);
    page_hash = hashed(HASH_OF_NOTHING, page, page_length);
    unsigned long answers = run_workers(work, CONNECTIONS, seconds, "page");
    printf("%lu answers: %.0f a second\n", answers, (double)answers / seconds);
    return 0;
}
