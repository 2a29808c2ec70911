/* A program that is rough with what it was given: it closes all descriptors, takes over numbers, has few, or
 * restricts its own system calls. Then it works on, with threads, and prints what it finds.
 *
 *     guest closefrom | range | loop | listing | takeover | few | exhausted | lowered | idle | strict |
 *           killing | together | unprivileged | truncating */
#include "target.h"

#include <coz.h>
#include <dirent.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdatomic.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>

enum { THREADS = 4, NUMBERS = 4096, ROUNDS_IN_UNIT = 5 };

/* Work of so many units, each a third of a millisecond of processor time or so: not a time, for how much of
 * that a machine gives is its affair. */
static void work(int units)
{
    volatile unsigned x = 1;
    for (int step = 0; step < ROUNDS_IN_UNIT * units; step++) {
        for (int i = 0; i < 20000; i++)
            x = MIX(x, 2654435761u); /* work line */
        COZ_PROGRESS_NAMED("step");
    }
}

static void *work_on(void *nothing)
{
    work(300);
    return nothing;
}

static void with_threads(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        must(pthread_create(&threads[i], NULL, work_on, NULL));
    for (int i = 0; i < THREADS; i++)
        must(pthread_join(threads[i], NULL));
    puts("threads: done");
}

static void limit(rlim_t count)
{
    struct rlimit limit = {count, count};
    if (setrlimit(RLIMIT_NOFILE, &limit))
        must(errno);
}

/* Every number that close() accepts; a program sees what it opened itself, and nothing else. */
static void close_in_a_loop(void)
{
    int closed = 0;
    for (int fd = 3; fd < NUMBERS; fd++)
        closed += close(fd) == 0;
    printf("closed: %d\n", closed);
}

static void close_listed(void)
{
    DIR *directory = opendir("/proc/self/fd");
    for (struct dirent *entry; (entry = readdir(directory));) {
        int fd = atoi(entry->d_name);
        if (fd > 2 && fd != dirfd(directory))
            close(fd);
    }
    closedir(directory);
}

/* Puts its own file at every number, and expects it there at the end. */
static void take_over(void)
{
    int file = open("/dev/null", O_WRONLY | O_CLOEXEC), there = 0;
    for (int fd = 3; fd < 1000; fd++)
        if (fd != file && dup2(file, fd) != fd)
            printf("dup2: %s\n", strerrorname_np(errno));
    work(100);
    with_threads();
    for (int fd = 3; fd < 1000; fd++)
        there += write(fd, "x", 1) == 1;
    printf("still there: %d\n", there);
}

/* All descriptors that the program may expect to get, it gets: half of the limit. */
static void exhaust(rlim_t count)
{
    limit(count);
    int opened = 0;
    while (opened < (int)count / 2 - 3 && open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0)
        opened++;
    printf("opened: %d\n", opened);
    with_threads();
    while (open("/dev/null", O_RDONLY | O_CLOEXEC) >= 0)
        ;
    printf("then: %s\n", strerrorname_np(errno));
    with_threads();
}

static void *wait_for_end(void *read_end)
{
    char byte;
    return read(*(int *)read_end, &byte, 1) ? read_end : NULL;
}

/* More threads than descriptors, which do nothing until they all wake at once. */
static void idle(void)
{
    enum { IDLE = 200 };
    pthread_t threads[IDLE];
    int ends[2];
    must(pipe(ends) ? errno : 0);
    limit(64);
    for (int i = 0; i < IDLE; i++)
        must(pthread_create(&threads[i], NULL, wait_for_end, &ends[0]));
    work(300);
    close(ends[1]);
    for (int i = 0; i < IDLE; i++)
        must(pthread_join(threads[i], NULL));
}

static void filter(unsigned number, unsigned otherwise)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, otherwise),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, otherwise),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        exit(77);
}

