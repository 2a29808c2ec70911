/* Prints what every call that waits, wakes or creates returns, in good and in bad circumstances, and whether
 * it left errno alone: the same with and without a profiler. */
#include "target.h"

#include <limits.h> /* SEM_VALUE_MAX */
#include <linux/futex.h>
#include <netinet/in.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>

enum { UNTOUCHED = 4711 };

#define SHOW(call) (errno = UNTOUCHED, show(#call, call))

static void show(const char *what, int rc)
{
    int left = errno;
    printf("%s: ", what);
    if (rc == PTHREAD_BARRIER_SERIAL_THREAD)
        printf("-1");
    else
        printf("%s", rc ? strerrorname_np(rc) : "0");
    if (left != UNTOUCHED)
        printf(", errno %s", strerrorname_np(left));
    putchar('\n');
}

static struct timespec in_ms(clockid_t clock, int ms)
{
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_nsec += ms * 1000000l;
    time.tv_sec += time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static void *run_call(void *call)
{
    ((void (*)(void))(uintptr_t)call)();
    return NULL;
}

/* Runs it on another thread, to its end. */
static void elsewhere(void (*call)(void))
{
    pthread_t thread;
    must(pthread_create(&thread, NULL, run_call, (void *)(uintptr_t)call));
    must(pthread_join(thread, NULL));
}

/* ---- mutexes */

static pthread_mutex_t mutex;

static void make_mutex(int type, int robustness, int protocol)
{
    pthread_mutexattr_t attributes;
    must(pthread_mutexattr_init(&attributes));
    must(pthread_mutexattr_settype(&attributes, type));
    must(pthread_mutexattr_setrobust(&attributes, robustness));
    must(pthread_mutexattr_setprotocol(&attributes, protocol));
    must(pthread_mutex_init(&mutex, &attributes));
    must(pthread_mutexattr_destroy(&attributes));
}

static void lock_what_others_hold(void)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 5), past = {0}, bad = {0, 1000000000};
    SHOW(pthread_mutex_trylock(&mutex));
    SHOW(pthread_mutex_timedlock(&mutex, &soon));
    SHOW(pthread_mutex_timedlock(&mutex, &past));
    SHOW(pthread_mutex_timedlock(&mutex, &bad));
    soon = in_ms(CLOCK_MONOTONIC, 5);
    SHOW(pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, &soon));
    SHOW(pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &soon));
}

static void unlock_what_others_hold(void)
{
    SHOW(pthread_mutex_unlock(&mutex));
}

static void lock_and_die(void)
{
    SHOW(pthread_mutex_lock(&mutex));
}

static void plain_mutex(int protocol)
{
    struct timespec bad = {0, 1000000000};
    make_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_STALLED, protocol);
    SHOW(pthread_mutex_lock(&mutex));
    elsewhere(lock_what_others_hold);
    SHOW(pthread_mutex_unlock(&mutex));
    SHOW(pthread_mutex_timedlock(&mutex, &bad));
    SHOW(pthread_mutex_unlock(&mutex));
    SHOW(pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &bad));
    SHOW(pthread_mutex_destroy(&mutex));
}

static void let_usual(void)
{
    SHOW(pthread_mutex_unlock(&mutex));
}

static void want_usual(void)
{
    must(pthread_mutex_lock(&mutex));
    must(pthread_mutex_unlock(&mutex));
}

/* Taken alone, wanted and let by others; destroying it tells whether anybody is left in its count. */
static void usual_mutex(void)
{
    pthread_t thread;
    must(pthread_mutex_init(&mutex, NULL));
    SHOW(pthread_mutex_lock(&mutex));
    SHOW(pthread_mutex_trylock(&mutex));
    elsewhere(let_usual);
    SHOW(pthread_mutex_lock(&mutex));
    must(pthread_create(&thread, NULL, run_call, (void *)(uintptr_t)want_usual));
    usleep(20000);
    SHOW(pthread_mutex_unlock(&mutex));
    must(pthread_join(thread, NULL));
    SHOW(pthread_mutex_lock(&mutex));
    SHOW(pthread_mutex_destroy(&mutex));
    SHOW(pthread_mutex_unlock(&mutex));
    SHOW(pthread_mutex_destroy(&mutex));
}

