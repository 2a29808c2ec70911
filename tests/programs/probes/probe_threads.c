/* Locks, conditions, barriers, semaphores, joins and the like, of POSIX and of C11; sleeps, signals, and the
 * ends of processes. */
#include "probe.h"

#include "base/clock.h"
#include "runtime/core/kernel.h"

#include <sched.h>
#include <semaphore.h>
#include <spawn.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>

#define CALL(name, ...)                                                                                      \
    static void name(void)                                                                                   \
    {                                                                                                        \
        expect(__VA_ARGS__);                                                                                 \
    }

static struct timespec after_ms(clockid_t clock, int ms)
{
    struct timespec time;
    clock_gettime(clock, &time);
    time.tv_nsec += (long)(ms % 1000) * 1000000;
    time.tv_sec += ms / 1000 + time.tv_nsec / 1000000000;
    time.tv_nsec %= 1000000000;
    return time;
}

static struct timespec until;

#define MINUTE(clock) (until = after_ms(clock, 60000), &until)
#define SOON(clock) (until = after_ms(clock, probe_soon_ms), &until)

/* ---- giving the core away */

enum { TURN_NS = 500000, TURN_DUE_NS = 300000, TURNS = 1000, LOOP_DUE_NS = 2000000 };
static _Atomic int turns_made;
static _Atomic bool turns_end;

/* In each of its turns so much becomes due, and then it gives the core back. */
static void *make_due_by_turns(void *unused)
{
    while (!atomic_load(&turns_end)) {
        uint64_t until_ns = clock_wall_ns() + TURN_NS;
        while (clock_wall_ns() < until_ns)
            ;
        atomic_fetch_add(&probe_segment->due.required_ns, TURN_DUE_NS);
        atomic_fetch_add(&turns_made, 1);
        sched_yield();
    }
    return unused;
}

static uint64_t credited_ns(void)
{
    return atomic_load(&probe_segment->credited_wake_ns) + atomic_load(&probe_segment->credited_runqueue_ns);
}

static void settle(void)
{
    pthread_mutex_t own = PTHREAD_MUTEX_INITIALIZER;
    must(pthread_mutex_lock(&own));
    must(pthread_mutex_unlock(&own));
}

/* Two threads on one core: what became due in the other's turn, who gave the core away for it is credited with, where
 * it is settled next. One turn that nothing else came into is enough. */
static void yield_by_turns(void)
{
    cpu_set_t all, one;
    pthread_t other;
    int credited_turns = 0;
    probe_name = "sched_yield";
    must(sched_getaffinity(0, sizeof all, &all));
    CPU_ZERO(&one);
    CPU_SET((size_t)sched_getcpu(), &one);
    must(sched_setaffinity(0, sizeof one, &one));
    must(pthread_create(&other, NULL, make_due_by_turns, NULL));
    for (int i = 0; i < TURNS && credited_turns < 3; i++) {
        int made = atomic_load(&turns_made);
        uint64_t credited = credited_ns();
        expect(i % 2 ? sched_yield() == 0 : (thrd_yield(), true));
        settle();
        credited = credited_ns() - credited;
        credited_turns +=
            atomic_load(&turns_made) == made + 1 && credited >= TURN_DUE_NS && probe_debt(gettid()) == 0;
    }
    expect(credited_turns == 3);
    atomic_store(&turns_end, true);
    must(pthread_join(other, NULL));
    must(sched_setaffinity(0, sizeof all, &all));
}

static void *make_due_in_steps(void *done)
{
    for (int i = 0; i < 20; i++) {
        usleep(200);
        atomic_fetch_add(&probe_segment->due.required_ns, LOOP_DUE_NS / 20);
    }
    atomic_store((_Atomic bool *)done, true);
    return NULL;
}