/* Gives up what it may do, while threads are at work; those after it are nobody's. */
static void drop_privileges(void)
{
    enum { NOBODY = 65534 };
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        must(pthread_create(&threads[i], NULL, work_on, NULL));
    work(100);
    if (getuid() == 0 && (setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY)))
        must(errno);
    for (int i = 0; i < THREADS; i++)
        must(pthread_join(threads[i], NULL));
    printf("unprivileged: %d\n", getuid() != 0);
}

/* A stray ftruncate() hits the file that the profiler shares with the program. */
static void truncate_shared(void)
{
    const char *path = getenv("COZ_SEGMENT");
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    printf("truncated: %d\n", fd >= 0 && (ftruncate(fd, 0) == 0 || ftruncate(fd, 1ll << 40) == 0));
}

/* A filter for all threads, which are at work: it ends the program for each call that the runtime makes in
 * its handler. */
static void *live_shortly(void *nothing)
{
    return nothing;
}

/* Some threads begin or end at any moment. */
static void *start_many(void *stop)
{
    while (!atomic_load((atomic_bool *)stop)) {
        pthread_t thread;
        must(pthread_create(&thread, NULL, live_shortly, NULL));
        must(pthread_join(thread, NULL));
    }
    return NULL;
}

static void filter_together(void)
{
    static const unsigned forbidden[] = {SYS_ioctl,         SYS_perf_event_open, SYS_timer_create,
                                         SYS_timer_settime, SYS_timer_delete,    SYS_getrusage,
                                         SYS_clock_gettime, SYS_pread64};
    enum { COUNT = sizeof forbidden / sizeof *forbidden };
    struct sock_filter code[2 * COUNT + 2] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    for (unsigned i = 0; i < COUNT; i++) {
        code[2 * i + 1] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, forbidden[i], 0, 1);
        code[2 * i + 2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS);
    }
    code[2 * COUNT + 1] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    pthread_t threads[THREADS], starters[THREADS];
    atomic_bool stop = false;
    puts("together"); /* stdio's own ioctl() */
    for (int i = 0; i < THREADS; i++) {
        must(pthread_create(&threads[i], NULL, work_on, NULL));
        must(pthread_create(&starters[i], NULL, start_many, &stop));
    }
    work(100);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program))
        exit(77);
    work(100);
    atomic_store(&stop, true);
    for (int i = 0; i < THREADS; i++) {
        must(pthread_join(threads[i], NULL));
        must(pthread_join(starters[i], NULL));
    }
    puts("together: done");
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    setlinebuf(stdout);
    work(300);
    if (strcmp(how, "closefrom") == 0)
        closefrom(3);
    else if (strcmp(how, "range") == 0)
        printf("close_range: %d\n", close_range(3, ~0u, 0));
    else if (strcmp(how, "loop") == 0)
        close_in_a_loop();
    else if (strcmp(how, "listing") == 0)
        close_listed();
    else if (strcmp(how, "takeover") == 0)
        take_over();
    else if (strcmp(how, "few") == 0)
        limit(64);
    else if (strcmp(how, "exhausted") == 0)
        exhaust(64);
    else if (strcmp(how, "lowered") == 0)
        with_threads(), limit(8);
    else if (strcmp(how, "idle") == 0)
        idle();
    else if (strcmp(how, "together") == 0)
        filter_together();
    else if (strcmp(how, "unprivileged") == 0)
        drop_privileges();
    else if (strcmp(how, "truncating") == 0)
        truncate_shared();
    else if (strcmp(how, "killing") == 0)
        filter(SYS_perf_event_open, SECCOMP_RET_KILL_PROCESS);
    else if (strcmp(how, "strict") == 0) {
        must(prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT));
        volatile unsigned x = 1;
        for (int i = 0; i < 100000000; i++)
            x = MIX(x, 2654435761u);
        write(1, "strict: done\n", 13);
        syscall(SYS_exit, 3);
    } else
        return 2;
    work(300);
    with_threads();
    return 3;
}
