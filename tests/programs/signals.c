/* A program that uses real-time signals in one way or another, among them the one that samples would rather
 * come by, while its threads work. It prints what it gets.
 *
 *     signals handler | order | everybody | timer | default | all | suspended | blocked | pause */
#include "target.h"

#include <coz.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <sys/wait.h>

/* sigpause() is what is tried. */
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

#define WANTED (SIGRTMAX - 7)

enum { THREADS = 2, ROUNDS_IN_UNIT = 5, PAUSES = 50 };

static atomic_bool is_over_now;
static _Atomic int handled, value, sender, code, number_seen;

static void step(void)
{
    volatile unsigned x = 1;
    for (int i = 0; i < 20000; i++)
        x = MIX(x, 2654435761u); /* work line */
    COZ_PROGRESS_NAMED("step");
}

static void work(int units)
{
    for (int i = 0; i < ROUNDS_IN_UNIT * units; i++)
        step();
}

static void *work_on(void *nothing)
{
    while (!atomic_load(&is_over_now))
        step();
    return nothing;
}

static pthread_t threads[THREADS];

static void start_threads(void)
{
    for (int i = 0; i < THREADS; i++)
        must(pthread_create(&threads[i], NULL, work_on, NULL));
}

static void end_threads(void)
{
    atomic_store(&is_over_now, true);
    for (int i = 0; i < THREADS; i++)
        must(pthread_join(threads[i], NULL));
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)context;
    atomic_store(&number_seen, number);
    atomic_store(&value, info->si_value.sival_int);
    atomic_store(&sender, info->si_pid);
    atomic_store(&code, info->si_code);
    atomic_fetch_add(&handled, 1);
}

static void handle(int number)
{
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_RESTART}, before;
    if (sigaction(number, &action, &before))
        must(errno);
    printf("before: %d\n", before.sa_handler != SIG_DFL);
    if (sigaction(number, NULL, &before))
        must(errno);
    printf("installed: %d\n", before.sa_sigaction == on_signal);
}

static void await_handled(int count)
{
    while (atomic_load(&handled) < count)
        step();
}

static void say_handled(const char *what)
{
    printf("%s: %d signal %d value %d code %d ours %d\n", what, atomic_load(&handled),
           atomic_load(&number_seen) - SIGRTMAX, atomic_load(&value), atomic_load(&code),
           atomic_load(&sender) == getpid());
}

static void use_handler(void)
{
    start_threads();
    work(100);
    handle(WANTED);
    must(sigqueue(getpid(), WANTED, (union sigval){.sival_int = 42}) ? errno : 0);
    await_handled(1);
    say_handled("queued");
    must(pthread_sigqueue(threads[0], WANTED, (union sigval){.sival_int = 43}));
    await_handled(2);
    say_handled("to a thread");
    must(pthread_kill(threads[1], WANTED));
    await_handled(3);
    printf("killed: %d\n", atomic_load(&handled));
    work(300);
    printf("in all: %d\n", atomic_load(&handled));
    printf("given back: %d\n", signal(WANTED, SIG_DFL) == (sighandler_t)(void *)on_signal);
    work(100);
    end_threads();
}

static void block_all(void)
{
    sigset_t all;
    sigfillset(&all);
    must(pthread_sigmask(SIG_SETMASK, &all, NULL));
}

static void say_pending(void)
{
    sigset_t pending, mask;
    sigpending(&pending);
    must(pthread_sigmask(SIG_BLOCK, NULL, &mask));
    printf("pending: %d blocked: %d\n", sigismember(&pending, WANTED), sigismember(&mask, WANTED));
}

/* The lowest one that is pending comes first. */
static void wait_in_order(void)
{
    block_all();
    start_threads();
    work(100);
    for (int i = 1; i >= -1; i--)
        must(sigqueue(getpid(), WANTED + i, (union sigval){.sival_int = i}) ? errno : 0);
    say_pending();
    work(100);
    for (int i = 0; i < 3; i++) {
        sigset_t all;
        siginfo_t info;
        sigfillset(&all);
        int number = sigwaitinfo(&all, &info);
        printf("got: %d value %d code %d\n", number - SIGRTMAX, info.si_value.sival_int, info.si_code);
    }
    say_pending();
    work(100);
    end_threads();
}

/* A thread waits for whatever comes; somebody else sends it. */
static void *wait_for_all(void *nothing)
{
    sigset_t all;
    siginfo_t info;
    sigfillset(&all);
    sigdelset(&all, SIGCHLD);
    for (int i = 0; i < 2; i++) {
        int number = sigwaitinfo(&all, &info);
        printf("got: %d code %d stranger %d\n", number - SIGRTMAX, info.si_code, info.si_pid != getpid());
    }
    return nothing;
}