static void checking_mutex(void)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 5);
    make_mutex(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE);
    SHOW(pthread_mutex_unlock(&mutex));
    SHOW(pthread_mutex_lock(&mutex));
    SHOW(pthread_mutex_lock(&mutex));
    SHOW(pthread_mutex_trylock(&mutex));
    SHOW(pthread_mutex_timedlock(&mutex, &soon));
    SHOW(pthread_mutex_clocklock(&mutex, CLOCK_REALTIME, &soon));
    elsewhere(lock_what_others_hold);
    elsewhere(unlock_what_others_hold);
    SHOW(pthread_mutex_destroy(&mutex));
    SHOW(pthread_mutex_unlock(&mutex));
}

static void recursive_mutex(void)
{
    make_mutex(PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE);
    SHOW(pthread_mutex_lock(&mutex));
    SHOW(pthread_mutex_lock(&mutex));
    SHOW(pthread_mutex_trylock(&mutex));
    SHOW(pthread_mutex_unlock(&mutex));
    SHOW(pthread_mutex_unlock(&mutex));
    elsewhere(lock_what_others_hold);
    SHOW(pthread_mutex_unlock(&mutex));
    elsewhere(unlock_what_others_hold);
}

static void robust_mutex(void)
{
    make_mutex(PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, PTHREAD_PRIO_NONE);
    elsewhere(lock_and_die);
    SHOW(pthread_mutex_lock(&mutex));
    SHOW(pthread_mutex_consistent(&mutex));
    SHOW(pthread_mutex_unlock(&mutex));
    elsewhere(lock_and_die);
    SHOW(pthread_mutex_trylock(&mutex));
    SHOW(pthread_mutex_unlock(&mutex));
    SHOW(pthread_mutex_lock(&mutex));
    SHOW(pthread_mutex_lock(&mutex));
    SHOW(pthread_mutex_trylock(&mutex));
}

/* ---- condition variables */

static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int stage;

static void answer(void)
{
    must(pthread_mutex_lock(&mutex));
    stage = 1;
    SHOW(pthread_cond_broadcast(&cond));
    while (stage != 2)
        must(pthread_cond_wait(&cond, &mutex));
    must(pthread_mutex_unlock(&mutex));
}

static void conditions(void)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 5), bad = {0, -1};
    pthread_t thread;
    make_mutex(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE);
    SHOW(pthread_cond_wait(&cond, &mutex));
    SHOW(pthread_cond_signal(&cond));
    must(pthread_mutex_lock(&mutex));
    SHOW(pthread_cond_timedwait(&cond, &mutex, &soon));
    SHOW(pthread_cond_timedwait(&cond, &mutex, &bad));
    soon = in_ms(CLOCK_MONOTONIC, 5);
    SHOW(pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, &soon));
    SHOW(pthread_cond_clockwait(&cond, &mutex, CLOCK_TAI, &soon));
    must(pthread_create(&thread, NULL, run_call, (void *)(uintptr_t)answer));
    soon = in_ms(CLOCK_REALTIME, 60000);
    while (stage != 1)
        must(pthread_cond_timedwait(&cond, &mutex, &soon));
    stage = 2;
    SHOW(pthread_cond_signal(&cond));
    SHOW(pthread_mutex_unlock(&mutex));
    SHOW(pthread_join(thread, NULL));
}

/* ---- read-write locks */

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void read_what_others_write(void)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 5), bad = {0, 1000000000};
    SHOW(pthread_rwlock_tryrdlock(&rwlock));
    SHOW(pthread_rwlock_timedrdlock(&rwlock, &soon));
    SHOW(pthread_rwlock_timedrdlock(&rwlock, &bad));
    soon = in_ms(CLOCK_MONOTONIC, 5);
    SHOW(pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, &soon));
}