/* Who gives its core away until a peer is done waits for it, though it runs: it pays for nothing. */
static void yield_in_a_loop(void)
{
    _Atomic bool done = false;
    pthread_t other;
    probe_name = "sched_yield, again and again";
    settle();
    uint64_t credited = credited_ns();
    must(pthread_create(&other, NULL, make_due_in_steps, &done));
    while (!atomic_load(&done))
        sched_yield();
    settle();
    credited = credited_ns() - credited;
    expect(credited >= LOOP_DUE_NS / 2);
    must(pthread_join(other, NULL));
}

/* ---- mutexes */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static mtx_t c11_mutex;

/* Also when it is held already: a case of too short a wait is tried again. */
static bool got(int rc)
{
    return rc == 0 || rc == EBUSY;
}

CALL(hold, got(pthread_mutex_trylock(&mutex)))
CALL(let_lock, pthread_mutex_unlock(&mutex) == 0)
CALL(lock, pthread_mutex_lock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0)
CALL(timedlock,
     pthread_mutex_timedlock(&mutex, MINUTE(CLOCK_REALTIME)) == 0 && pthread_mutex_unlock(&mutex) == 0)
CALL(clocklock, pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, MINUTE(CLOCK_MONOTONIC)) == 0 &&
                    pthread_mutex_unlock(&mutex) == 0)
CALL(timedlock_late, pthread_mutex_timedlock(&mutex, SOON(CLOCK_REALTIME)) == ETIMEDOUT)
CALL(clocklock_late, pthread_mutex_clocklock(&mutex, CLOCK_MONOTONIC, SOON(CLOCK_MONOTONIC)) == ETIMEDOUT)
CALL(trylock_held, pthread_mutex_trylock(&mutex) == EBUSY)

static void c11_hold(void)
{
    int rc = mtx_trylock(&c11_mutex);
    expect(rc == thrd_success || rc == thrd_busy);
}

CALL(c11_let_lock, mtx_unlock(&c11_mutex) == thrd_success)
CALL(c11_lock, mtx_lock(&c11_mutex) == thrd_success && mtx_unlock(&c11_mutex) == thrd_success)
CALL(c11_timedlock, mtx_timedlock(&c11_mutex, MINUTE(CLOCK_REALTIME)) == thrd_success &&
                        mtx_unlock(&c11_mutex) == thrd_success)
CALL(c11_timedlock_late, mtx_timedlock(&c11_mutex, SOON(CLOCK_REALTIME)) == thrd_timedout)

/* ---- conditions: the mutex is free while the wait lasts */

static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static cnd_t c11_cond;
static mtx_t c11_inner;

static void cond_wait(void)
{
    pthread_mutex_lock(&mutex);
    expect(pthread_cond_wait(&cond, &mutex) == 0);
    pthread_mutex_unlock(&mutex);
}

static void cond_timedwait(void)
{
    pthread_mutex_lock(&mutex);
    expect(pthread_cond_timedwait(&cond, &mutex, MINUTE(CLOCK_REALTIME)) == 0);
    pthread_mutex_unlock(&mutex);
}

static void cond_clockwait(void)
{
    pthread_mutex_lock(&mutex);
    expect(pthread_cond_clockwait(&cond, &mutex, CLOCK_MONOTONIC, MINUTE(CLOCK_MONOTONIC)) == 0);
    pthread_mutex_unlock(&mutex);
}

CALL(signal_cond, pthread_cond_signal(&cond) == 0)
CALL(broadcast_cond, pthread_cond_broadcast(&cond) == 0)

static void c11_wait(void)
{
    mtx_lock(&c11_inner);
    expect(cnd_wait(&c11_cond, &c11_inner) == thrd_success);
    mtx_unlock(&c11_inner);
}

static void c11_timedwait(void)
{
    mtx_lock(&c11_inner);
    expect(cnd_timedwait(&c11_cond, &c11_inner, MINUTE(CLOCK_REALTIME)) == thrd_success);
    mtx_unlock(&c11_inner);
}

/* Who is woken waits for the mutex, which another wait gives back, and owes nothing of what became due until then. */

static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static cnd_t c11_never;

