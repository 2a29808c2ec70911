/* Processes: a child's end wakes its parent, and is level; who starts one is level too. */
#include "runtime/calls/call_point.h"
#include "runtime/calls/peers.h"
#include "runtime/core/reach.h"
#include "runtime/real/list.h"
#include "runtime/thread/fork.h"

#include <sched.h> /* CLONE_VM */
#include <stdarg.h>
#include <stdlib.h> /* system */
#include <sys/wait.h>

/* ---- ends */

/* A parent of the tree is told by the slot that its child was of the tree too, and frees it when it has waited
 * for it: until then the kernel keeps the number. Where nobody would, the thread gives its own back now; those
 * of threads that still run are the controller's to free. The child of a vfork() runs on its parent's memory,
 * and has no slot. */
static void end_process(void)
{
    struct thread *thread = &thread_current;
    sync_before_wake(NULL);
    if (!thread->on || gettid() != thread->tid)
        return;
    thread_leave_regions();
    if (!peers_has_process(getppid()))
        thread_stop();
}

/* exit() and the return from main() end up here. */
__attribute__((destructor)) static void at_exit(void)
{
    end_process();
}

EXPORT void _exit(int status)
{
    end_process();
    REAL(_exit)(status);
    __builtin_unreachable();
}

EXPORT void _Exit(int status)
{
    end_process();
    REAL(_Exit)(status);
    __builtin_unreachable();
}

/* No destructor runs after it; what at_quick_exit() was given still does. */
EXPORT void quick_exit(int status)
{
    end_process();
    REAL(quick_exit)(status);
    __builtin_unreachable();
}

/* ---- waiting for one (the kernel restarts these after our signal) */

HOOK_INLINE void child_wait_end(pid_t pid)
{
    bool by_peer = unlikely(!sync_is_level()) && pid > 0 && peers_has_process(pid);
    sync_wait_end(NULL, by_peer ? WOKEN_BY_PEER : WOKEN_BY_OUTSIDE);
    if (pid > 0 && thread_current.on)
        peers_reap_process(pid);
}

EXPORT pid_t wait(int *status)
{
    sync_wait_begin(NULL, WAIT_CHILD);
    pid_t pid = REAL(wait)(status);
    child_wait_end(pid);
    call_ended(CALL_wait, pid > 0);
    return pid;
}

EXPORT pid_t waitpid(pid_t which, int *status, int options)
{
    sync_wait_begin(NULL, WAIT_CHILD);
    pid_t pid = REAL(waitpid)(which, status, options);
    child_wait_end(pid);
    call_ended(CALL_waitpid, pid > 0);
    return pid;
}

EXPORT pid_t wait3(int *status, int options, struct rusage *usage)
{
    sync_wait_begin(NULL, WAIT_CHILD);
    pid_t pid = REAL(wait3)(status, options, usage);
    child_wait_end(pid);
    return pid;
}

EXPORT pid_t wait4(pid_t which, int *status, int options, struct rusage *usage)
{
    sync_wait_begin(NULL, WAIT_CHILD);
    pid_t pid = REAL(wait4)(which, status, options, usage);
    child_wait_end(pid);
    call_ended(CALL_wait4, pid > 0);
    return pid;
}

EXPORT int waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
    sync_wait_begin(NULL, WAIT_CHILD);
    int rc = REAL(waitid)(type, id, info, options);
    child_wait_end(rc == 0 && info ? info->si_pid : 0);
    call_ended(CALL_waitid, rc == 0);
    return rc;
}

/* ---- starting one */

static void forget_where_lost(void)
{
    if (thread_current.on && reach_is_lost())
        reach_forget();
}

/* The command's processes are of the tree; what the shell says is theirs. */
EXPORT int system(const char *command)
{
    forget_where_lost();
    sync_wait_begin(NULL, WAIT_CHILD);
    int rc = REAL(system)(command);
    sync_wait_end(NULL, WOKEN_BY_PEER);
    call_ended(CALL_system, rc != -1);
    return rc;
}

typedef int spawn_function(pid_t *, const char *, const posix_spawn_file_actions_t *,
                           const posix_spawnattr_t *, char *const[], char *const[]);

HOOK_INLINE int spawn(spawn_function *real, int search, pid_t *pid, const char *file,
                      const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
                      char *const arguments[], char *const environment[])
{
    sync_before_wake(NULL);
    bool is_foreign = reach_check(file, search);
    char *apart[is_foreign ? reach_count(environment) : 1];
    if (is_foreign)
        reach_copy(apart, environment, true);
    forget_where_lost();
    return real(pid, file, actions, attributes, arguments, is_foreign ? apart : environment);
}

EXPORT int posix_spawn(pid_t *restrict pid, const char *restrict path,
                       const posix_spawn_file_actions_t *restrict actions,
                       const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                       char *const environment[restrict])
{
    int rc = spawn(REAL(posix_spawn), 0, pid, path, actions, attributes, arguments, environment);
    call_ended(CALL_posix_spawn, rc == 0);
    return rc;
}

EXPORT int posix_spawnp(pid_t *restrict pid, const char *restrict file,
                        const posix_spawn_file_actions_t *restrict actions,
                        const posix_spawnattr_t *restrict attributes, char *const arguments[restrict],
                        char *const environment[restrict])
{
    int rc = spawn(REAL(posix_spawnp), 1, pid, file, actions, attributes, arguments, environment);
    call_ended(CALL_posix_spawnp, rc == 0);
    return rc;
}

/* With a copy of our memory the child is as after fork(). With the memory itself it is not profiled: it has
 * no storage of its own for us to work in. */
struct copy {
    int (*routine)(void *);
    void *argument;
};

static int begin_copy(void *argument)
{
    struct copy copy = *(struct copy *)argument;
    fork_after(0);
    return copy.routine(copy.argument);
}

EXPORT int clone(int (*routine)(void *), void *stack, int flags, void *argument, ...)
{
    va_list list;
    va_start(list, argument);
    void *parent_tid = va_arg(list, void *), *storage = va_arg(list, void *),
         *child_tid = va_arg(list, void *);
    va_end(list);
    struct copy copy = {routine, argument};
    sync_before_wake(NULL);
    if (thread_current.on && !(flags & CLONE_VM) && routine) {
        fork_before();
        int pid = REAL(clone)(begin_copy, stack, flags, &copy, parent_tid, storage, child_tid);
        fork_after(pid);
        return pid;
    }
    return REAL(clone)(routine, stack, flags, argument, parent_tid, storage, child_tid);
}
