/* All that is known of the inside of a libc, which is glibc, beyond what its headers promise: the words of a mutex, the bit
 * that makes one robust, and the bit of a once_flag that says "done". Hooks are cheaper by it, and need none
 * of it.
 *
 * It is learnt at the start, from a lock and a once_flag of our own, which have to look as expected. In a
 * glibc older or newer than those in which all this is known to hold, only the bit of robust mutexes is
 * believed, which is looked at and never written; with COZ_LIBC_INTERNALS=0 in the environment, nothing. What
 * is not known, the functions here say no to, and hooks leave it to libc.
 *
 * Any thread, handlers too; errno is not touched. */
#pragma once

#include "runtime/core/runtime.h"

#include <pthread.h>
#include <stdbool.h>

#ifdef __GLIBC__
#include <sys/single_threaded.h>
#endif

#define LIBC_INLINE static inline __attribute__((always_inline))

enum {
    LIBC_NO_KIND = -1,
    LIBC_ROBUST = 16, /* of __kind: glibc's own header has it without a name */
    LIBC_DONE = 2,    /* of a pthread_once_t, and of a once_flag of C11 */
};

extern HIDDEN bool libc_knows_robust;
extern HIDDEN int libc_usual_kind; /* __kind of a normal mutex, or LIBC_NO_KIND */
extern HIDDEN int libc_done_bit;   /* LIBC_DONE, or 0 */

/* Learns it anew. Once, before there are threads. */
void libc_learn(void);

#ifdef __GLIBC__

/* Whether trylock may be called: glibc's leaves a robust mutex locked for ever after it has said
 * ENOTRECOVERABLE. Not known: no. */
LIBC_INLINE bool libc_may_try(const pthread_mutex_t *mutex)
{
    return libc_knows_robust && !(mutex->__data.__kind & LIBC_ROBUST);
}

/* Whether it is a normal mutex, of which all is known. tid: the calling thread's, 0: not known. */
LIBC_INLINE bool libc_is_usual(const pthread_mutex_t *mutex, pid_t tid)
{
    return mutex->__data.__kind == libc_usual_kind && tid;
}

/* Locks a normal mutex that is free, as glibc does it, at half the price of calling its trylock: the lock
 * word, the owner and the count are in programs' initialised data, so they stay what they are. False: it does
 * not look like one. A program that has one thread pays for nothing atomic, as it does in glibc. */
LIBC_INLINE bool libc_take_mutex(pthread_mutex_t *mutex, pid_t tid)
{
    int nobody = 0;
    if (unlikely(!libc_is_usual(mutex, tid)))
        return false;
    if (__libc_single_threaded) {
        if (unlikely(mutex->__data.__lock))
            return false;
        mutex->__data.__lock = 1;
    } else if (!__atomic_compare_exchange_n(&mutex->__data.__lock, &nobody, 1, false, __ATOMIC_ACQUIRE,
                                            __ATOMIC_RELAXED)) {
        return false;
    }
    mutex->__data.__owner = tid;
    mutex->__data.__nusers++;
    return true;
}

/* One more go at a usual mutex that was found held, as glibc makes them before it falls asleep: it is marked as wanted,
 * and the kernel asked to wait. But that is asked so that it does not, whoever has the mutex. Returns whether the
 * caller has it now. */
bool libc_fight_for_mutex(pthread_mutex_t *mutex, pid_t tid) HIDDEN;

/* Unlocks a normal mutex, only where nobody can be waiting for it. False: nothing was done. */
LIBC_INLINE bool libc_give_mutex(pthread_mutex_t *mutex)
{
    if (!__libc_single_threaded ||
        unlikely(mutex->__data.__kind != libc_usual_kind || mutex->__data.__lock != 1))
        return false;
    mutex->__data.__owner = 0;
    mutex->__data.__nusers--;
    mutex->__data.__lock = 0;
    return true;
}

/* Whether a normal mutex is somebody's. Not known: no. Reads what others write: only a hint. */
LIBC_INLINE bool libc_seems_held(const pthread_mutex_t *mutex)
{
    return mutex->__data.__kind == libc_usual_kind &&
           __atomic_load_n(&mutex->__data.__lock, __ATOMIC_RELAXED);
}

/* Whether somebody may be waiting for a normal mutex, which the calling thread holds. Not known: no. */
LIBC_INLINE bool libc_is_wanted(const pthread_mutex_t *mutex)
{
    return mutex->__data.__lock > 1 && mutex->__data.__kind == libc_usual_kind;
}

/* The same of any mutex. Not known: yes. */
LIBC_INLINE bool libc_may_be_wanted(const pthread_mutex_t *mutex)
{
    return mutex->__data.__lock > 1 || mutex->__data.__kind != libc_usual_kind;
}

/* Whether the routine of a pthread_once_t, or of a once_flag, has been run. Not known: no. */
LIBC_INLINE bool libc_once_is_done(const int *control)
{
    return __atomic_load_n(control, __ATOMIC_ACQUIRE) & libc_done_bit;
}

#else

/* Of musl nothing is known, and hooks leave all to it. Its trylock keeps its word. */
LIBC_INLINE bool libc_may_try(const pthread_mutex_t *mutex)
{
    (void)mutex;
    return true;
}

LIBC_INLINE bool libc_is_usual(const pthread_mutex_t *mutex, pid_t tid)
{
    (void)mutex;
    (void)tid;
    return false;
}

LIBC_INLINE bool libc_take_mutex(pthread_mutex_t *mutex, pid_t tid)
{
    (void)mutex;
    (void)tid;
    return false;
}

LIBC_INLINE bool libc_fight_for_mutex(pthread_mutex_t *mutex, pid_t tid)
{
    (void)mutex;
    (void)tid;
    return false;
}

LIBC_INLINE bool libc_give_mutex(pthread_mutex_t *mutex)
{
    (void)mutex;
    return false;
}

LIBC_INLINE bool libc_seems_held(const pthread_mutex_t *mutex)
{
    (void)mutex;
    return false;
}

LIBC_INLINE bool libc_is_wanted(const pthread_mutex_t *mutex)
{
    (void)mutex;
    return false;
}

LIBC_INLINE bool libc_may_be_wanted(const pthread_mutex_t *mutex)
{
    (void)mutex;
    return true;
}

LIBC_INLINE bool libc_once_is_done(const int *control)
{
    (void)control;
    return false;
}

#endif