static void wait_for_both(void)
{
    pthread_mutex_lock(&mutex);
    expect(pthread_cond_wait(&cond, &mutex) == 0);
    expect(probe_debt(gettid()) == 0);
    pthread_mutex_unlock(&mutex);
}

static void c11_wait_for_both(void)
{
    mtx_lock(&c11_inner);
    expect(cnd_wait(&c11_cond, &c11_inner) == thrd_success);
    expect(probe_debt(gettid()) == 0);
    mtx_unlock(&c11_inner);
}

/* A lock word of 2 is glibc's. */
static void until_wanted(const pthread_mutex_t *lock)
{
    while (__atomic_load_n(&lock->__data.__lock, __ATOMIC_RELAXED) != 2)
        usleep(1000);
}

static void signal_and_wait(void)
{
    pthread_mutex_lock(&mutex);
    expect(pthread_cond_signal(&cond) == 0);
    until_wanted(&mutex);
    probe_make_due();
    expect(pthread_cond_timedwait(&never, &mutex, SOON(CLOCK_REALTIME)) == ETIMEDOUT);
    pthread_mutex_unlock(&mutex);
}

static void c11_signal_and_wait(void)
{
    mtx_lock(&c11_inner);
    expect(cnd_signal(&c11_cond) == thrd_success);
    until_wanted((const pthread_mutex_t *)&c11_inner);
    probe_make_due();
    expect(cnd_timedwait(&c11_never, &c11_inner, SOON(CLOCK_REALTIME)) == thrd_timedout);
    mtx_unlock(&c11_inner);
}

CALL(c11_signal, cnd_signal(&c11_cond) == thrd_success)
CALL(c11_broadcast, cnd_broadcast(&c11_cond) == thrd_success)

/* ---- read-write locks */

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

CALL(hold_write, got(pthread_rwlock_trywrlock(&rwlock)))
CALL(let_rwlock, pthread_rwlock_unlock(&rwlock) == 0)
CALL(read_lock, pthread_rwlock_rdlock(&rwlock) == 0 && pthread_rwlock_unlock(&rwlock) == 0)
CALL(write_lock, pthread_rwlock_wrlock(&rwlock) == 0 && pthread_rwlock_unlock(&rwlock) == 0)
CALL(read_timed,
     pthread_rwlock_timedrdlock(&rwlock, MINUTE(CLOCK_REALTIME)) == 0 && pthread_rwlock_unlock(&rwlock) == 0)
CALL(write_timed,
     pthread_rwlock_timedwrlock(&rwlock, MINUTE(CLOCK_REALTIME)) == 0 && pthread_rwlock_unlock(&rwlock) == 0)
CALL(read_clock, pthread_rwlock_clockrdlock(&rwlock, CLOCK_MONOTONIC, MINUTE(CLOCK_MONOTONIC)) == 0 &&
                     pthread_rwlock_unlock(&rwlock) == 0)
CALL(write_clock, pthread_rwlock_clockwrlock(&rwlock, CLOCK_MONOTONIC, MINUTE(CLOCK_MONOTONIC)) == 0 &&
                      pthread_rwlock_unlock(&rwlock) == 0)
CALL(read_late, pthread_rwlock_timedrdlock(&rwlock, SOON(CLOCK_REALTIME)) == ETIMEDOUT)

/* ---- barriers, semaphores, spin locks, once */

static pthread_barrier_t barrier;
static sem_t sem;
static pthread_spinlock_t spin;

static void barrier_wait(void)
{
    int rc = pthread_barrier_wait(&barrier);
    expect(rc == 0 || rc == PTHREAD_BARRIER_SERIAL_THREAD);
}

CALL(wait_sem, sem_wait(&sem) == 0)
CALL(timedwait_sem, sem_timedwait(&sem, MINUTE(CLOCK_REALTIME)) == 0)
CALL(clockwait_sem, sem_clockwait(&sem, CLOCK_MONOTONIC, MINUTE(CLOCK_MONOTONIC)) == 0)
CALL(wait_sem_late, sem_timedwait(&sem, SOON(CLOCK_REALTIME)) == -1 && errno == ETIMEDOUT)
CALL(post_sem, sem_post(&sem) == 0)