static void write_what_others_hold(void)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 5);
    SHOW(pthread_rwlock_trywrlock(&rwlock));
    SHOW(pthread_rwlock_timedwrlock(&rwlock, &soon));
    soon = in_ms(CLOCK_MONOTONIC, 5);
    SHOW(pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, &soon));
}

static void read_what_others_read(void)
{
    SHOW(pthread_rwlock_tryrdlock(&rwlock));
    SHOW(pthread_rwlock_rdlock(&rwlock));
    SHOW(pthread_rwlock_unlock(&rwlock));
    SHOW(pthread_rwlock_unlock(&rwlock));
}

static void rwlocks(void)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 5), bad = {0, 1000000000};
    SHOW(pthread_rwlock_timedrdlock(&rwlock, &bad));
    SHOW(pthread_rwlock_timedwrlock(&rwlock, &bad));
    SHOW(pthread_rwlock_clockrdlock(&rwlock, CLOCK_PROCESS_CPUTIME_ID, &soon));
    SHOW(pthread_rwlock_clockwrlock(&rwlock, CLOCK_PROCESS_CPUTIME_ID, &soon));
    SHOW(pthread_rwlock_wrlock(&rwlock));
    SHOW(pthread_rwlock_wrlock(&rwlock));
    SHOW(pthread_rwlock_rdlock(&rwlock));
    elsewhere(read_what_others_write);
    elsewhere(write_what_others_hold);
    SHOW(pthread_rwlock_unlock(&rwlock));
    SHOW(pthread_rwlock_rdlock(&rwlock));
    elsewhere(read_what_others_read);
    elsewhere(write_what_others_hold);
    SHOW(pthread_rwlock_unlock(&rwlock));
}

/* ---- barriers and semaphores */

static pthread_barrier_t barrier;

static void *arrive(void *result)
{
    *(int *)result = pthread_barrier_wait(&barrier);
    return NULL;
}

static void barriers(void)
{
    enum { COUNT = 4 };
    pthread_t threads[COUNT];
    int results[COUNT], last = 0, others = 0;
    must(pthread_barrier_init(&barrier, NULL, COUNT));
    for (int i = 0; i < COUNT; i++)
        must(pthread_create(&threads[i], NULL, arrive, &results[i]));
    for (int i = 0; i < COUNT; i++) {
        must(pthread_join(threads[i], NULL));
        last += results[i] == PTHREAD_BARRIER_SERIAL_THREAD;
        others += results[i] == 0;
    }
    printf("barrier: %d last, %d others\n", last, others);
    SHOW(pthread_barrier_destroy(&barrier));
    must(pthread_barrier_init(&barrier, NULL, 1));
    SHOW(pthread_barrier_wait(&barrier));
}

static sem_t sem;
static pthread_t interrupted;

static void nothing(int number)
{
    (void)number;
}

static void *interrupt_until_done(void *done)
{
    while (!__atomic_load_n((bool *)done, __ATOMIC_ACQUIRE)) {
        pthread_kill(interrupted, SIGUSR1);
        usleep(2000);
    }
    return NULL;
}

static void semaphores(void)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 5), bad = {0, 1000000000};
    struct sigaction action = {.sa_handler = nothing};
    bool done = false;
    pthread_t thread;
    must(sem_init(&sem, 0, 1));
    SHOW(sem_wait(&sem));
    SHOW(sem_trywait(&sem));
    SHOW(sem_timedwait(&sem, &soon));
    SHOW(sem_timedwait(&sem, &bad));
    soon = in_ms(CLOCK_MONOTONIC, 5);
    SHOW(sem_clockwait(&sem, CLOCK_MONOTONIC, &soon));
    SHOW(sem_clockwait(&sem, CLOCK_PROCESS_CPUTIME_ID, &soon));
    SHOW(sem_post(&sem));
    SHOW(sem_timedwait(&sem, &bad));
    SHOW(sem_clockwait(&sem, CLOCK_PROCESS_CPUTIME_ID, &soon));
    SHOW(sem_wait(&sem));
    must(sigaction(SIGUSR1, &action, NULL));
    interrupted = pthread_self();
    must(pthread_create(&thread, NULL, interrupt_until_done, &done));
    SHOW(sem_wait(&sem));
    __atomic_store_n(&done, true, __ATOMIC_RELEASE);
    must(pthread_join(thread, NULL));
    must(sem_destroy(&sem));
    must(sem_init(&sem, 0, SEM_VALUE_MAX));
    SHOW(sem_post(&sem));
}

