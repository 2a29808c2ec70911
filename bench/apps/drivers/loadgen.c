/*
 * Load for a memcached on the loopback address of this machine: connections that set and get keys of their
 * own, in batches, so that every byte of every answer is known beforehand and is compared.
 *
 *     loadgen PORT [--seconds N] [--requests N] [--threads N] [--connections N] [--gets KEYS]
 *
 * With --gets there are but gets of so many keys once every key is set. A connection makes a batch of them
 * once, and sends it again and again, for else the load would cost as much as the answers.
 *
 * Ends after the seconds or the requests, whichever comes first, then tells the server to shut down (it must
 * have been started with --enable-shutdown). Exits 1 if any answer was wrong, and 2 if it could not ask.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h> /* TCP_NODELAY */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum {
    KEYS = 500,
    GET_KEYS = 8,
    BATCH = 16,
    MAX_VALUE = 400,
    MAX_THREADS = 16,
    MAX_CONNECTIONS = 64,
    BUFFER = 65536
};

/* One connection has its own keys, so it knows what the server must answer. */
struct connection {
    int fd;
    unsigned id;
    unsigned keys_set;      /* the first so many keys have a value */
    int has_gets;           /* the batch stays as it is */
    unsigned version[KEYS]; /* of the value last set */
    size_t request_length, answer_length;
    char request[BUFFER];
    char answer[BUFFER]; /* what must come next */
};

struct worker {
    pthread_t thread;
    unsigned first; /* number of its first connection */
    unsigned long requests, failed;
};

static int port;
static double end_time;
static unsigned long request_limit; /* for each worker */
static unsigned connections_each = 8;
static unsigned only_gets; /* of so many keys, if not 0 */

static double now_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "loadgen: %s: %s\n", what, strerror(errno));
    exit(2);
}

static int connect_to_server(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    struct timeval patience = {.tv_sec = 20, .tv_usec = 0};
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;

    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
        die("connect");
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return fd;
}

/* The value of a key at a version, always the same; returns its length. */
static size_t make_value(char *value, unsigned id, unsigned key, unsigned version)
{
    size_t length = 20 + (id * 7 + key * 31 + version * 17) % (MAX_VALUE - 20);

    memset(value, 'a' + (int)((key + version) % 26), length);
    int written = snprintf(value, length, "%u/%u/%u", id, key, version);
    value[written] = '.';
    return length;
}

static __attribute__((format(printf, 3, 4))) void append(char *buffer, size_t *length, const char *format,
                                                         ...)
{
    va_list arguments;

    va_start(arguments, format);
    *length += (size_t)vsnprintf(buffer + *length, BUFFER - *length, format, arguments);
    va_end(arguments);
}

static void add_set(struct connection *c, unsigned key)
{
    char value[MAX_VALUE];
    size_t value_length = make_value(value, c->id, key, ++c->version[key]);

    append(c->request, &c->request_length, "set c%u:k%u 0 0 %zu\r\n%.*s\r\n", c->id, key, value_length,
           (int)value_length, value);
    append(c->answer, &c->answer_length, "STORED\r\n");
}

/* Several keys in one command: the server sends an answer for each command, and would else do little but
 * send. */
static void add_get(struct connection *c, unsigned first_key, unsigned keys)
{
    char value[MAX_VALUE];

    append(c->request, &c->request_length, "get");
    for (unsigned i = 0; i < keys; i++) {
        unsigned key = (first_key + i) % KEYS;
        size_t value_length = make_value(value, c->id, key, c->version[key]);

        append(c->request, &c->request_length, " c%u:k%u", c->id, key);
        append(c->answer, &c->answer_length, "VALUE c%u:k%u 0 %zu\r\n%.*s\r\n", c->id, key, value_length,
               (int)value_length, value);
    }
    append(c->request, &c->request_length, "\r\n");
    append(c->answer, &c->answer_length, "END\r\n");
}

/* One set to nine gets, once every key has been set. */
static void add_request(struct connection *c, unsigned *random)
{
    *random = *random * 1664525u + 1013904223u;
    unsigned key = (*random >> 8) % KEYS;

    if (c->keys_set < KEYS)
        add_set(c, c->keys_set++);
    else if (c->has_gets)
        add_get(c, key, only_gets);
    else if ((*random >> 24) % 10 == 0)
        add_set(c, key);
    else
        add_get(c, key, GET_KEYS);
}

