/* Replacing the program. Samples are held back first, and what is pending is taken: it would reach the new
 * program before it has a handler, and end it. That one begins with the mask that this one thinks it has. */
#include "runtime/calls/sync.h"
#include "runtime/core/departure.h"
#include "runtime/core/reach.h"
#include "runtime/ledger/ramp.h"
#include "runtime/real/list.h"
#include "runtime/sampling/own_signal.h"
#include "runtime/sampling/sampler.h"
#include "runtime/thread/thread.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h> /* snprintf */

static void mask_samples(int how)
{
    sigset_t ours;
    if (!own_signal())
        return;
    sigemptyset(&ours);
    sigaddset(&ours, own_signal());
    REAL(pthread_sigmask)(how, &ours, NULL);
    thread_current.nesting.holds_samples = how == SIG_BLOCK;
}

/* The child of a vfork() runs on its parent's memory, but is not sampled: it has nothing to hold back. */
static bool hold_samples(void)
{
    struct thread *thread = &thread_current;
    if (!thread->on || atomic_load_explicit(&departure_left, memory_order_relaxed))
        return false;
    if (gettid() != thread->tid)
        return false;
    sync_before_wake(
        NULL); /* the new program begins level, and somebody may wait for this one to become it */
    mask_samples(SIG_BLOCK);
    sampler_silence(&thread->sampler);
    ramp_end(&thread->account);
    if (!own_signal_is_hidden())
        mask_samples(SIG_UNBLOCK);
    return true;
}

/* Only a failed exec returns. */
static int end_failed(bool held)
{
    int saved = errno;
    if (held) {
        mask_samples(SIG_UNBLOCK);
        sampler_resume(&thread_current.sampler);
    }
    errno = saved;
    return -1;
}

typedef int exec_function(const char *, char *const[], char *const[]);

static int replace_program(exec_function *real, const char *file, int search, char *const arguments[],
                           char *const environment[])
{
    bool is_foreign = reach_check(file, search), held = hold_samples();
    bool is_alone = is_foreign || (thread_current.on && reach_is_lost());
    char *apart[is_alone ? reach_count(environment) : 1];
    if (is_alone)
        reach_copy(apart, environment, is_foreign);
    real(file, arguments, is_alone ? apart : environment);
    return end_failed(held);
}

EXPORT int execve(const char *path, char *const arguments[], char *const environment[])
{
    return replace_program(REAL(execve), path, 0, arguments, environment);
}

EXPORT int execv(const char *path, char *const arguments[])
{
    return replace_program(REAL(execve), path, 0, arguments, environ);
}

EXPORT int execvp(const char *file, char *const arguments[])
{
    return replace_program(REAL(execvpe), file, 1, arguments, environ);
}

EXPORT int execvpe(const char *file, char *const arguments[], char *const environment[])
{
    return replace_program(REAL(execvpe), file, 1, arguments, environment);
}

EXPORT int fexecve(int fd, char *const arguments[], char *const environment[])
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    bool is_foreign = reach_check(path, 0), held = hold_samples();
    bool is_alone = is_foreign || (thread_current.on && reach_is_lost());
    char *apart[is_alone ? reach_count(environment) : 1];
    if (is_alone)
        reach_copy(apart, environment, is_foreign);
    REAL(fexecve)(fd, arguments, is_alone ? apart : environment);
    return end_failed(held);
}

/* The forms with a list: the list becomes an array on the stack, its NULL included. */
static size_t count_list(const char *first, va_list *list)
{
    size_t count = 1;
    if (first)
        while (count++, va_arg(*list, char *))
            ;
    return count;
}

static void fill_list(char *array[], const char *first, va_list *list)
{
    size_t i = 0;
    array[i] = (char *)first;
    while (array[i])
        array[++i] = va_arg(*list, char *);
}

#define LIST_TO_ARRAY(array, first)                                                                          \
    va_list list;                                                                                            \
    va_start(list, first);                                                                                   \
    size_t count = count_list(first, &list);                                                                 \
    va_end(list);                                                                                            \
    char *array[count];                                                                                      \
    va_start(list, first);                                                                                   \
    fill_list(array, first, &list)

EXPORT int execl(const char *path, const char *first, ...)
{
    LIST_TO_ARRAY(array, first);
    va_end(list);
    return execv(path, array);
}

EXPORT int execlp(const char *file, const char *first, ...)
{
    LIST_TO_ARRAY(array, first);
    va_end(list);
    return execvp(file, array);
}

EXPORT int execle(const char *path, const char *first, ...)
{
    LIST_TO_ARRAY(array, first);
    char *const *environment = va_arg(list, char *const *);
    va_end(list);
    return execve(path, array, environment);
}