/* ---- C11, once, spin locks, processes */

static mtx_t c11_mutex;
static cnd_t c11_cond;
static sem_t c11_said;
static pthread_spinlock_t spin;

static int say(const char *what)
{
    puts(what);
    return 0;
}

static void initialise(void)
{
    say("initialised");
}

static int c11_thread(void *nothing_to_say)
{
    (void)nothing_to_say;
    while (sem_wait(&c11_said) != 0)
        continue;
    struct timespec soon = in_ms(CLOCK_REALTIME, 5);
    SHOW(mtx_trylock(&c11_mutex));
    SHOW(mtx_timedlock(&c11_mutex, &soon));
    thrd_exit(-7);
}

static void c11(void)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 5), bad = {0, -1};
    once_flag flag = ONCE_FLAG_INIT;
    thrd_t thread;
    int result;
    SHOW(mtx_init(&c11_mutex, mtx_timed | mtx_recursive));
    SHOW(cnd_init(&c11_cond));
    SHOW(mtx_lock(&c11_mutex));
    SHOW(mtx_lock(&c11_mutex));
    SHOW(cnd_timedwait(&c11_cond, &c11_mutex, &soon));
    SHOW(cnd_timedwait(&c11_cond, &c11_mutex, &bad));
    SHOW(cnd_signal(&c11_cond));
    SHOW(cnd_broadcast(&c11_cond));
    must(sem_init(&c11_said, 0, 0));
    SHOW(thrd_create(&thread, c11_thread, NULL));
    sem_post(&c11_said); /* its words come after ours */
    SHOW(thrd_join(thread, &result));
    printf("its result is %d\n", result);
    SHOW(mtx_unlock(&c11_mutex));
    SHOW(mtx_unlock(&c11_mutex));
    SHOW(thrd_sleep(&(struct timespec){0, 1000000}, NULL));
    SHOW(thrd_sleep(&bad, NULL));
    call_once(&flag, initialise);
    call_once(&flag, initialise);
}

static void once_and_spin(void)
{
    pthread_once_t once = PTHREAD_ONCE_INIT;
    SHOW(pthread_once(&once, initialise));
    SHOW(pthread_once(&once, initialise));
    SHOW(pthread_spin_init(&spin, 0));
    SHOW(pthread_spin_lock(&spin));
    SHOW(pthread_spin_trylock(&spin));
    SHOW(pthread_spin_unlock(&spin));
}

static void processes(void)
{
    char *arguments[] = {"sh", "-c", "exit 5", NULL};
    siginfo_t info;
    int status = 0;
    pid_t pid;
    fflush(stdout);
    SHOW(posix_spawn(&pid, "/bin/sh", NULL, NULL, arguments, environ));
    printf("waited for it: %d, status %d\n", waitpid(pid, &status, 0) == pid, status);
    SHOW(posix_spawnp(&pid, "no such program", NULL, NULL, arguments, environ));
    printf("system: %d\n", system("exit 3"));
    if ((pid = fork()) == 0)
        _exit(4);
    printf("waited for any: %d, status %d\n", wait(&status) == pid, status);
    if ((pid = vfork()) == 0)
        _exit(6);
    printf("waited for all of it: %d", waitid(P_PID, (id_t)pid, &info, WEXITED));
    printf(", status %d\n", info.si_status);
    SHOW(wait(NULL));
    SHOW(waitpid(-1, NULL, WNOHANG));
    FILE *pipe_file = popen("echo from a pipe", "r");
    char line[64] = "";
    printf("%s", fgets(line, sizeof line, pipe_file));
    printf("closed: %d\n", pclose(pipe_file));
}

/* ---- messages */

static void *write_later(void *fd)
{
    usleep(3000);
    if (write(*(int *)fd, "later", 5) != 5)
        perror("write");
    return NULL;
}

