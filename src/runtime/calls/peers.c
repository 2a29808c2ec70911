#include "runtime/calls/peers.h"

#include "base/clock.h"
#include "base/hash.h"
#include "runtime/core/kernel.h"
#include "runtime/core/namespace.h"
#include "runtime/core/runtime.h"
#include "shared/thread_slots.h"
#include "shared/word_set.h"

#include <fcntl.h> /* AT_FDCWD */
#include <netinet/in.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>

enum { WAITED_NS = 20000 };

/* The kind of a key. It is part of the key, so that keys of different kinds never coincide. */
enum kind { CHANNEL = 1, ADDRESS, CONNECTION };

static void channel_add(uint64_t key)
{
    if (words_put(runtime_segment->channels, SEGMENT_CHANNELS, key, UINT64_MAX))
        atomic_fetch_add_explicit(&runtime_segment->refusals.channels, 1, memory_order_relaxed);
}

static bool is_added(uint64_t key)
{
    return words_find(runtime_segment->channels, SEGMENT_CHANNELS, key, UINT64_MAX);
}

static uint64_t key_of(enum kind kind, const void *bytes, size_t size)
{
    const unsigned char *byte = bytes;
    uint64_t key = kind;
    for (size_t i = 0; i < size; i++)
        key = (key ^ byte[i]) * 0x100000001b3ull; /* FNV-1a */
    return hash_mix(key) | 1;
}

/* ---- pipes and pairs */

static uint64_t channel_key(const struct stat *status)
{
    uint64_t id[] = {status->st_dev, status->st_ino};
    return key_of(CHANNEL, id, sizeof id);
}

static bool stat_descriptor(int fd, struct stat *status)
{
    return kernel_call(SYS_fstat, fd, (long)status, 0, 0, 0, 0) == 0;
}

void peers_add_channel(int fd)
{
    struct stat status;
    if (stat_descriptor(fd, &status))
        channel_add(channel_key(&status));
}

/* All event counters share one inode, so they cannot be told apart; but hardly any is shared with a program
 * outside the tree. */
static bool is_eventfd(int fd)
{
    char path[32] = "/proc/self/fd/", target[32], *end = path + strlen(path);
    char digits[12], *digit = digits;
    for (unsigned rest = (unsigned)fd; rest || digit == digits; rest /= 10)
        *digit++ = (char)('0' + rest % 10);
    while (digit > digits)
        *end++ = *--digit;
    *end = 0;
    static const char wanted[] = "anon_inode:[eventfd]";
    long length = kernel_call(SYS_readlinkat, AT_FDCWD, (long)path, (long)target, sizeof target, 0, 0);
    return length == sizeof wanted - 1 && memcmp(target, wanted, sizeof wanted - 1) == 0;
}

/* ---- sockets */

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un local;
    struct sockaddr_storage room;
};

/* An address of the Internet, of either version. */
struct end {
    struct in6_addr ip;
    in_port_t port;
};

static bool end_of(const union address *address, socklen_t size, struct end *end)
{
    memset(end, 0, sizeof *end);
    if (address->any.sa_family == AF_INET && size >= sizeof address->v4) {
        end->ip.s6_addr[10] = end->ip.s6_addr[11] = 0xff;
        memcpy(&end->ip.s6_addr[12], &address->v4.sin_addr, 4);
        end->port = address->v4.sin_port;
        return true;
    }
    if (address->any.sa_family == AF_INET6 && size >= offsetof(struct sockaddr_in6, sin6_scope_id)) {
        end->ip = address->v6.sin6_addr;
        end->port = address->v6.sin6_port;
        return true;
    }
    return false;
}

static bool is_loopback(const struct end *end)
{
    return IN6_IS_ADDR_LOOPBACK(&end->ip) || (IN6_IS_ADDR_V4MAPPED(&end->ip) && end->ip.s6_addr[12] == 127);
}

static uint64_t connection_key(const struct end *from, const struct end *to)
{
    struct end ends[2];
    memset(ends, 0, sizeof ends);
    ends[0] = *from;
    ends[1] = *to;
    return key_of(CONNECTION, ends, sizeof ends);
}