CALL(hold_spin, pthread_spin_lock(&spin) == 0 && pthread_spin_trylock(&spin) == EBUSY)
CALL(let_spin, pthread_spin_unlock(&spin) == 0)
CALL(lock_spin, pthread_spin_lock(&spin) == 0 && pthread_spin_unlock(&spin) == 0)

static pthread_once_t once;
static once_flag c11_once;
static sem_t initialising, go_on;
static pthread_t helper;
static int initialised;

static void initialise(void)
{
    initialised++;
    sem_post(&initialising);
    sem_wait(&go_on);
}

CALL(do_once, pthread_once(&once, initialise) == 0 && initialised == 1)
CALL(do_c11_once, (call_once(&c11_once, initialise), initialised == 1))

static void *run(void *call)
{
    ((void (*)(void))call)();
    return NULL;
}

static void help(void (*call)(void))
{
    must(pthread_create(&helper, NULL, run, (void *)call));
}

/* Another thread initialises while ours waits. */
static void begin_once(void)
{
    once = PTHREAD_ONCE_INIT;
    initialised = 0;
    help(do_once);
    sem_wait(&initialising);
}

static void begin_c11_once(void)
{
    c11_once = (once_flag)ONCE_FLAG_INIT;
    initialised = 0;
    help(do_c11_once);
    sem_wait(&initialising);
}

static void end_once(void)
{
    expect(sem_post(&go_on) == 0 && pthread_join(helper, NULL) == 0);
}

/* ---- joins: a helper that ends when the first thread lets it */

static thrd_t c11_helper;

static void wait_to_end(void)
{
    sem_wait(&go_on);
}

static int c11_wait_to_end(void *nothing)
{
    (void)nothing;
    sem_wait(&go_on);
    thrd_exit(7);
}

static void start_helper(void)
{
    help(wait_to_end);
}

static void start_c11_helper(void)
{
    expect(thrd_create(&c11_helper, c11_wait_to_end, NULL) == thrd_success);
}

static void c11_join(void)
{
    int result = 0;
    expect(thrd_join(c11_helper, &result) == thrd_success && result == 7);
}

CALL(end_helper, sem_post(&go_on) == 0)
CALL(cancel_helper, pthread_cancel(helper) == 0)
CALL(join, pthread_join(helper, NULL) == 0)
CALL(timedjoin, pthread_timedjoin_np(helper, NULL, MINUTE(CLOCK_REALTIME)) == 0)
CALL(clockjoin, pthread_clockjoin_np(helper, NULL, CLOCK_MONOTONIC, MINUTE(CLOCK_MONOTONIC)) == 0)

/* ---- sleeps */

static struct timespec *little(void)
{
    static struct timespec time;
    time = probe_soon();
    return &time;
}

CALL(nano_sleep, nanosleep(little(), NULL) == 0)
CALL(clock_sleep, clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, SOON(CLOCK_MONOTONIC), NULL) == 0)
CALL(micro_sleep, usleep((useconds_t)probe_soon_ms * 1000) == 0)
CALL(c11_sleep, thrd_sleep(little(), NULL) == 0)
CALL(long_sleep, sleep(1) == 0)

/* ---- signals: SIGUSR1 is blocked everywhere */

static sigset_t everything;
static pid_t waiter;
static pthread_t waiting_thread;

static void nothing(int number)
{
    (void)number;
}

CALL(wait_info, (waiter = gettid(), sigwaitinfo(&everything, NULL) == SIGUSR1))
CALL(wait_timed, (waiter = gettid(), sigtimedwait(&everything, NULL, &(struct timespec){60, 0}) == SIGUSR1))
CALL(wait_timed_late, sigtimedwait(&everything, NULL, little()) == -1 && errno == EAGAIN)