#define SHOW_BYTES(call) (errno = UNTOUCHED, show_bytes(#call, (call)))

static void show_bytes(const char *what, ssize_t rc)
{
    if (rc < 0)
        show(what, (int)rc);
    else
        printf("%s: %zd bytes\n", what, rc);
}

static void *volatile nowhere = (void *)8;

static void messages(void)
{
    char room[16];
    int fds[2], pair[2];
    pthread_t thread;
    struct timeval little = {0, 5000};
    struct sockaddr_in name = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    struct epoll_event event = {.events = EPOLLIN};
    SHOW(pipe(fds));
    SHOW(pipe2(pair, -1));
    SHOW(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    SHOW(socketpair(-1, SOCK_STREAM, 0, (int[2]){0, 0}));
    must(pthread_create(&thread, NULL, write_later, &fds[1]));
    SHOW_BYTES(read(fds[0], room, sizeof room));
    must(pthread_join(thread, NULL));
    SHOW_BYTES(read(fds[1], room, sizeof room));
    SHOW_BYTES(read(-1, room, sizeof room));
    SHOW_BYTES(read(fds[0], NULL, 0));
    SHOW_BYTES(write(fds[1], nowhere, 1));
    SHOW_BYTES(send(fds[1], room, 1, 0));
    SHOW_BYTES(recv(pair[0], room, 1, MSG_DONTWAIT));
    SHOW(setsockopt(pair[0], SOL_SOCKET, SO_RCVTIMEO, &little, sizeof little));
    SHOW_BYTES(recv(pair[0], room, 1, 0));
    SHOW_BYTES(sendto(pair[1], "x", 1, 0, NULL, 0));
    SHOW_BYTES(recvfrom(pair[0], room, sizeof room, 0, NULL, NULL));
    SHOW(connect(pair[0], (struct sockaddr *)&name, sizeof name));
    SHOW(connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&name, 3));
    SHOW(connect(socket(AF_INET, SOCK_STREAM, 0), nowhere, sizeof name));
    SHOW(accept(pair[0], NULL, NULL));
    SHOW(poll(nowhere, 1, 0));
    SHOW(poll(NULL, 0, 3));
    SHOW(select(0, NULL, NULL, NULL, &little));
    SHOW(epoll_ctl(-1, EPOLL_CTL_ADD, fds[0], &event));
    SHOW(epoll_wait(-1, &event, 1, 0));
    SHOW_BYTES(splice(fds[0], NULL, -1, NULL, 1, 0));
    SHOW(eventfd_write(fds[0], 1));
    close(fds[0]);
    close(fds[1]);
    close(pair[0]);
    close(pair[1]);
}

/* ---- futexes */

static int futex_word;

static long futex(int operation, int value, const struct timespec *timeout)
{
    return syscall(SYS_futex, &futex_word, operation, value, timeout, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void own_what_others_want(void)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 5);
    SHOW((int)futex(FUTEX_TRYLOCK_PI, 0, NULL));
    SHOW((int)futex(FUTEX_LOCK_PI, 0, &soon));
    SHOW((int)futex(FUTEX_UNLOCK_PI, 0, NULL));
}

static void futexes(void)
{
    struct timespec little = {0, 5000000}, bad = {0, 1000000000}, soon = in_ms(CLOCK_MONOTONIC, 5),
                    past = {0};
    struct futex_waitv waiter = {.uaddr = (uintptr_t)&futex_word, .flags = FUTEX_32};
    SHOW((int)futex(FUTEX_WAIT, 1, NULL));
    SHOW((int)futex(FUTEX_WAIT, 0, &little));
    SHOW((int)futex(FUTEX_WAIT, 0, &past));
    SHOW((int)futex(FUTEX_WAIT, 0, &bad));
    SHOW((int)futex(FUTEX_WAIT_BITSET, 0, &soon));
    SHOW((int)futex(FUTEX_WAIT_BITSET | FUTEX_CLOCK_REALTIME, 0, &past));
    SHOW((int)futex(FUTEX_WAKE, 1, NULL));
    SHOW((int)futex(FUTEX_WAKE_BITSET, 1, NULL));
    SHOW((int)futex(FUTEX_UNLOCK_PI, 0, NULL));
    SHOW((int)futex(99, 0, NULL));
    SHOW((int)syscall(SYS_futex_waitv, &waiter, 1, 0, &past, CLOCK_MONOTONIC));
    SHOW((int)syscall(SYS_futex_waitv, &waiter, 0, 0, NULL, 0));
    SHOW((int)futex(FUTEX_LOCK_PI, 0, NULL));
    SHOW((int)futex(FUTEX_LOCK_PI, 0, NULL));
    elsewhere(own_what_others_want);
    SHOW((int)futex(FUTEX_UNLOCK_PI, 0, NULL));
    SHOW((int)syscall(-1l));
    SHOW((int)syscall(SYS_close, -1));
}