/* By its port: who listens on all addresses does not know which one was meant. */
static uint64_t address_key(const union address *address, socklen_t size)
{
    struct end end;
    if (end_of(address, size, &end))
        return key_of(ADDRESS, &end.port, sizeof end.port);
    return key_of(ADDRESS, address, size);
}

static bool read_address(long call, int fd, union address *address, socklen_t *size)
{
    *size = sizeof *address;
    memset(address, 0, sizeof *address);
    return kernel_call(call, fd, (long)address, (long)size, 0, 0, 0) == 0;
}

/* False, too, for what is no address. */
static bool copy_address(const struct sockaddr *from, socklen_t size, union address *address)
{
    if (!from || size <= sizeof from->sa_family || size > sizeof *address)
        return false;
    memset(address, 0, sizeof *address);
    memcpy(address, from, size);
    return true;
}

void peers_add_address(const struct sockaddr *to, socklen_t size)
{
    union address address;
    struct end end;
    if (!copy_address(to, size, &address))
        return;
    if (end_of(&address, size, &end) ? is_loopback(&end) : address.any.sa_family == AF_UNIX)
        channel_add(address_key(&address, size));
}

void peers_add_connection(int fd, const struct sockaddr *to, socklen_t size)
{
    union address here, there;
    struct end from, far;
    socklen_t here_size;
    if (!(to ? copy_address(to, size, &there) : read_address(SYS_getpeername, fd, &there, &size)))
        return;
    if (!end_of(&there, size, &far) || !read_address(SYS_getsockname, fd, &here, &here_size) ||
        !end_of(&here, here_size, &from))
        return;
    if (is_loopback(&far) || memcmp(&from.ip, &far.ip, sizeof far.ip) == 0)
        channel_add(connection_key(&from, &far));
}

static int read_option(int fd, int option_name)
{
    int value = 0;
    socklen_t size = sizeof value;
    kernel_call(SYS_getsockopt, fd, SOL_SOCKET, option_name, (long)&value, (long)&size, 0);
    return value;
}

bool peers_has_process(pid_t pid)
{
    return thread_slots_has_process(runtime_segment, namespace_number(pid));
}

/* EPERM, too, means that the process exists. */
static bool process_is_gone(pid_t pid)
{
    return kernel_call(SYS_kill, pid, 0, 0, 0, 0, 0) == -ESRCH;
}

void peers_reap_process(pid_t pid)
{
    struct segment *segment = runtime_segment;
    uint32_t index = 0;
    uint64_t owner;
    for (struct segment_thread *slot;
         (slot = thread_slots_next_of(segment, namespace_number(pid), &index, &owner));)
        if (process_is_gone(pid))
            thread_slot_release(segment, slot, owner);
}

/* Who connected to it, or listened where it connected; 0 for datagrams. A listening socket says itself. */
static pid_t pid_at(int fd)
{
    struct ucred who = {0, 0, 0};
    socklen_t size = sizeof who;
    if (kernel_call(SYS_getsockopt, fd, SOL_SOCKET, SO_PEERCRED, (long)&who, (long)&size, 0))
        return 0;
    return read_option(fd, SO_ACCEPTCONN) ? 0 : who.pid;
}

static bool peers_at_socket(int fd)
{
    union address here, there;
    struct end near, far;
    socklen_t size, far_size;
    if (!read_address(SYS_getsockname, fd, &here, &size))
        return false;
    if (end_of(&here, size, &near) && read_address(SYS_getpeername, fd, &there, &far_size) &&
        end_of(&there, far_size, &far))
        return is_added(connection_key(&far, &near));
    pid_t pid = here.any.sa_family == AF_UNIX ? pid_at(fd) : 0;
    return pid > 0 ? peers_has_process(pid) : is_added(address_key(&here, size));
}

/* ---- all of them */

bool peers_are_at(int fd)
{
    struct stat status;
    if (!stat_descriptor(fd, &status))
        return false;
    switch (status.st_mode & S_IFMT) {
    case S_IFIFO:
        return is_added(channel_key(&status));
    case S_IFSOCK:
        return is_added(channel_key(&status)) || peers_at_socket(fd);
    case 0:
        return is_eventfd(fd);
    default:
        return false;
    }
}

bool peers_have_waited(uint64_t began_ns)
{
    return clock_wall_ns() > began_ns + WAITED_NS;
}