static void wait_signal(void)
{
    int number = 0;
    waiter = gettid();
    waiting_thread = pthread_self();
    expect(sigwait(&everything, &number) == 0 && number == SIGUSR1);
}

static void suspend(void)
{
    sigset_t none;
    sigemptyset(&none);
    waiter = gettid();
    expect(sigsuspend(&none) == -1 && errno == EINTR);
}

/* <signal.h> has one name for two functions. */
extern int hook_bsd_sigpause(int mask) __asm__("sigpause");
extern int hook_xpg_sigpause(int number) __asm__("__xpg_sigpause");
extern int __sigpause(int number_or_mask, int is_number);

static void suspend_by_mask(void)
{
    waiter = gettid();
    expect(hook_bsd_sigpause(0) == -1 && errno == EINTR);
}

static void suspend_by_number(void)
{
    waiter = gettid();
    expect(hook_xpg_sigpause(SIGUSR1) == -1 && errno == EINTR);
}

static void suspend_either_way(void)
{
    waiter = gettid();
    expect(__sigpause(SIGUSR1, 1) == -1 && errno == EINTR);
}

static void pause_for_signal(void)
{
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    waiter = gettid();
    pthread_sigmask(SIG_UNBLOCK, &one, NULL);
    expect(pause() == -1 && errno == EINTR);
    pthread_sigmask(SIG_BLOCK, &one, NULL);
}

static void wait_signalfd(void)
{
    struct signalfd_siginfo info;
    int fd = signalfd(-1, &everything, 0);
    expect(read(fd, &info, sizeof info) == sizeof info && info.ssi_signo == SIGUSR1);
    close(fd);
}

CALL(send_process, kill(getpid(), SIGUSR1) == 0)
CALL(send_thread, tgkill(getpid(), waiter, SIGUSR1) == 0)
CALL(send_value, sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 1}) == 0)
CALL(send_to_thread, pthread_kill(waiting_thread, SIGUSR1) == 0)
CALL(send_value_to_thread, pthread_sigqueue(waiting_thread, SIGUSR1, (union sigval){.sival_int = 1}) == 0)
CALL(send_to_group, killpg(0, SIGUSR1) == 0)
CALL(send_by_number, syscall(SYS_tgkill, getpid(), waiter, SIGUSR1) == 0)
CALL(send_past_hooks, kernel_call(SYS_tgkill, getpid(), waiter, SIGUSR1, 0, 0, 0) == 0)

/* ---- processes: a child that ends when the first thread lets it */

static pid_t child;
static int gate[2];

static void await_gate(void)
{
    char byte;
    close(gate[1]);
    (void)!read(gate[0], &byte, 1);
}

static void start_child(void)
{
    expect(pipe(gate) == 0);
    child = fork();
    if (child == 0) {
        await_gate();
        _exit(7);
    }
}

static void start_quick(void)
{
    expect(pipe(gate) == 0);
    child = fork();
    if (child == 0) {
        await_gate();
        quick_exit(7);
    }
}

static int copied(void *argument)
{
    await_gate();
    _Exit(*(int *)argument);
}

static void start_clone(void)
{
    static char stack[1 << 16] __attribute__((aligned(16)));
    int status = 7;
    expect(pipe(gate) == 0);
    child = clone(copied, stack + sizeof stack, SIGCHLD, &status);
}

static void start_by_number(void)
{
    expect(pipe(gate) == 0);
    child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        await_gate();
        syscall(SYS_exit_group, 7);
    }
}

static void end_child(void)
{
    close(gate[1]);
    close(gate[0]);
    expect(kill(getpid(), 0) == 0); /* the child levels itself; so do we */
}

static int status;

CALL(wait_any, wait(&status) == child && WEXITSTATUS(status) == 7)
CALL(wait_child, waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7)
CALL(wait_child3, wait3(&status, 0, NULL) == child && WEXITSTATUS(status) == 7)
CALL(wait_child4, wait4(child, &status, 0, NULL) == child && WEXITSTATUS(status) == 7)