/* ---- threads */

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *wait_at_gate(void *result)
{
    must(pthread_mutex_lock(&gate));
    must(pthread_mutex_unlock(&gate));
    return result;
}

static void *leave(void *result)
{
    pthread_exit(result);
}

static void joins(void)
{
    struct timespec soon = in_ms(CLOCK_REALTIME, 5);
    pthread_attr_t attributes;
    pthread_t thread;
    void *result;
    must(pthread_mutex_lock(&gate));
    must(pthread_create(&thread, NULL, wait_at_gate, (void *)1));
    SHOW(pthread_tryjoin_np(thread, NULL));
    SHOW(pthread_timedjoin_np(thread, NULL, &soon));
    soon = in_ms(CLOCK_MONOTONIC, 5);
    SHOW(pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &soon));
    must(pthread_mutex_unlock(&gate));
    soon = in_ms(CLOCK_REALTIME, 60000);
    SHOW(pthread_timedjoin_np(thread, &result, &soon));
    printf("returned %p\n", result);
    must(pthread_create(&thread, NULL, leave, (void *)2));
    SHOW(pthread_join(thread, &result));
    printf("left with %p\n", result);
    SHOW(pthread_join(pthread_self(), NULL));

    must(pthread_mutex_lock(&gate));
    must(pthread_create(&thread, NULL, wait_at_gate, NULL));
    SHOW(pthread_detach(thread));
    SHOW(pthread_join(thread, NULL));
    must(pthread_mutex_unlock(&gate));

    must(pthread_attr_init(&attributes));
    must(pthread_attr_setstacksize(&attributes, (size_t)1 << 46));
    SHOW(pthread_create(&thread, &attributes, leave, NULL));
}

/* ---- cancellation */

static void *wait_for_ever(void *nothing_to_say);

static void clean_up(void *nothing_to_say)
{
    (void)nothing_to_say;
    printf("cancelled with the mutex held: %s\n", pthread_mutex_trylock(&mutex) == EBUSY ? "yes" : "no");
    must(pthread_mutex_unlock(&mutex));
}

static void *wait_for_ever(void *nothing_to_say)
{
    (void)nothing_to_say;
    must(pthread_mutex_lock(&mutex));
    pthread_cleanup_push(clean_up, NULL);
    stage = 3;
    pthread_cond_broadcast(&cond);
    for (;;)
        pthread_cond_wait(&cond, &mutex);
    pthread_cleanup_pop(0);
    return NULL;
}

static void *wait_for_semaphore(void *nothing_to_say)
{
    sem_wait(&sem);
    return nothing_to_say;
}

static void *spin_for_ever(void *nothing_to_say)
{
    (void)nothing_to_say;
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    for (;;)
        __asm__ volatile("");
    return NULL;
}

static void cancel(pthread_t thread, const char *where)
{
    void *result;
    must(pthread_cancel(thread));
    must(pthread_join(thread, &result));
    printf("cancelled in %s: %s\n", where, result == PTHREAD_CANCELED ? "yes" : "no");
}

