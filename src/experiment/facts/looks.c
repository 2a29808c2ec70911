#include "experiment/facts/looks.h"

#include "base/random.h"
#include "experiment/facts/members.h"
#include "experiment/facts/own_ends.h"

#include <dirent.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define MS 1000000ull

/* A look takes some 20 us for each thread. */
enum { THREADS = 128, MOST_LOOKS = 200 };
static const uint64_t shortest_ns = 20 * MS, spread_ns = 60 * MS;

void looks_begin(struct looks *looks, uint64_t now, uint64_t seed)
{
    *looks = (struct looks){.next_ns = now + shortest_ns, .seed = seed};
}

enum look_wait looks_wait_of(long call, const unsigned long arguments[6])
{
    switch (call) {
    case SYS_nanosleep:
    case SYS_clock_nanosleep:
        return LOOK_CLOCK;
#ifdef SYS_poll /* newer machines have no calls but those that can do more */
    case SYS_poll:
#endif
    case SYS_ppoll: /* of no descriptors: a sleep */
        return arguments[1] ? LOOK_OUTSIDE : LOOK_CLOCK;
#ifdef SYS_select
    case SYS_select:
#endif
    case SYS_pselect6:
        return arguments[0] ? LOOK_OUTSIDE : LOOK_CLOCK;
    case SYS_futex: /* until a moment: a ticker made of a condition */
        return arguments[3] && ((int)arguments[1] & FUTEX_CMD_MASK) != FUTEX_WAKE ? LOOK_CLOCK : LOOK_PEERS;
    case SYS_fsync:
    case SYS_fdatasync:
    case SYS_sync:
    case SYS_syncfs:
    case SYS_msync:
        return LOOK_DISK;
    case SYS_read:
    case SYS_readv:
    case SYS_pread64:
    case SYS_preadv:
    case SYS_write:
    case SYS_writev:
    case SYS_pwrite64:
    case SYS_pwritev:
    case SYS_sendfile:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_recvmmsg:
    case SYS_sendto:
    case SYS_sendmsg:
    case SYS_sendmmsg:
    case SYS_accept:
    case SYS_accept4:
    case SYS_connect:
#ifdef SYS_epoll_wait
    case SYS_epoll_wait:
#endif
    case SYS_epoll_pwait:
    case SYS_epoll_pwait2:
    case SYS_rt_sigtimedwait:
    case SYS_io_getevents:
    case SYS_io_uring_enter:
    case SYS_flock:
        return LOOK_OUTSIDE;
    default: /* children, which are looked at, too; the kernel's own locks; a vfork */
        return LOOK_PEERS;
    }
}

/* ---- one thread ---- */

struct seen_thread {
    char state; /* as in /proc/TID/stat; 0: it has gone */
    enum look_wait wait;
    uint64_t ran_ns;
};

static size_t read_file(pid_t pid, long tid, const char *name, char *text, size_t size)
{
    char path[96];
    snprintf(path, sizeof path, "/proc/%d/task/%ld/%s", (int)pid, tid, name);
    FILE *file = fopen(path, "re");
    size_t length = file ? fread(text, 1, size - 1, file) : 0;
    text[length] = '\0';
    if (file)
        fclose(file);
    return length;
}

/* A name in brackets may hold anything, brackets too. */
static char state_of(pid_t pid, long tid)
{
    char text[512];
    read_file(pid, tid, "stat", text, sizeof text);
    const char *end = strrchr(text, ')');
    return end && end[1] == ' ' ? end[2] : '\0';
}

static bool is_running(char state)
{
    return state == 'R';
}

static bool reads_descriptor(long call)
{
    switch (call) {
    case SYS_read:
    case SYS_readv:
    case SYS_recvfrom:
    case SYS_recvmsg:
    case SYS_recvmmsg:
        return true;
    default:
        return false;
    }
}

/* A read of a timer's descriptor is a sleep; of what the tree itself writes, a wait for a peer. */
static enum look_wait refine_read(const struct segment *segment, pid_t pid, unsigned long fd)
{
    char name[DESCRIPTOR_NAME_SIZE];
    descriptor_name(pid, fd, name);
    if (strcmp(name, "anon_inode:[timerfd]") == 0)
        return LOOK_CLOCK;
    return end_is_own(segment, pid, name) ? LOOK_PEERS : LOOK_OUTSIDE;
}

