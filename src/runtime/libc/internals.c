#include "runtime/libc/internals.h"

#ifdef __GLIBC__

#include "runtime/arch/system_call.h"
#include "runtime/real/list.h"

#include <gnu/libc-version.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

bool libc_knows_robust;
int libc_usual_kind = LIBC_NO_KIND;
int libc_done_bit;

/* Versions in which this is known to hold, 2.MINOR; tested is 2.36. */
enum { OLDEST_MINOR = 35, NEWEST_MINOR = 42 };

static bool is_wanted(void)
{
    const char *value = getenv("COZ_LIBC_INTERNALS");
    return !value || strcmp(value, "0") != 0;
}

static bool is_read_version(void)
{
    const char *version = gnu_get_libc_version();
    char *end;
    if (strncmp(version, "2.", 2) != 0)
        return false;
    long minor = strtol(version + 2, &end, 10);
    return minor >= OLDEST_MINOR && minor <= NEWEST_MINOR;
}

static bool mutex_looks(const pthread_mutex_t *mutex, int lock, int owner, unsigned users)
{
    return mutex->__data.__lock == lock && mutex->__data.__owner == owner && mutex->__data.__nusers == users;
}

static void learn_robust(void)
{
    pthread_mutexattr_t robust;
    pthread_mutex_t mutex, usual = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutexattr_init(&robust);
    pthread_mutexattr_setrobust(&robust, PTHREAD_MUTEX_ROBUST);
    bool is_made = pthread_mutex_init(&mutex, &robust) == 0;
    libc_knows_robust = is_made && mutex.__data.__kind & LIBC_ROBUST && !(usual.__data.__kind & LIBC_ROBUST);
    if (is_made)
        pthread_mutex_destroy(&mutex);
    pthread_mutexattr_destroy(&robust);
}

static void learn_mutex(void)
{
    pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    int kind = mutex.__data.__kind;
    bool is_known = REAL(pthread_mutex_lock)(&mutex) == 0 && mutex_looks(&mutex, 1, gettid(), 1);
    is_known = is_known && REAL(pthread_mutex_unlock)(&mutex) == 0 && mutex_looks(&mutex, 0, 0, 0);
    if (is_known && mutex.__data.__kind == kind)
        libc_usual_kind = kind;
}

static void do_nothing(void)
{
}

static void learn_once(void)
{
    static pthread_once_t control = PTHREAD_ONCE_INIT;
    static const pthread_once_t new = PTHREAD_ONCE_INIT;
    if (REAL(pthread_once)(&control, do_nothing) == 0 && control == LIBC_DONE && !(new &LIBC_DONE))
        libc_done_bit = LIBC_DONE;
}

void libc_learn(void)
{
    libc_knows_robust = false;
    libc_usual_kind = LIBC_NO_KIND;
    libc_done_bit = 0;
    if (!is_wanted())
        return;
    learn_robust();
    if (!is_read_version())
        return;
    learn_mutex();
    learn_once();
}

__attribute__((constructor)) static void begin_learning(void)
{
    libc_learn();
}

bool libc_fight_for_mutex(pthread_mutex_t *mutex, pid_t tid)
{
    enum { FREE, HELD, WANTED, NEVER }; /* of the lock's word */
    int *word = &mutex->__data.__lock;
    if (__atomic_load_n(word, __ATOMIC_RELAXED) != WANTED &&
        __atomic_exchange_n(word, WANTED, __ATOMIC_ACQUIRE) == FREE) {
        mutex->__data.__owner = tid;
        mutex->__data.__nusers++;
        return true;
    }
    kernel_call(SYS_futex, (long)word, FUTEX_WAIT_PRIVATE, NEVER, 0, 0, 0);
    return false;
}

#else

bool libc_knows_robust;
int libc_usual_kind = LIBC_NO_KIND;
int libc_done_bit;

void libc_learn(void)
{
}

#endif