static void cancellation(void)
{
    pthread_t thread;
    make_mutex(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_STALLED, PTHREAD_PRIO_NONE);
    must(pthread_create(&thread, NULL, wait_for_ever, NULL));
    must(pthread_mutex_lock(&mutex));
    while (stage != 3)
        must(pthread_cond_wait(&cond, &mutex));
    must(pthread_mutex_unlock(&mutex));
    cancel(thread, "pthread_cond_wait");
    must(sem_init(&sem, 0, 0));
    must(pthread_create(&thread, NULL, wait_for_semaphore, NULL));
    cancel(thread, "sem_wait");
    must(pthread_create(&thread, NULL, spin_for_ever, NULL));
    usleep(2000);
    cancel(thread, "a loop");
}

/* ---- signals */

static void signals(void)
{
    sigset_t all, before, after;
    struct sigaction action = {.sa_handler = nothing}, old;
    sigfillset(&all);
    SHOW(pthread_sigmask(SIG_BLOCK, &all, &before));
    SHOW(pthread_sigmask(SIG_SETMASK, &before, &after));
    printf("SIGUSR2 was blocked: %d, then %d\n", sigismember(&before, SIGUSR2), sigismember(&after, SIGUSR2));
    SHOW(pthread_sigmask(99, &all, NULL));
    SHOW(sigprocmask(99, &all, NULL));
    SHOW(sigaction(SIGKILL, &action, NULL));
    SHOW(sigaction(SIGUSR2, &action, NULL));
    SHOW(sigaction(SIGUSR2, NULL, &old));
    SHOW(sigtimedwait(&before, NULL, &(struct timespec){0, 1000000}));
    SHOW(sigtimedwait(&all, NULL, &(struct timespec){0, 1000000}));
    SHOW(sigtimedwait(&all, NULL, &(struct timespec){0, -1}));
    SHOW(kill(getpid(), 0));
    SHOW(kill(getpid(), 999));
    SHOW(tgkill(getpid(), gettid(), 0));
    SHOW(pthread_kill(pthread_self(), 0));
    SHOW(pthread_kill(pthread_self(), 999));
    printf("the handler is kept: %s\n", old.sa_handler == nothing ? "yes" : "no");
}

/* A handler that works for a while; who waits must still hear of the signal, and at once. */
static void take_time(int number)
{
    (void)number;
    for (double start = now_ms(); now_ms() - start < 10;)
        continue;
}

static void interruptions(void)
{
    struct sigaction action = {.sa_handler = take_time};
    struct itimerval often = {{0, 50000}, {0, 50000}}, never = {{0, 0}, {0, 0}};
    struct timespec minute = {60, 0}, later = in_ms(CLOCK_REALTIME, 60000);
    must(sem_init(&sem, 0, 0));
    must(sigaction(SIGALRM, &action, NULL));
    must(setitimer(ITIMER_REAL, &often, NULL));
    SHOW(poll(NULL, 0, 60000));
    SHOW(select(0, NULL, NULL, NULL, &(struct timeval){60, 0}));
    SHOW(nanosleep(&minute, NULL));
    SHOW(clock_nanosleep(CLOCK_MONOTONIC, 0, &minute, NULL));
    SHOW(usleep(60000000));
    SHOW(sem_timedwait(&sem, &later));
    SHOW(sem_wait(&sem));
    futex_word = 0;
    SHOW((int)futex(FUTEX_WAIT, 0, NULL));
    SHOW((int)futex(FUTEX_WAIT, 0, &minute));
    later = in_ms(CLOCK_MONOTONIC, 60000);
    SHOW((int)futex(FUTEX_WAIT_BITSET, 0, &later));
    SHOW(pause());
    must(setitimer(ITIMER_REAL, &never, NULL));
}

int main(void)
{
    setlinebuf(stdout);
    alarm(60); /* a call that wrongly waits for ever */
    usual_mutex();
    plain_mutex(PTHREAD_PRIO_NONE);
    plain_mutex(PTHREAD_PRIO_INHERIT);
    checking_mutex();
    recursive_mutex();
    robust_mutex();
    conditions();
    rwlocks();
    barriers();
    semaphores();
    c11();
    once_and_spin();
    processes();
    messages();
    futexes();
    joins();
    cancellation();
    signals();
    interruptions();
    return 0;
}
