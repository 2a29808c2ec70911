/* Threads and processes: they begin with their parent's balance, and end level, because their end may wake
 * somebody. */
#include "base/clock.h"
#include "runtime/calls/call_point.h"
#include "runtime/calls/deadline.h"
#include "runtime/calls/names.h"
#include "runtime/ledger/stretch.h"
#include "runtime/real/list.h"
#include "runtime/sampling/modules.h"
#include "runtime/sampling/own_signal.h"
#include "runtime/thread/fork.h"
#include "runtime/thread/handlers.h"

#include <errno.h>
#include <stdlib.h> /* malloc: when many threads are on their way */
#include <unistd.h>

/* What a new thread is to know, on its way there. On the heap it would make the thread begin with a free(),
 * for which glibc gives it an arena: dearer than all else that we do at its start. */
struct beginning {
    void *(*routine)(void *);
    void *argument;
    uint64_t paid_ns;
    bool hides_signal;
    _Atomic bool taken;
};

enum { BEGINNINGS = 64 };

static struct beginning beginnings[BEGINNINGS];

static struct beginning *beginning_take(void)
{
    static _Atomic unsigned turn;
    for (unsigned tries = 0; tries < BEGINNINGS; tries++) {
        struct beginning *beginning =
            &beginnings[atomic_fetch_add_explicit(&turn, 1, memory_order_relaxed) % BEGINNINGS];
        if (!atomic_exchange_explicit(&beginning->taken, true, memory_order_acquire))
            return beginning;
    }
    return malloc(sizeof *beginnings);
}

static void beginning_give(struct beginning *beginning)
{
    if (beginning >= beginnings && beginning < beginnings + BEGINNINGS)
        atomic_store_explicit(&beginning->taken, false, memory_order_release);
    else
        free(beginning);
}

/* On its thread: its place is free again. */
static struct beginning beginning_receive(struct beginning *beginning)
{
    struct beginning received = {.routine = beginning->routine,
                                 .argument = beginning->argument,
                                 .paid_ns = beginning->paid_ns,
                                 .hides_signal = beginning->hides_signal};
    beginning_give(beginning);
    return received;
}

/* How threads ended that somebody may yet join. An id is used again only after that. */
struct end {
    _Atomic pthread_t id;
    _Atomic uint64_t ended_ns, paid_ns;
};

static struct end ends[4096];

static struct end *end_of(pthread_t id)
{
    uintptr_t address = (uintptr_t)id;
    return &ends[(address >> 12 ^ address >> 24) % (sizeof ends / sizeof *ends)];
}

static void note_end(void)
{
    struct end *end = end_of(pthread_self());
    atomic_store(&end->id, 0);
    atomic_store(&end->ended_ns, clock_wall_ns());
    atomic_store(&end->paid_ns, account_paid_ns(&thread_current.account));
    atomic_store(&end->id, pthread_self());
}

static void note_joined(pthread_t id)
{
    const struct end *end = end_of(id);
    uint64_t ended_ns = atomic_load(&end->ended_ns), paid_ns = atomic_load(&end->paid_ns);
    if (atomic_load(&end->id) == id)
        sync_after_end(ended_ns, paid_ns);
}

/* However the thread ends: by returning, by pthread_exit(), cancelled. */
static void end_thread(void *nothing)
{
    (void)nothing;
    handlers_forget(&thread_current);
    thread_silence();
    sync_settle_fully();
    thread_leave_regions();
    if (thread_current.on)
        note_end();
    thread_stop();
}

static void *begin_thread(void *argument)
{
    void *result;
    const struct beginning beginning = beginning_receive(argument);
    own_signal_set_hidden(beginning.hides_signal);
    thread_start(beginning.paid_ns, (uintptr_t)__builtin_frame_address(0));
    thread_begin_stretch(&thread_current, (uintptr_t)beginning.routine);
    pthread_cleanup_push(end_thread, NULL);
    result = beginning.routine(beginning.argument);
    pthread_cleanup_pop(1);
    return result;
}

/* NULL without memory. */
HOOK_INLINE struct beginning *new_beginning(void *(*routine)(void *), void *argument)
{
    struct beginning *beginning = beginning_take();
    if (!beginning)
        return NULL;
    modules_refresh();
    sync_settle_fully();
    beginning->routine = routine;
    beginning->argument = argument;
    beginning->hides_signal = own_signal_is_hidden();
    beginning->paid_ns = account_paid_ns(&thread_current.account);
    return beginning;
}

/* What we keep of a thread lies on its stack. On one of the smallest size a sample would not have room enough that comes
 * while the dynamic linker looks for a function: stacks that libc makes get more. glibc says of those that they end at
 * address 0; where that is not so the program's own memory is meant, or another libc. */
static const pthread_attr_t *with_room(const pthread_attr_t *attributes, pthread_attr_t *roomier)
{
    enum { SMALL = 65536, ROOM = 16384 };
    void *address;
    size_t size;
    if (!attributes || pthread_attr_getstack(attributes, &address, &size) != 0 || size == 0 ||
        size >= SMALL || (uintptr_t)address + size != 0)
        return attributes;
    *roomier = *attributes;
    return pthread_attr_setstacksize(roomier, size + ROOM) == 0 ? roomier : attributes;
}

