/* Handlers of the program's that interrupt a hook: one that waits, or one that pauses for what is owed. What
 * they call means what it always means, what they interrupted goes on, and when they never come back the
 * thread is as it was before. */
#include "probe.h"

#include "runtime/core/kernel.h"

#include <poll.h>
#include <semaphore.h>
#include <setjmp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum { ENDLESS_MS = 100000, ROUNDS = 200 };

static sem_t woken, started;
static int outer[2], inner[2];
static sigjmp_buf back;
static _Atomic pid_t waiter;
static _Atomic bool handled;
static _Atomic bool is_back, in_time, may_end; /* of a thread that pauses for little */
static _Atomic uint64_t debt_in_handler;
static void (*in_handler)(void);
static char byte = 'x';

static void on_signal(int number)
{
    (void)number;
    atomic_store(&in_time, !atomic_load(&is_back));
    in_handler();
    atomic_store(&handled, true);
}

/* Past the hooks: the first thread pays nothing for what the others are to pay. */
static void nap(int ms)
{
    kernel_call(SYS_nanosleep, (long)&(struct timespec){0, ms * 1000000l}, 0, 0, 0, 0, 0);
}

/* Nobody is levelled by sending it: it comes from the outside. */
static void send_signal(int number)
{
    atomic_store(&handled, false);
    kernel_call(SYS_tgkill, getpid(), atomic_load(&waiter), number, 0, 0, 0);
}

static void await_handler(void)
{
    while (!atomic_load(&handled))
        nap(1);
}

static void await_wait(void)
{
    while (!probe_waits(atomic_load(&waiter), false))
        nap(1);
}

static pthread_t start_with(const char *name, void *(*routine)(void *), void *argument)
{
    pthread_t thread;
    probe_name = name;
    atomic_store(&waiter, 0);
    atomic_store(&is_back, false);
    must(pthread_create(&thread, NULL, routine, argument));
    while (!atomic_load(&waiter))
        nap(1);
    return thread;
}

static pthread_t start(const char *name, void *(*routine)(void *))
{
    return start_with(name, routine, NULL);
}

static void post(void)
{
    expect(sem_post(&woken) == 0);
    atomic_store(&debt_in_handler, probe_debt(gettid()));
}

static void jump(void)
{
    siglongjmp(back, 1);
}

static uint64_t credited(void)
{
    return atomic_load(&probe_segment->credited_wake_ns);
}

/* ---- in a call that waits */

static void *wait_twice(void *nothing)
{
    char got;
    atomic_store(&waiter, gettid());
    expect(read(outer[0], &got, 1) == 1);
    expect(probe_debt(gettid()) == 0);
    return nothing;
}

/* The handler pays what became due, before it wakes; then the wait goes on, and is ended by a peer. */
static void wake_while_waiting(void)
{
    in_handler = post;
    pthread_t thread = start("a handler that wakes, in a wait", wait_twice);
    await_wait();
    probe_make_due();
    send_signal(SIGUSR1);
    await_handler();
    expect(atomic_load(&debt_in_handler) == 0);
    await_wait();
    uint64_t before = credited();
    probe_make_due();
    nap(5); /* no credit is longer than the wait */
    expect(write(outer[1], &byte, 1) == 1);
    must(pthread_join(thread, NULL));
    expect(credited() - before >= PROBE_NS);
}

static void wait_inside(void)
{
    char got;
    expect(read(inner[0], &got, 1) == 1);
    atomic_store(&debt_in_handler, probe_debt(gettid()));
}

static void wait_while_waiting(void)
{
    in_handler = wait_inside;
    pthread_t thread = start("a handler that waits, in a wait", wait_twice);
    await_wait();
    send_signal(SIGUSR1);
    /* It reads the inner pipe when that one is full no more: who waits where cannot be seen from here. */
    expect(write(inner[1], &byte, 1) == 1);
    await_handler();
    expect(atomic_load(&debt_in_handler) == 0);
    await_wait();
    uint64_t before = credited();
    probe_make_due();
    nap(5);
    expect(write(outer[1], &byte, 1) == 1);
    must(pthread_join(thread, NULL));
    expect(credited() - before >= PROBE_NS);
}