static struct seen_thread look_closely(const struct segment *segment, pid_t pid, long tid, char state)
{
    struct seen_thread seen = {.state = state, .wait = LOOK_PEERS};
    char text[256];
    long call = -1;
    unsigned long arguments[6] = {0};
    read_file(pid, tid, "syscall", text, sizeof text);
    if (sscanf(text, "%ld %lx %lx %lx %lx %lx %lx", &call, &arguments[0], &arguments[1], &arguments[2],
               &arguments[3], &arguments[4], &arguments[5]) == 7 &&
        call >= 0)
        seen.wait =
            reads_descriptor(call) ? refine_read(segment, pid, arguments[0]) : looks_wait_of(call, arguments);
    if (state == 'D' && seen.wait == LOOK_OUTSIDE)
        seen.wait = LOOK_DISK;
    read_file(pid, tid, "schedstat", text, sizeof text);
    sscanf(text, "%" SCNu64, &seen.ran_ns);
    return seen;
}

/* ---- all of them ---- */

/* The busiest of the threads that wait for something else than each other. */
struct look {
    const struct segment *segment;
    bool any, runs; /* there are threads; one runs, or is ready to */
    enum look_wait wait;
    uint64_t ran_ns;
};

static void look_at_thread(struct look *look, pid_t pid, long tid, bool closely)
{
    char state = state_of(pid, tid);
    if (!state || state == 'Z' || state == 'X')
        return;
    look->any = true;
    look->runs |= is_running(state);
    if (!closely || look->runs)
        return;
    struct seen_thread seen = look_closely(look->segment, pid, tid, state);
    if (seen.wait == LOOK_PEERS || (look->wait != LOOK_PEERS && seen.ran_ns <= look->ran_ns))
        return;
    look->wait = seen.wait;
    look->ran_ns = seen.ran_ns;
}

static void look_at_process(struct look *look, pid_t pid, bool closely)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *folder = opendir(path);
    int threads = 0;
    for (struct dirent *entry; folder && !look->runs && threads < THREADS && (entry = readdir(folder));)
        if (entry->d_name[0] != '.') {
            threads++;
            look_at_thread(look, pid, strtol(entry->d_name, NULL, 10), closely);
        }
    if (folder)
        closedir(folder);
}

static void look_at_tree(struct look *look, bool closely)
{
    pid_t pids[MEMBERS];
    int count = members_list(look->segment, pids);
    for (int i = 0; i < count && !look->runs; i++)
        look_at_process(look, pids[i], closely);
}

static bool is_delayed(const struct segment *segment)
{
    return segment_target_permille(atomic_load(&segment->target)) != 0;
}

/* A quick look tells whether somebody runs; only when nobody does, what is waited for. */
static void take_look(struct look_facts *seen, const struct segment *segment)
{
    struct look look = {.segment = segment, .wait = LOOK_PEERS};
    look_at_tree(&look, false);
    if (!look.any || is_delayed(segment))
        return;
    bool idle = !look.runs;
    if (idle) {
        look = (struct look){.segment = segment, .wait = LOOK_PEERS};
        look_at_tree(&look, true);
    }
    seen->count++;
    seen->idle += idle;
    seen->clock += idle && look.wait == LOOK_CLOCK;
    seen->outside += idle && look.wait == LOOK_OUTSIDE;
    seen->disk += idle && look.wait == LOOK_DISK;
}

void looks_step(struct looks *looks, const struct segment *segment, uint64_t now, uint64_t *next_ns)
{
    if (looks->seen.count >= MOST_LOOKS)
        return;
    if (now >= looks->next_ns) {
        if (!is_delayed(segment))
            take_look(&looks->seen, segment);
        looks->next_ns = now + shortest_ns + random_next(&looks->seed) % spread_ns;
    }
    if (looks->next_ns < *next_ns)
        *next_ns = looks->next_ns;
}
