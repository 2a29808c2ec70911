/* Calls that a signal may make shorter than they are natively: how many of them were not as long as was asked
 * for. Natively none is. The profiler's samples come now and then; so that they come in the middle of many
 * calls, another thread sends the same signal, which it finds by there being a handler.
 *
 *     lengths [ROUNDS] */
#include "target.h"

#include "shared/layout.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/random.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>

enum { SIZE = 1 << 20, PARTS = 37 };

static char bytes[SIZE], room[SIZE];

/* The number of the only real-time signal that has a handler and is not libc's own; 0: none. */
static int find_signal(void)
{
    unsigned long long caught = 0;
    char line[256];
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "SigCgt: %llx", &caught) == 1)
            break;
    if (file)
        fclose(file);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        if (caught >> (number - 1) & 1)
            return number;
    return 0;
}

static pid_t caller;
static atomic_bool is_done;

/* Natively it has nothing to do. */
static void *send_signals(void *number)
{
    struct timespec soon = {0, 30000};
    while (*(int *)number && !atomic_load(&is_done)) {
        nanosleep(&soon, NULL);
        siginfo_t info = {.si_code = SI_QUEUE, .si_value = {.sival_ptr = (void *)SEGMENT_SIGNAL_VALUE}};
        syscall(SYS_rt_tgsigqueueinfo, getpid(), caller, *(int *)number, &info);
    }
    return NULL;
}

static void say(const char *what, int wrong)
{
    printf("%s: %d\n", what, wrong);
}

static int open_or_end(const char *path, int how)
{
    int fd = open(path, how | O_CLOEXEC, 0600);
    if (fd < 0)
        must(errno);
    return fd;
}

/* The same memory, in parts of unequal length. */
static void split(struct iovec *parts, char *whole)
{
    size_t done = 0;
    for (int i = 0; i < PARTS; i++) {
        size_t size = i == PARTS - 1 ? SIZE - done : (size_t)i * 1234 + 1;
        parts[i] = (struct iovec){whole + done, size};
        done += size;
    }
}

/* ---- devices that never end */

static void devices(int rounds)
{
    int zero = open_or_end("/dev/zero", O_RDONLY), noise = open_or_end("/dev/urandom", O_RDONLY);
    int zeros = 0, zero_parts = 0, zeros_at = 0, noises = 0, random = 0, left = 0;
    struct iovec parts[PARTS];
    split(parts, room);
    for (int i = 0; i < rounds; i++) {
        memset(room, 1, SIZE);
        zeros += read(zero, room, SIZE) != SIZE;
        for (int at = 0; at < SIZE; at++)
            left += room[at] != 0;
        zero_parts += readv(zero, parts, PARTS) != SIZE;
        zeros_at += pread(zero, room, SIZE, 0) != SIZE;
        if (i % 8 == 0) {
            noises += read(noise, room, SIZE) != SIZE;
            random += getrandom(room, SIZE, 0) != SIZE;
        }
    }
    say("read of /dev/zero", zeros);
    say("bytes that were not read", left);
    say("readv of /dev/zero", zero_parts);
    say("pread of /dev/zero", zeros_at);
    say("read of /dev/urandom", noises);
    say("getrandom", random);
    close(zero);
    close(noise);
}

/* ---- what is written to who reads slowly, or read from who writes slowly */

struct end {
    int fd, total;
    bool wrong;
};

static void *read_all(void *argument)
{
    static __thread char part[5000];
    struct end *end = argument;
    unsigned at = 0;
    for (ssize_t size; (size = read(end->fd, part, sizeof part)) > 0; at += (unsigned)size)
        for (unsigned i = 0; i < (unsigned)size; i++)
            end->wrong |= part[i] != bytes[(at + i) % SIZE];
    end->wrong |= at % SIZE != 0;
    end->total = (int)(at / SIZE);
    return NULL;
}

static void *write_all(void *argument)
{
    struct end *end = argument;
    for (int i = 0; i < end->total; i++)
        for (size_t at = 0; at < SIZE;) {
            ssize_t size = write(end->fd, bytes + at, SIZE - at < 5000 ? SIZE - at : 5000);
            if (size < 0)
                must(errno);
            at += (size_t)size;
        }
    close(end->fd);
    return NULL;
}

enum way { WRITE, WRITEV, SEND, SENDMSG, SENDFILE };

static ssize_t put(enum way way, int fd, int file)
{
    struct iovec parts[PARTS];
    off_t at = 0;
    split(parts, bytes);
    switch (way) {
    case WRITE:
        return write(fd, bytes, SIZE);
    case WRITEV:
        return writev(fd, parts, PARTS);
    case SEND:
        return send(fd, bytes, SIZE, 0);
    case SENDMSG:
        return sendmsg(fd, &(struct msghdr){.msg_iov = parts, .msg_iovlen = PARTS}, 0);
    default:
        return sendfile(fd, file, &at, SIZE);
    }
}

static void puts_all(const char *what, enum way way, const int ends[2], int file, int rounds)
{
    struct end reader = {.fd = ends[0]};
    pthread_t thread;
    int wrong = 0;
    must(pthread_create(&thread, NULL, read_all, &reader));
    for (int i = 0; i < rounds; i++)
        wrong += put(way, ends[1], file) != SIZE;
    close(ends[1]);
    must(pthread_join(thread, NULL));
    close(ends[0]);
    say(what, wrong);
    if (reader.wrong || reader.total != rounds)
        printf("%s: the reader saw something else\n", what);
}