/* The thread is in no hook any more: it pays at a sample, and at a call. */
static void expect_usual(void)
{
    pid_t tid = gettid();
    expect((atomic_load(&probe_slot(tid)->flags) & THREAD_BLOCKED) == 0);
    probe_make_due();
    probe_sample(tid);
    expect(probe_debt(tid) == 0);
    probe_make_due();
    expect(sem_post(&woken) == 0);
    expect(probe_debt(tid) == 0);
}

static void *wait_and_jump(void *nothing)
{
    char got;
    if (sigsetjmp(back, 1) == 0) {
        atomic_store(&waiter, gettid());
        (void)!read(outer[0], &got, 1);
        probe_check(false, probe_name, "the read came back");
    }
    expect_usual();
    return nothing;
}

static void jump_out_of_a_wait(void)
{
    in_handler = jump;
    pthread_t thread = start("a jump out of a wait", wait_and_jump);
    await_wait();
    send_signal(SIGUSR1);
    must(pthread_join(thread, NULL));
}

static void *suspend_and_jump(void *nothing)
{
    sigset_t none, now;
    sigemptyset(&none);
    if (sigsetjmp(back, 0) == 0) { /* the mask stays as the handler had it */
        atomic_store(&waiter, gettid());
        sigsuspend(&none);
        probe_check(false, probe_name, "the call came back");
    }
    expect_usual();
    must(pthread_sigmask(SIG_SETMASK, NULL, &now));
    expect(!sigismember(&now, (int)probe_segment->signal_number));
    return nothing;
}

static void jump_out_of_sigsuspend(void)
{
    in_handler = jump;
    pthread_t thread = start("a jump out of sigsuspend", suspend_and_jump);
    await_wait();
    send_signal(SIGUSR1);
    must(pthread_join(thread, NULL));
}

/* ---- in a pause: more is due than anybody will wait for */

static void make_endless(void)
{
    atomic_fetch_add(&probe_segment->due.required_ns, ENDLESS_MS * 1000000ull);
}

/* As if the thread had paid. */
static void forgive(void)
{
    atomic_store(&probe_slot(gettid())->paid_ns, atomic_load(&probe_segment->due.required_ns));
}

static void *pause_and_jump(void *slept)
{
    long slack = prctl(PR_GET_TIMERSLACK);
    if (sigsetjmp(back, 1) == 0) {
        make_endless();
        if (slept) /* what became due in an idle time is paid asleep */
            nap(20);
        atomic_store(&waiter, gettid());
        sem_post(&woken);
        probe_check(false, probe_name, "nothing was paid");
    }
    forgive();
    expect_usual();
    expect(prctl(PR_GET_TIMERSLACK) == slack);
    return slept;
}

static void *pause_asleep(void *nothing)
{
    (void)nothing;
    return pause_and_jump(&byte);
}

/* It has used so much of a processor since it was about to call the hook: it is in there. Or it is back. */
static void await_spinning(pthread_t thread)
{
    clockid_t clock;
    struct timespec time;
    must(pthread_getcpuclockid(thread, &clock));
    do
        nap(1);
    while (!atomic_load(&is_back) && clock_gettime(clock, &time) == 0 && time.tv_sec == 0 &&
           time.tv_nsec < 50000000);
}

static void await_asleep(uint64_t paused)
{
    while (atomic_load(&probe_segment->paused_ns) == paused)
        nap(1);
}

static void jump_out_of_a_pause(void)
{
    in_handler = jump;
    pthread_t thread = start("a jump out of a pause that spins", pause_and_jump);
    forgive();
    await_spinning(thread);
    send_signal(SIGUSR1);
    must(pthread_join(thread, NULL));
    uint64_t paused = atomic_load(&probe_segment->paused_ns);
    thread = start("a jump out of a pause that sleeps", pause_asleep);
    forgive();
    await_asleep(paused);
    send_signal(SIGUSR1);
    must(pthread_join(thread, NULL));
}

static void end_in_handler(void)
{
    pthread_exit(&byte);
}

static void *pause_and_end(void *nothing)
{
    make_endless();
    atomic_store(&waiter, gettid());
    sem_post(&woken);
    return nothing;
}

/* Its end is level, as always: so it must be forgiven first. */
static void forgive_and_end(void)
{
    forgive();
    end_in_handler();
}