static void make_batch(struct connection *c, unsigned *random)
{
    if (c->has_gets)
        return;
    c->has_gets = only_gets && c->keys_set == KEYS;
    c->request_length = c->answer_length = 0;
    for (int i = 0; i < BATCH; i++)
        add_request(c, random);
}

static void send_batch(struct connection *c)
{
    size_t sent = 0;

    while (sent < c->request_length) {
        ssize_t n = send(c->fd, c->request + sent, c->request_length - sent, MSG_NOSIGNAL);
        if (n > 0)
            sent += (size_t)n;
        else if (errno != EINTR)
            die("send");
    }
}

/* 1 when the answer is what it must be. */
static int receive_batch(struct connection *c)
{
    char answer[BUFFER];
    size_t got = 0;

    while (got < c->answer_length) {
        ssize_t n = recv(c->fd, answer + got, c->answer_length - got, 0);
        if (n > 0)
            got += (size_t)n;
        else if (n == 0 || errno == ECONNRESET)
            die("the server has ended; the last error was");
        else if (errno != EINTR)
            return 0;
    }
    return memcmp(answer, c->answer, got) == 0;
}

static void *work(void *argument)
{
    struct worker *self = argument;
    struct connection *connections = calloc(connections_each, sizeof *connections);
    unsigned random = self->first + 1;

    if (!connections)
        die("memory");
    for (unsigned i = 0; i < connections_each; i++) {
        connections[i].id = self->first + i;
        connections[i].fd = connect_to_server();
    }
    /* After a wrong answer the connection is out of step: stop, and count what was asked as failed. */
    while (self->failed == 0 && self->requests < request_limit && now_seconds() < end_time) {
        for (unsigned i = 0; i < connections_each; i++) {
            make_batch(&connections[i], &random);
            send_batch(&connections[i]);
        }
        for (unsigned i = 0; i < connections_each; i++) {
            if (!receive_batch(&connections[i]))
                self->failed += BATCH;
            self->requests += BATCH;
        }
    }
    for (unsigned i = 0; i < connections_each; i++)
        close(connections[i].fd);
    free(connections);
    return NULL;
}

int main(int argc, char **argv)
{
    static struct worker workers[MAX_THREADS];
    double seconds = 10;
    unsigned threads = 1;

    request_limit = 100000000;
    port = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 2; i + 1 < argc; i += 2) {
        if (strcmp(argv[i], "--seconds") == 0)
            seconds = atof(argv[i + 1]);
        else if (strcmp(argv[i], "--requests") == 0)
            request_limit = strtoul(argv[i + 1], NULL, 10);
        else if (strcmp(argv[i], "--threads") == 0)
            threads = (unsigned)atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--connections") == 0)
            connections_each = (unsigned)atoi(argv[i + 1]);
        else if (strcmp(argv[i], "--gets") == 0)
            only_gets = (unsigned)atoi(argv[i + 1]);
        else
            seconds = 0;
    }
    if (port <= 0 || port > 65535 || argc % 2 != 0 || threads < 1 || threads > MAX_THREADS ||
        connections_each < 1 || connections_each > MAX_CONNECTIONS || only_gets > GET_KEYS || seconds <= 0) {
        fprintf(stderr,
                "usage: loadgen PORT [--seconds N] [--requests N] [--threads 1-%d] "
                "[--connections 1-%d] [--gets 1-%d]\n",
                MAX_THREADS, MAX_CONNECTIONS, GET_KEYS);
        return 2;
    }

    double start = now_seconds();
    end_time = start + seconds;
    request_limit /= threads;
    for (unsigned i = 0; i < threads; i++) {
        workers[i].first = i * connections_each;
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0)
            die("thread");
    }
    unsigned long requests = 0, failed = 0;
    for (unsigned i = 0; i < threads; i++) {
        pthread_join(workers[i].thread, NULL);
        requests += workers[i].requests;
        failed += workers[i].failed;
    }
    double elapsed = now_seconds() - start;

    int fd = connect_to_server();
    if (send(fd, "shutdown\r\n", 10, MSG_NOSIGNAL) != 10)
        die("shutdown");
    close(fd);

    printf("%lu failed requests\n", failed);
    printf("%lu requests in %.2f s: %.0f requests/s\n", requests, elapsed, (double)requests / elapsed);
    return failed ? 1 : 0;
}
