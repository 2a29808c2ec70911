#include "experiment/session/ending.h"

#include <errno.h>
#include <poll.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const uint64_t patience_ns = 5000000000;    /* with a program that was asked to end */
static const uint64_t detach_ns = 1000000000;      /* for a child to make a session of its own */
static const uint64_t birth_ns = 5000000000;       /* and to join, when it was just being forked */
static const uint64_t look_ns = 50000000;          /* between two looks at what processes there are */
static const uint64_t look_daemon_ns = 1000000000; /* and at whether the daemon is still the same program */

void ending_ask(struct ending *ending, uint64_t now)
{
    uint64_t not_yet = 0;
    atomic_compare_exchange_strong(&ending->asked_ns, &not_yet, now);
}

/* Signals every process of the tree that has joined. */
static void ending_signal(const struct ending *ending, int number)
{
    if (ending->pid > 0)
        kill(ending->pid, number);
    tree_signal(&ending->tree, ending->pid, number);
}

static void ending_pass_on(struct ending *ending)
{
    uint32_t signals = ending->passed_on ? atomic_exchange(ending->passed_on, 0) : 0;
    for (int number = 1; number < 32 && ending->pid > 0; number++)
        if (signals & 1u << number)
            kill(ending->pid, number);
}

bool ending_is_asked(struct ending *ending, uint64_t now)
{
    if (ending->limit_ns && now >= ending->limit_ns)
        ending_ask(ending, now);
    return atomic_load(&ending->asked_ns) != 0;
}

void ending_press(struct ending *ending, uint64_t now)
{
    ending_pass_on(ending);
    bool is_asked = ending_is_asked(ending, now);
    uint64_t asked_ns = atomic_load(&ending->asked_ns);
    if (is_asked && ending->signals == 0) {
        ending_signal(ending, SIGTERM);
        ending->signals = 1;
    }
    if (ending->signals == 1 && now >= asked_ns + patience_ns) {
        ending_signal(ending, SIGKILL);
        ending->signals = 2;
    }
    /* Ctrl-C has reached the program through its terminal already; the second one is meant. */
    if (ending->interrupts && *ending->interrupts > 1)
        ending_signal(ending, SIGKILL);
}

static void daemon_close(struct ending *ending)
{
    if (ending->daemon && ending->daemon_fd >= 0)
        close(ending->daemon_fd);
    ending->daemon = 0;
}

/* Looking for one reads what processes map, which is dear: a pidfd tells when one ends. */
static bool daemon_runs(struct ending *ending, uint64_t now)
{
    struct pollfd end = {.fd = ending->daemon_fd, .events = POLLIN};
    bool has_ended = ending->daemon_fd >= 0 && poll(&end, 1, 0) > 0;
    if (!has_ended && now < ending->looked_ns + look_daemon_ns)
        return true;
    ending->looked_ns = now;
    return !has_ended && tree_holds(&ending->tree, ending->daemon);
}

static bool daemon_find(struct ending *ending)
{
    ending->daemon = tree_daemon(&ending->tree);
    if (ending->daemon)
        ending->daemon_fd = (int)syscall(SYS_pidfd_open, ending->daemon, 0);
    return ending->daemon != 0;
}

/* The program has ended: does what it left go on? */
static bool tree_is_over(struct ending *ending, uint64_t now)
{
    if (ending->daemon) {
        ending->over_ns = now;
        if (daemon_runs(ending, now))
            return false;
        daemon_close(ending);
    } else if (ending->looked_ns && now < ending->looked_ns + look_ns) {
        return false;
    }
    ending->looked_ns = now;
    if (daemon_find(ending))
        return false;
    if (atomic_load(&ending->tree.segment->births))
        return now > ending->ended_ns + birth_ns; /* it was killed before it had joined */
    bool runs = tree_runs(&ending->tree);
    if (runs)
        ending->over_ns = now;
    return now > ending->ended_ns + detach_ns || !runs;
}

bool ending_is_over(struct ending *ending, uint64_t now, int *wait_status)
{
    if (!ending->ended_ns) {
        pid_t ended = waitpid(ending->pid, wait_status, WNOHANG);
        if (ended != ending->pid && !(ended < 0 && errno == ECHILD))
            return false;
        ending->ended_ns = ending->over_ns = now;
        ending->pid = 0;
    }
    if (ending->is_alone || (ending->interrupts && *ending->interrupts))
        return true;
    return tree_is_over(ending, now);
}

void ending_release(struct ending *ending)
{
    daemon_close(ending);
}