static void end_in_a_pause(void)
{
    void *result = NULL;
    in_handler = forgive_and_end;
    pthread_t thread = start("the end of a thread in a pause", pause_and_end);
    forgive();
    await_spinning(thread);
    send_signal(SIGUSR1);
    must(pthread_join(thread, &result));
    expect(result == &byte);
}

static void *pause_and_be_cancelled(void *nothing)
{
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    return pause_and_end(nothing);
}

static void cancel_in_a_pause(void)
{
    void *result = NULL;
    pthread_t thread = start("a thread cancelled in a pause", pause_and_be_cancelled);
    await_spinning(thread);
    /* It is level when it ends: let it be. */
    atomic_store(&probe_slot(atomic_load(&waiter))->paid_ns, atomic_load(&probe_segment->due.required_ns));
    forgive();
    must(pthread_cancel(thread));
    must(pthread_join(thread, &result));
    expect(result == PTHREAD_CANCELED);
}

static pid_t first;

/* A handler may fork in the pause: then a process of its own comes back, too. */
static void *pause_for_little(void *little_ns)
{
    atomic_fetch_add(&probe_segment->due.required_ns, *(uint64_t *)little_ns);
    atomic_store(&waiter, gettid());
    expect(sem_post(&woken) == 0);
    atomic_store(&is_back, true);
    expect(probe_debt(gettid()) == 0);
    while (!atomic_load(&may_end)) {
        if (getpid() != first)
            _exit(probe_failures ? 1 : 7);
        nap(1);
    }
    return NULL;
}

/* Interrupts a pause that ends by itself. A machine that gave the thread no processor for all of it has seen nothing:
 * then the next one is longer. */
static void interrupt_pause(const char *name)
{
    enum { LEAST_MS = 300, MOST_MS = 60000 };
    uint64_t little_ms = LEAST_MS;
    for (atomic_store(&in_time, false); little_ms < MOST_MS && !atomic_load(&in_time); little_ms *= 2) {
        uint64_t little_ns = little_ms * 1000000;
        atomic_store(&may_end, false);
        pthread_t thread = start_with(name, pause_for_little, &little_ns);
        await_spinning(thread);
        send_signal(SIGUSR1);
        await_handler();
        atomic_store(&may_end, true);
        must(pthread_join(thread, NULL));
    }
    probe_check(atomic_load(&in_time), name, "the pause was over whenever it was looked at");
}

/* The handler is level when it wakes, and what it interrupted is when it goes on. */
static void wake_in_a_pause(void)
{
    in_handler = post;
    interrupt_pause("a handler that wakes, in a pause");
    expect(atomic_load(&debt_in_handler) == 0);
}

static void fork_and_wait(void)
{
    int status;
    pid_t child = fork();
    if (child == 0)
        return; /* into the pause, as a process of its own */
    expect(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
}

static void fork_in_a_pause(void)
{
    in_handler = fork_and_wait;
    interrupt_pause("a fork in a pause");
}

/* ---- both signals at once: what the program's handler ended is ended */

static void nothing_to_do(void)
{
}

static void *poll_again_and_again(void *nothing)
{
    struct pollfd polled = {.fd = outer[0], .events = POLLIN};
    atomic_store(&waiter, gettid());
    for (int i = 0; i < ROUNDS; i++) {
        sem_post(&started);
        expect(poll(&polled, 1, -1) == -1 && errno == EINTR);
    }
    return nothing;
}

static void end_polls(int number)
{
    in_handler = nothing_to_do;
    pthread_t thread = start("a handler ends poll()", poll_again_and_again);
    for (int i = 0; i < ROUNDS; i++) {
        sem_wait(&started);
        await_wait();
        probe_sample(atomic_load(&waiter));
        send_signal(number);
    }
    must(pthread_join(thread, NULL));
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    probe_attach();
    first = getpid();
    expect(sigaction(SIGUSR1, &action, NULL) == 0);
    expect(signal(SIGRTMAX, on_signal) == SIG_DFL);
    must(pipe(outer) || pipe(inner) ? errno : 0);
    wake_while_waiting();
    wait_while_waiting();
    jump_out_of_a_wait();
    jump_out_of_sigsuspend();
    jump_out_of_a_pause();
    end_in_a_pause();
    cancel_in_a_pause();
    wake_in_a_pause();
    fork_in_a_pause();
    end_polls(SIGUSR1);
    end_polls(SIGRTMAX);
    puts("handlers: done");
    return probe_failures > 0;
}