static void send_from_outside(int number)
{
    pid_t child = fork();
    if (child == 0) {
        kill(getppid(), number);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

static void wait_for_everybody(void)
{
    pthread_t waiter;
    block_all();
    start_threads();
    must(pthread_create(&waiter, NULL, wait_for_all, NULL));
    work(100);
    send_from_outside(WANTED);
    work(100);
    send_from_outside(WANTED);
    must(pthread_join(waiter, NULL));
    end_threads();
}

static void use_timer(void)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = WANTED};
    struct itimerspec often = {{0, 5000000}, {0, 5000000}};
    timer_t timer;
    start_threads();
    work(50);
    event.sigev_value.sival_int = 7;
    if (timer_create(CLOCK_MONOTONIC, &event, &timer))
        must(errno);
    handle(WANTED);
    if (timer_settime(timer, 0, &often, NULL))
        must(errno);
    await_handled(20);
    timer_delete(timer);
    printf("value %d code %d\n", atomic_load(&value), atomic_load(&code) == SI_TIMER);
    work(200);
    end_threads();
}

/* Nothing is installed: the signal is ignored, or ends the process. */
static void leave_default(void)
{
    int status;
    start_threads();
    work(100);
    pid_t child = fork();
    if (child == 0) {
        printf("was: %d\n", signal(WANTED, SIG_IGN) != SIG_DFL);
        kill(getpid(), WANTED);
        raise(WANTED);
        work(10);
        printf("ignored: %d\n", signal(WANTED, SIG_DFL) == SIG_IGN);
        fflush(stdout);
        raise(WANTED);
        _exit(1);
    }
    waitpid(child, &status, 0);
    printf("ended by: %d\n", WIFSIGNALED(status) ? WTERMSIG(status) - SIGRTMAX : 1000 + WEXITSTATUS(status));
    work(100);
    end_threads();
}

static void use_all(void)
{
    int count = 0;
    start_threads();
    work(100);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++)
        handle(number);
    for (int number = SIGRTMIN; number <= SIGRTMAX; number++) {
        must(sigqueue(getpid(), number, (union sigval){.sival_int = number}) ? errno : 0);
        await_handled(++count);
        if (atomic_load(&number_seen) != number || atomic_load(&value) != number)
            printf("wrong: %d\n", number - SIGRTMAX);
    }
    work(200);
    printf("all: %d\n", atomic_load(&handled) == count);
    end_threads();
}

/* A thread that waits in sigsuspend() since before anybody asked for the signal. */
static void *suspend(void *nothing)
{
    sigset_t none;
    sigemptyset(&none);
    errno = 0;
    int rc = sigsuspend(&none);
    printf("suspended: %d %d after %d\n", rc, errno == EINTR, atomic_load(&handled));
    return nothing;
}

static void wake_suspended(void)
{
    pthread_t thread;
    start_threads();
    must(pthread_create(&thread, NULL, suspend, NULL));
    work(200);
    handle(WANTED);
    work(100);
    must(pthread_kill(thread, WANTED));
    must(pthread_join(thread, NULL));
    end_threads();
}

/* What a program that is executed finds: the mask, and what was pending. */
static void execute_blocked(char **argv)
{
    if (getenv("EXECUTED")) {
        say_pending();
        work(200);
        sigset_t set;
        siginfo_t info;
        sigemptyset(&set);
        sigaddset(&set, WANTED);
        int number = sigwaitinfo(&set, &info);
        printf("got: %d value %d\n", number - SIGRTMAX, info.si_value.sival_int);
        work(100);
        return;
    }
    block_all();
    work(100);
    must(sigqueue(getpid(), WANTED, (union sigval){.sival_int = 5}) ? errno : 0);
    setenv("EXECUTED", "1", 1);
    execv("/proc/self/exe", argv);
    must(errno);
}

static void pause_for_alarms(void)
{
    struct itimerval soon = {.it_value = {0, 20000}};
    sigset_t alarm;
    int early = 0, rounds = 0;
    handle(SIGALRM);
    sigemptyset(&alarm);
    sigaddset(&alarm, SIGALRM);
    must(pthread_sigmask(SIG_BLOCK, &alarm, NULL));
    for (; rounds < PAUSES; rounds++) {
        work(3);
        setitimer(ITIMER_REAL, &soon, NULL);
        sigpause(SIGALRM);
        early += atomic_load(&handled) != rounds + 1;
        while (atomic_load(&handled) <= rounds)
            sigpause(SIGALRM);
    }
    printf("pauses: %d early: %d\n", rounds, early);
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    setlinebuf(stdout);
    if (strcmp(how, "handler") == 0)
        use_handler();
    else if (strcmp(how, "order") == 0)
        wait_in_order();
    else if (strcmp(how, "everybody") == 0)
        wait_for_everybody();
    else if (strcmp(how, "timer") == 0)
        use_timer();
    else if (strcmp(how, "default") == 0)
        leave_default();
    else if (strcmp(how, "all") == 0)
        use_all();
    else if (strcmp(how, "suspended") == 0)
        wake_suspended();
    else if (strcmp(how, "blocked") == 0)
        execute_blocked(argv);
    else if (strcmp(how, "pause") == 0)
        pause_for_alarms();
    else
        return 2;
    puts("done");
    return 0;
}