static void wait_child_id(void)
{
    siginfo_t info;
    expect(waitid(P_PID, (id_t)child, &info, WEXITED) == 0 && info.si_pid == child && info.si_status == 7);
}

/* ---- calls that wait for nobody: trying, creating, replacing the program */

extern char **environ;

static char nowhere[] = "/nowhere/at/all";
static char *const arguments[] = {nowhere, NULL};

CALL(try_mutex, pthread_mutex_trylock(&mutex) == 0 && pthread_mutex_unlock(&mutex) == 0)
CALL(fail_mutex, pthread_mutex_trylock(&mutex) == EBUSY)
CALL(fail_read, pthread_rwlock_tryrdlock(&rwlock) == EBUSY)
CALL(fail_write, pthread_rwlock_trywrlock(&rwlock) == EBUSY)
CALL(fail_sem, sem_trywait(&sem) == -1 && errno == EAGAIN)
CALL(fail_mtx, mtx_trylock(&c11_mutex) == thrd_busy)
CALL(fail_spin, pthread_spin_trylock(&spin) == EBUSY)
CALL(fail_join, pthread_tryjoin_np(helper, NULL) == EBUSY)
CALL(cancel, pthread_cancel(helper) == 0)
CALL(call_execve, execve(nowhere, arguments, environ) == -1 && errno == ENOENT)
CALL(call_execv, execv(nowhere, arguments) == -1 && errno == ENOENT)
CALL(call_execvp, execvp(nowhere, arguments) == -1 && errno == ENOENT)
CALL(call_execvpe, execvpe(nowhere, arguments, environ) == -1 && errno == ENOENT)
CALL(call_fexecve, fexecve(0, arguments, environ) == -1)
CALL(call_execl, execl(nowhere, nowhere, (char *)NULL) == -1 && errno == ENOENT)
CALL(call_execlp, execlp(nowhere, nowhere, (char *)NULL) == -1 && errno == ENOENT)
CALL(call_execle, execle(nowhere, nowhere, (char *)NULL, environ) == -1 && errno == ENOENT)
CALL(call_system, system("exit 3") == 3 << 8)

static void spawn(void)
{
    static char shell[] = "sh", option[] = "-c", script[] = "exit 4";
    static char *const words[] = {shell, option, script, NULL};
    must(posix_spawnp(&child, shell, NULL, NULL, words, environ));
    expect(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 4);
    must(posix_spawn(&child, "/bin/sh", NULL, NULL, words, environ));
    expect(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 4);
}

static void *look_at_debt(void *debt)
{
    *(uint64_t *)debt = probe_debt(gettid());
    return NULL;
}

static int c11_look_at_debt(void *debt)
{
    look_at_debt(debt);
    return 0;
}

/* A thread begins with the balance of the one that made it. */
static void create(void)
{
    uint64_t debt = 1;
    must(pthread_create(&helper, NULL, look_at_debt, &debt));
    expect(probe_debt(gettid()) == 0);
    must(pthread_join(helper, NULL));
    expect(debt == 0);
}

static void c11_create(void)
{
    uint64_t debt = 1;
    expect(thrd_create(&c11_helper, c11_look_at_debt, &debt) == thrd_success);
    expect(probe_debt(gettid()) == 0);
    expect(thrd_join(c11_helper, NULL) == thrd_success);
    expect(debt == 0);
}

static void create_process(void)
{
    child = fork();
    if (child == 0)
        _exit(probe_debt(gettid()) ? 1 : 5);
    expect(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 5);
}