EXPORT int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*routine)(void *),
                          void *argument)
{
    pthread_attr_t roomier;
    if (!thread_current.on)
        return REAL(pthread_create)(thread, attributes, routine, argument);
    struct beginning *beginning = new_beginning(routine, argument);
    if (!beginning)
        return EAGAIN;
    int rc = REAL(pthread_create)(thread, with_room(attributes, &roomier), begin_thread, beginning);
    if (rc)
        beginning_give(beginning);
    call_ended(CALL_pthread_create, rc == 0);
    return rc;
}

/* A thread that is still alive is waited for, and wakes us when it ends; one that ended before owes us
 * nothing. */
HOOK_INLINE bool try_join(pthread_t thread, void **result, int *rc)
{
    sync_before_acquire(NULL);
    *rc = REAL(pthread_tryjoin_np)(thread, result);
    if (*rc == 0)
        note_joined(thread);
    if (*rc != EBUSY)
        return true;
    sync_wait_begin(NULL, WAIT_CHILD);
    return false;
}

HOOK_INLINE int end_join(pthread_t thread, int rc)
{
    sync_wait_end(NULL, rc == ETIMEDOUT ? WOKEN_BY_OUTSIDE : WOKEN_BY_PEER);
    if (rc == 0)
        note_joined(thread);
    return rc;
}

EXPORT int pthread_join(pthread_t thread, void **result)
{
    int rc;
    if (!try_join(thread, result, &rc))
        rc = end_join(thread, REAL(pthread_join)(thread, result));
    call_ended(CALL_pthread_join, rc == 0);
    return rc;
}

EXPORT int pthread_tryjoin_np(pthread_t thread, void **result)
{
    sync_before_acquire(NULL);
    int rc = REAL(pthread_tryjoin_np)(thread, result);
    if (rc == 0)
        note_joined(thread);
    return rc;
}

EXPORT int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *until)
{
    struct timespec later;
    int rc;
    if (try_join(thread, result, &rc))
        return rc;
    return end_join(thread, REAL(pthread_timedjoin_np)(thread, result, deadline_later(until, &later)));
}

EXPORT int pthread_clockjoin_np(pthread_t thread, void **result, clockid_t clock,
                                const struct timespec *until)
{
    struct timespec later;
    int rc;
    if (try_join(thread, result, &rc))
        return rc;
    return end_join(thread, REAL(pthread_clockjoin_np)(thread, result, clock, deadline_later(until, &later)));
}

EXPORT int pthread_cancel(pthread_t thread)
{
    sync_before_wake(NULL);
    return REAL(pthread_cancel)(thread);
}

/* Of the first thread too, which nobody wrapped. */
static void before_exit(void)
{
    sync_before_wake(NULL);
    if (thread_current.on && thread_current.tid == getpid())
        thread_leave_regions();
}

EXPORT void pthread_exit(void *result)
{
    before_exit();
    REAL(pthread_exit)(result);
    __builtin_unreachable();
}

EXPORT int pthread_setname_np(pthread_t thread, const char *name)
{
    int rc = REAL(pthread_setname_np)(thread, name);
    if (rc == 0 && pthread_equal(thread, pthread_self()))
        names_taken();
    return rc;
}

/* ---- of C11, whose threads return a number */

static int begin_thrd(void *argument)
{
    return (int)(intptr_t)begin_thread(argument);
}

EXPORT int thrd_create(thrd_t *thread, thrd_start_t routine, void *argument)
{
    if (!thread_current.on)
        return REAL(thrd_create)(thread, routine, argument);
    /* Its result comes back where a pointer's would, as libc itself does it. */
    struct beginning *beginning = new_beginning((void *(*)(void *))(uintptr_t)routine, argument);
    if (!beginning)
        return thrd_nomem;
    int rc = REAL(thrd_create)(thread, begin_thrd, beginning);
    if (rc != thrd_success)
        beginning_give(beginning);
    call_ended(CALL_thrd_create, rc == thrd_success);
    return rc;
}

EXPORT int thrd_join(thrd_t thread, int *result)
{
    void *value;
    int rc;
    if (try_join(thread, &value, &rc) && rc == 0) {
        if (result)
            *result = (int)(intptr_t)value;
        call_ended(CALL_thrd_join, true);
        return thrd_success;
    }
    int waited = rc == EBUSY;
    rc = REAL(thrd_join)(thread, result);
    if (waited)
        end_join(thread, rc == thrd_success ? 0 : EINVAL);
    call_ended(CALL_thrd_join, rc == thrd_success);
    return rc;
}

EXPORT void thrd_exit(int result)
{
    before_exit();
    REAL(thrd_exit)(result);
    __builtin_unreachable();
}

/* ---- processes */

EXPORT pid_t fork(void)
{
    sync_settle_fully();
    fork_before();
    pid_t pid = REAL(fork)();
    fork_after(pid);
    call_ended(CALL_fork, pid > 0);
    return pid;
}