static void gets_all(const char *what, bool in_parts, int rounds)
{
    int ends[2], wrong = 0, differ = 0;
    pthread_t thread;
    struct iovec parts[PARTS];
    split(parts, room);
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) ? errno : 0);
    struct end writer = {.fd = ends[1], .total = rounds};
    must(pthread_create(&thread, NULL, write_all, &writer));
    for (int i = 0; i < rounds; i++) {
        struct msghdr message = {.msg_iov = parts, .msg_iovlen = PARTS};
        memset(room, 0, SIZE);
        wrong += (in_parts ? recvmsg(ends[0], &message, MSG_WAITALL)
                           : recv(ends[0], room, SIZE, MSG_WAITALL)) != SIZE;
        differ += memcmp(room, bytes, SIZE) != 0;
    }
    while (read(ends[0], room, SIZE) > 0)
        continue;
    must(pthread_join(thread, NULL));
    close(ends[0]);
    say(what, wrong);
    say("of other bytes", differ);
}

static void streams(int rounds)
{
    static const struct {
        const char *what;
        enum way way;
        bool is_pipe;
    } cases[] = {
        {"write to a pipe", WRITE, true},
        {"writev to a pipe", WRITEV, true},
        {"write to a socket", WRITE, false},
        {"writev to a socket", WRITEV, false},
        {"send", SEND, false},
        {"sendmsg", SENDMSG, false},
        {"sendfile to a socket", SENDFILE, false},
    };
    int file = open_or_end("lengths.data", O_RDWR | O_CREAT | O_TRUNC), ends[2];
    if (write(file, bytes, SIZE) != SIZE)
        must(EIO);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        must((cases[i].is_pipe ? pipe(ends) : socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) ? errno : 0);
        if (!cases[i].is_pipe) /* socketpair's ends are alike */
            shutdown(ends[0], SHUT_WR);
        puts_all(cases[i].what, cases[i].way, ends, file, rounds);
    }
    gets_all("recv of all", false, rounds);
    gets_all("recvmsg of all", true, rounds);
    unlink("lengths.data");
    close(file);
}

/* ---- from file to file */

static ssize_t copy(int in, int out, off64_t *at, bool by_number)
{
    off64_t to = 0;
    if (by_number)
        return syscall(SYS_copy_file_range, in, at, out, &to, (size_t)SIZE, 0u);
    lseek(out, 0, SEEK_SET);
    return copy_file_range(in, at, out, NULL, SIZE, 0);
}

/* Where a file system cannot, it cannot natively, either. */
static void copies(int rounds)
{
    int in = open_or_end("lengths.data", O_RDWR | O_CREAT | O_TRUNC), differ = 0;
    int out = open_or_end("lengths.copy", O_RDWR | O_CREAT | O_TRUNC);
    if (write(in, bytes, SIZE) != SIZE)
        must(EIO);
    for (int by_number = 0; by_number < 2; by_number++) {
        int wrong = 0;
        for (int i = 0; i < rounds; i++) {
            off64_t at = 0;
            must(ftruncate(out, 0) ? errno : 0);
            wrong += copy(in, out, &at, by_number) != SIZE || at != SIZE;
            differ += pread(out, room, SIZE, 0) != SIZE || memcmp(room, bytes, SIZE) != 0;
        }
        say(by_number ? "copy_file_range by number" : "copy_file_range", wrong);
    }
    say("of other bytes", differ);
    unlink("lengths.data");
    unlink("lengths.copy");
    close(in);
    close(out);
}

/* ---- what is natively short stays so: nothing waits for more than is there */

static void short_ones(int rounds)
{
    int ends[2], wrong = 0;
    ssize_t size;
    must(pipe(ends) ? errno : 0);
    int holds = fcntl(ends[0], F_GETPIPE_SZ);
    for (int i = 0; i < rounds; i++) {
        if (write(ends[1], bytes, (size_t)holds) != holds)
            must(EIO);
        wrong += read(ends[0], room, SIZE) != holds;
    }
    say("read of what is in a pipe", wrong);
    wrong = 0;
    must(fcntl(ends[1], F_SETFL, O_NONBLOCK) ? errno : 0);
    for (int i = 0; i < rounds; i++) {
        wrong += write(ends[1], bytes, SIZE) != holds;
        for (size_t left = (size_t)holds; left && (size = read(ends[0], room, left)) > 0;)
            left -= (size_t)size;
    }
    say("write of what a pipe holds", wrong);
    close(ends[0]);
    close(ends[1]);
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 ? atoi(argv[1]) : 100, number = find_signal();
    pthread_t sender;
    caller = gettid();
    must(pthread_create(&sender, NULL, send_signals, &number));
    for (int i = 0; i < SIZE; i++)
        bytes[i] = (char)(i * 31 + i / 251);
    devices(rounds);
    streams(rounds);
    copies(rounds);
    short_ones(rounds);
    atomic_store(&is_done, true);
    must(pthread_join(sender, NULL));
    return 0;
}