static void *hold_all(void *unused)
{
    must(pthread_mutex_lock(&mutex));
    must(pthread_rwlock_wrlock(&rwlock));
    expect(mtx_lock(&c11_mutex) == thrd_success);
    must(pthread_spin_lock(&spin));
    sem_post(&initialising);
    sem_wait(&go_on);
    pthread_spin_unlock(&spin);
    mtx_unlock(&c11_mutex);
    pthread_rwlock_unlock(&rwlock);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void call_all(void)
{
    probe_levels("mutex_trylock", try_mutex);
    must(pthread_create(&helper, NULL, hold_all, NULL));
    sem_wait(&initialising);
    probe_levels("mutex_trylock, held", fail_mutex);
    probe_levels("rwlock_tryrdlock, held", fail_read);
    probe_levels("rwlock_trywrlock, held", fail_write);
    probe_levels("mtx_trylock, held", fail_mtx);
    probe_levels("spin_trylock, held", fail_spin);
    probe_levels("sem_trywait, none left", fail_sem);
    probe_levels("tryjoin, alive", fail_join);
    sem_post(&go_on);
    must(pthread_join(helper, NULL));
    start_helper();
    probe_levels("cancel", cancel);
    must(pthread_join(helper, NULL));
    probe_levels("execve", call_execve);
    probe_levels("execv", call_execv);
    probe_levels("execvp", call_execvp);
    probe_levels("execvpe", call_execvpe);
    probe_levels("fexecve", call_fexecve);
    probe_levels("execl", call_execl);
    probe_levels("execlp", call_execlp);
    probe_levels("execle", call_execle);
    probe_levels("system", call_system);
    probe_levels("posix_spawnp, posix_spawn", spawn);
    probe_levels("pthread_create", create);
    probe_levels("thrd_create", c11_create);
    probe_levels("fork", create_process);
}

int main(void)
{
    static const struct probe_case cases[] = {
        {"mutex_lock, unlock", PEER, hold, lock, let_lock},
        {"mutex_timedlock", PEER, hold, timedlock, let_lock},
        {"mutex_clocklock", PEER, hold, clocklock, let_lock},
        {"mutex_timedlock, late", OUTSIDE, hold, timedlock_late, NULL},
        {"mutex_clocklock, late", OUTSIDE, trylock_held, clocklock_late, NULL},
        {"mutex, again", PEER, trylock_held, lock, let_lock},
        {"mtx_lock, unlock", PEER, c11_hold, c11_lock, c11_let_lock},
        {"mtx_timedlock", PEER, c11_hold, c11_timedlock, c11_let_lock},
        {"mtx_timedlock, late", OUTSIDE, c11_hold, c11_timedlock_late, NULL},
        {"cond_wait, signal", PEER, NULL, cond_wait, signal_cond},
        {"cond_timedwait, broadcast", PEER, NULL, cond_timedwait, broadcast_cond},
        {"cond_clockwait", PEER, NULL, cond_clockwait, signal_cond},
        {"cond_wait, then the mutex", PEER, NULL, wait_for_both, signal_and_wait},
        {"cnd_wait, signal", PEER, NULL, c11_wait, c11_signal},
        {"cnd_timedwait, broadcast", PEER, NULL, c11_timedwait, c11_broadcast},
        {"cnd_wait, then the mutex", PEER, NULL, c11_wait_for_both, c11_signal_and_wait},
        {"rwlock_rdlock", PEER, hold_write, read_lock, let_rwlock},
        {"rwlock_wrlock", PEER, hold_write, write_lock, let_rwlock},
        {"rwlock_timedrdlock", PEER, hold_write, read_timed, let_rwlock},
        {"rwlock_timedwrlock", PEER, hold_write, write_timed, let_rwlock},
        {"rwlock_clockrdlock", PEER, hold_write, read_clock, let_rwlock},
        {"rwlock_clockwrlock", PEER, hold_write, write_clock, let_rwlock},
        {"rwlock_timedrdlock, late", OUTSIDE, hold_write, read_late, NULL},
        {"barrier", PEER, NULL, barrier_wait, barrier_wait},
        {"sem_wait, post", PEER, NULL, wait_sem, post_sem},
        {"sem_timedwait", PEER, NULL, timedwait_sem, post_sem},
        {"sem_clockwait", PEER, NULL, clockwait_sem, post_sem},
        {"sem_timedwait, late", OUTSIDE, NULL, wait_sem_late, NULL},
        {"spin_lock, unlock", PEER_OF_SPINNER, hold_spin, lock_spin, let_spin},
        {"pthread_once", PEER, begin_once, do_once, end_once},
        {"call_once", PEER, begin_c11_once, do_c11_once, end_once},
        {"join", PEER, start_helper, join, end_helper},
        {"timedjoin", PEER, start_helper, timedjoin, end_helper},
        {"clockjoin", PEER, start_helper, clockjoin, end_helper},
        {"join, cancel", PEER, start_helper, join, cancel_helper},
        {"thrd_join", PEER, start_c11_helper, c11_join, end_helper},
        {"nanosleep", OUTSIDE, NULL, nano_sleep, NULL},
        {"clock_nanosleep", OUTSIDE, NULL, clock_sleep, NULL},
        {"usleep", OUTSIDE, NULL, micro_sleep, NULL},
        {"thrd_sleep", OUTSIDE, NULL, c11_sleep, NULL},
        {"sleep", OUTSIDE, NULL, long_sleep, NULL},
        {"sigwaitinfo, kill", PEER, NULL, wait_info, send_process},
        {"sigtimedwait, sigqueue", PEER, NULL, wait_timed, send_value},
        {"sigwait, tgkill", PEER, NULL, wait_signal, send_thread},
        {"sigwait, tgkill by number", PEER, NULL, wait_signal, send_by_number},
        {"sigwait, pthread_kill", PEER, NULL, wait_signal, send_to_thread},
        {"sigwait, pthread_sigqueue", PEER, NULL, wait_signal, send_value_to_thread},
        {"sigwait, killpg", PEER, NULL, wait_signal, send_to_group},
        {"sigtimedwait, late", OUTSIDE, NULL, wait_timed_late, NULL},
        {"sigsuspend", OUTSIDE, NULL, suspend, send_past_hooks},
        {"sigpause", OUTSIDE, NULL, suspend_by_mask, send_past_hooks},
        {"__xpg_sigpause", OUTSIDE, NULL, suspend_by_number, send_past_hooks},
        {"__sigpause", OUTSIDE, NULL, suspend_either_way, send_past_hooks},
        {"pause", OUTSIDE, NULL, pause_for_signal, send_past_hooks},
        {"signalfd", OUTSIDE, NULL, wait_signalfd, send_process},
        {"wait", PEER, start_child, wait_any, end_child},
        {"waitpid, _exit", PEER, start_child, wait_child, end_child},
        {"waitpid, quick_exit", PEER, start_quick, wait_child, end_child},
        {"waitpid, clone, _Exit", PEER, start_clone, wait_child, end_child},
        {"waitpid, all by number", PEER, start_by_number, wait_child, end_child},
        {"wait3", PEER, start_child, wait_child3, end_child},
        {"wait4", PEER, start_child, wait_child4, end_child},
        {"waitid", PEER, start_child, wait_child_id, end_child},
    };
    struct sigaction action = {.sa_handler = nothing};
    sigset_t usr1;
    probe_attach();
    setpgid(0, 0); /* killpg() is for us alone */
    sigfillset(&everything);
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    must(pthread_sigmask(SIG_BLOCK, &usr1, NULL));
    expect(sigaction(SIGUSR1, &action, NULL) == 0);
    must(pthread_barrier_init(&barrier, NULL, 2));
    must(pthread_spin_init(&spin, 0));
    expect(mtx_init(&c11_mutex, mtx_timed) == thrd_success &&
           mtx_init(&c11_inner, mtx_plain) == thrd_success);
    expect(cnd_init(&c11_cond) == thrd_success && cnd_init(&c11_never) == thrd_success);
    yield_by_turns();
    yield_in_a_loop();
    call_all();
    return PROBE_RUN(cases);
}
