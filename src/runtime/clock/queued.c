#include "runtime/clock/queued.h"

#include "runtime/core/descriptors.h"
#include "runtime/core/kernel.h"

#include <fcntl.h>
#include <sys/syscall.h>

static uint64_t parse_number(const char **text)
{
    uint64_t value = 0;
    for (; **text >= '0' && **text <= '9'; (*text)++)
        value = value * 10 + (uint64_t)(**text - '0');
    while (**text == ' ')
        (*text)++;
    return value;
}

static int open_schedstat(pid_t tid)
{
    int fd = (int)kernel_call(SYS_openat, AT_FDCWD, (long)"/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC,
                              0, 0, 0);
    if (fd >= 0)
        fd = descriptors_keep(fd, tid);
    return fd < 0 ? QUEUED_NEVER_ASK : fd;
}

/* "cpu_ns queued_ns turns" */
struct scheduled queued_ask(struct presence *presence)
{
    struct scheduled nothing = {0, 0}, told;
    char text[96];
    if (presence->schedstat == QUEUED_NOT_ASKED)
        presence->schedstat = open_schedstat(presence->tid);
    if (!descriptors_is_of(presence->schedstat, presence->tid))
        return nothing;
    long length = kernel_call(SYS_pread64, presence->schedstat, (long)text, sizeof text - 1, 0, 0, 0);
    if (length <= 0)
        return nothing;
    text[length] = 0;
    const char *rest = text;
    parse_number(&rest);
    told.queued_ns = parse_number(&rest);
    told.turns = parse_number(&rest);
    return told;
}

bool queued_is_told(const struct presence *presence)
{
    return presence->schedstat >= 0;
}

/* The kernel's count is as of now. When the thread has lost its core again since until_ns, that later wait may
 * be in it as well: what exceeds away_ns is then left for the next call. */
uint64_t queued_take(struct presence *presence, struct scheduled told, uint64_t away_ns, uint64_t until_ns)
{
    uint64_t queued = clock_passed_ns(presence->before.queued_ns, told.queued_ns);
    if (queued > away_ns)
        queued = away_ns;
    if (clock_passed_ns(until_ns, clock_wall_ns()) > LONGEST_OWN_NS)
        told.queued_ns = presence->before.queued_ns + queued;
    presence->before = told;
    return queued;
}

bool queued_was_blocked(const struct presence *presence, struct scheduled told)
{
    return !told.turns || told.turns != presence->before.turns;
}

bool queued_left_core(struct presence *presence)
{
    uint64_t turns = queued_ask(presence).turns;
    bool left = !turns || turns != presence->turns_seen;
    presence->turns_seen = turns;
    return left;
}
