#include "experiment/session/ending.h"

#include "experiment/schedule/processes.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/wait.h>

static const uint64_t patience_ns = 5000000000; /* with a program that was asked to end */
static const uint64_t detach_ns = 1000000000;   /* for a child to make a session of its own */
static const uint64_t birth_ns = 5000000000;    /* and to join, when it was just being forked */

/* Signals every process of the tree that has joined. */
static void signal_tree(const struct ending *ending, int number)
{
    const struct segment *segment = ending->owner->segment;
    uint32_t used = atomic_load(&segment->thread_slots_used);
    if (ending->pid > 0)
        kill(ending->pid, number);
    for (uint32_t i = 0; i < used; i++) {
        const struct segment_thread *slot = &segment->thread_slots[i];
        uint32_t pid = atomic_load(&slot->pid);
        if (pid && pid == atomic_load(&slot->tid) && pid != (uint32_t)ending->pid)
            kill((pid_t)pid, number);
    }
}

void ending_ask(struct ending *ending, uint64_t now)
{
    if (!ending->asked_ns)
        ending->asked_ns = now;
}

void ending_press(struct ending *ending, uint64_t now)
{
    if (ending->limit_ns && now >= ending->limit_ns)
        ending_ask(ending, now);
    if (ending->asked_ns && ending->signals == 0) {
        signal_tree(ending, SIGTERM);
        ending->signals = 1;
    }
    if (ending->signals == 1 && now >= ending->asked_ns + patience_ns) {
        signal_tree(ending, SIGKILL);
        ending->signals = 2;
    }
    /* Ctrl-C has reached the program through its terminal already; the second one is meant. */
    if (ending->interrupts && *ending->interrupts > 1)
        signal_tree(ending, SIGKILL);
}

bool ending_is_over(struct ending *ending, uint64_t now, int *wait_status)
{
    if (!ending->ended_ns) {
        pid_t ended = waitpid(ending->pid, wait_status, WNOHANG);
        if (ended != ending->pid && !(ended < 0 && errno == ECHILD))
            return false;
        ending->ended_ns = now;
        ending->pid = 0;
    }
    struct stat file;
    if (ending->is_alone || (ending->interrupts && *ending->interrupts) || fstat(ending->owner->fd, &file))
        return true;
    ending->daemon = processes_daemon(ending->owner->segment, file.st_ino);
    if (ending->daemon)
        return false;
    if (atomic_load(&ending->owner->segment->births))
        return now > ending->ended_ns + birth_ns; /* it was killed before it had joined */
    return now > ending->ended_ns + detach_ns || !processes_any(ending->owner->segment, file.st_ino);
}
