/* The one list of functions that libcoz.so puts itself in front of. Pointers to the real ones, their look-up,
 * and the test of what the library exports are all made from it. */
#pragma once

#include "runtime/core/runtime.h"

#include <aio.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h> /* FILE */
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h> /* useconds_t */

/* HOOK(result, name, (parameters)) */
#define HOOKS(HOOK)                                                                                          \
    /* hooks/mutex.c */                                                                                      \
    HOOK(int, pthread_mutex_lock, (pthread_mutex_t *))                                                       \
    HOOK(int, pthread_mutex_trylock, (pthread_mutex_t *))                                                    \
    HOOK(int, pthread_mutex_timedlock, (pthread_mutex_t *, const struct timespec *))                         \
    HOOK(int, pthread_mutex_clocklock, (pthread_mutex_t *, clockid_t, const struct timespec *))              \
    HOOK(int, pthread_mutex_unlock, (pthread_mutex_t *))                                                     \
    /* hooks/cond.c */                                                                                       \
    HOOK(int, pthread_cond_wait, (pthread_cond_t *, pthread_mutex_t *))                                      \
    HOOK(int, pthread_cond_timedwait, (pthread_cond_t *, pthread_mutex_t *, const struct timespec *))        \
    HOOK(int, pthread_cond_clockwait,                                                                        \
         (pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *))                          \
    HOOK(int, pthread_cond_signal, (pthread_cond_t *))                                                       \
    HOOK(int, pthread_cond_broadcast, (pthread_cond_t *))                                                    \
    /* hooks/rwlock.c */                                                                                     \
    HOOK(int, pthread_rwlock_rdlock, (pthread_rwlock_t *))                                                   \
    HOOK(int, pthread_rwlock_tryrdlock, (pthread_rwlock_t *))                                                \
    HOOK(int, pthread_rwlock_timedrdlock, (pthread_rwlock_t *, const struct timespec *))                     \
    HOOK(int, pthread_rwlock_clockrdlock, (pthread_rwlock_t *, clockid_t, const struct timespec *))          \
    HOOK(int, pthread_rwlock_wrlock, (pthread_rwlock_t *))                                                   \
    HOOK(int, pthread_rwlock_trywrlock, (pthread_rwlock_t *))                                                \
    HOOK(int, pthread_rwlock_timedwrlock, (pthread_rwlock_t *, const struct timespec *))                     \
    HOOK(int, pthread_rwlock_clockwrlock, (pthread_rwlock_t *, clockid_t, const struct timespec *))          \
    HOOK(int, pthread_rwlock_unlock, (pthread_rwlock_t *))                                                   \
    /* hooks/barrier.c, hooks/sem.c */                                                                       \
    HOOK(int, pthread_barrier_wait, (pthread_barrier_t *))                                                   \
    HOOK(int, sem_wait, (sem_t *))                                                                           \
    HOOK(int, sem_trywait, (sem_t *))                                                                        \
    HOOK(int, sem_timedwait, (sem_t *, const struct timespec *))                                             \
    HOOK(int, sem_clockwait, (sem_t *, clockid_t, const struct timespec *))                                  \
    HOOK(int, sem_post, (sem_t *))                                                                           \
    /* hooks/c11.c */                                                                                        \
    HOOK(int, mtx_lock, (mtx_t *))                                                                           \
    HOOK(int, mtx_trylock, (mtx_t *))                                                                        \
    HOOK(int, mtx_timedlock, (mtx_t *, const struct timespec *))                                             \
    HOOK(int, mtx_unlock, (mtx_t *))                                                                         \
    HOOK(int, cnd_wait, (cnd_t *, mtx_t *))                                                                  \
    HOOK(int, cnd_timedwait, (cnd_t *, mtx_t *, const struct timespec *))                                    \
    HOOK(int, cnd_signal, (cnd_t *))                                                                         \
    HOOK(int, cnd_broadcast, (cnd_t *))                                                                      \
    /* hooks/once.c */                                                                                       \
    HOOK(int, pthread_once, (pthread_once_t *, void (*)(void)))                                              \
    HOOK(void, call_once, (once_flag *, void (*)(void)))                                                     \
    HOOK(int, pthread_spin_lock, (pthread_spinlock_t *))                                                     \
    HOOK(int, pthread_spin_trylock, (pthread_spinlock_t *))                                                  \
    HOOK(int, pthread_spin_unlock, (pthread_spinlock_t *))                                                   \
    /* hooks/time.c, hooks/poll.c */                                                                         \
    HOOK(int, nanosleep, (const struct timespec *, struct timespec *))                                       \
    HOOK(int, clock_nanosleep, (clockid_t, int, const struct timespec *, struct timespec *))                 \
    HOOK(int, usleep, (useconds_t))                                                                          \
    HOOK(unsigned, sleep, (unsigned))                                                                        \
    HOOK(int, thrd_sleep, (const struct timespec *, struct timespec *))                                      \
    HOOK(int, sched_yield, (void))                                                                           \
    HOOK(void, thrd_yield, (void))                                                                           \
    HOOK(int, clock_gettime, (clockid_t, struct timespec *))                                                 \
    HOOK(int, timespec_get, (struct timespec *, int))                                                        \
    HOOK(int, gettimeofday, (struct timeval *, void *))                                                      \
    HOOK(time_t, time, (time_t *))                                                                           \
    HOOK(int, poll, (struct pollfd *, nfds_t, int))                                                          \
    HOOK(int, ppoll, (struct pollfd *, nfds_t, const struct timespec *, const sigset_t *))                   \
    HOOK(int, epoll_wait, (int, struct epoll_event *, int, int))                                             \
    HOOK(int, epoll_pwait, (int, struct epoll_event *, int, int, const sigset_t *))                          \
    HOOK(int, __poll_chk, (struct pollfd *, nfds_t, int, size_t))                                            \
    HOOK(int, __ppoll_chk, (struct pollfd *, nfds_t, const struct timespec *, const sigset_t *, size_t))     \
    HOOK(int, epoll_pwait2, (int, struct epoll_event *, int, const struct timespec *, const sigset_t *))     \
    HOOK(int, epoll_ctl, (int, int, int, struct epoll_event *))                                              \
    HOOK(int, select, (int, fd_set *, fd_set *, fd_set *, struct timeval *))                                 \
    HOOK(int, pselect, (int, fd_set *, fd_set *, fd_set *, const struct timespec *, const sigset_t *))       \
    /* hooks/transfer.c */                                                                                   \
    HOOK(ssize_t, read, (int, void *, size_t))                                                               \
    HOOK(ssize_t, __read_chk, (int, void *, size_t, size_t))                                                 \
    HOOK(ssize_t, readv, (int, const struct iovec *, int))                                                   \
    HOOK(ssize_t, write, (int, const void *, size_t))                                                        \
    HOOK(ssize_t, writev, (int, const struct iovec *, int))                                                  \
    HOOK(ssize_t, pread, (int, void *, size_t, off_t))                                                       \
    HOOK(ssize_t, pread64, (int, void *, size_t, off64_t))                                                   \
    HOOK(ssize_t, getrandom, (void *, size_t, unsigned))                                                     \
    HOOK(ssize_t, splice, (int, off64_t *, int, off64_t *, size_t, unsigned))                                \
    HOOK(ssize_t, tee, (int, int, size_t, unsigned))                                                         \
    HOOK(ssize_t, vmsplice, (int, const struct iovec *, size_t, unsigned))                                   \
    HOOK(ssize_t, sendfile, (int, int, off_t *, size_t))                                                     \
    HOOK(ssize_t, sendfile64, (int, int, off64_t *, size_t))                                                 \
    HOOK(ssize_t, copy_file_range, (int, off64_t *, int, off64_t *, size_t, unsigned))                       \
    HOOK(int, eventfd_read, (int, eventfd_t *))                                                              \
    HOOK(int, eventfd_write, (int, eventfd_t))                                                               \
    /* hooks/descriptor.c */                                                                                 \
    HOOK(int, close, (int))                                                                                  \
    HOOK(int, close_range, (unsigned, unsigned, int))                                                        \
    HOOK(void, closefrom, (int))                                                                             \
    HOOK(int, shutdown, (int, int))                                                                          \
    HOOK(int, dup2, (int, int))                                                                              \
    HOOK(int, dup3, (int, int, int))                                                                         \
    /* hooks/socket.c */                                                                                     \
    HOOK(int, pipe, (int *))                                                                                 \
    HOOK(int, pipe2, (int *, int))                                                                           \
    HOOK(int, socketpair, (int, int, int, int *))                                                            \
    HOOK(int, connect, (int, const struct sockaddr *, socklen_t))                                            \
    HOOK(int, accept, (int, struct sockaddr *, socklen_t *))                                                 \
    HOOK(int, accept4, (int, struct sockaddr *, socklen_t *, int))                                           \
    HOOK(ssize_t, recv, (int, void *, size_t, int))                                                          \
    HOOK(ssize_t, __recv_chk, (int, void *, size_t, size_t, int))                                            \
    HOOK(ssize_t, recvfrom, (int, void *, size_t, int, struct sockaddr *, socklen_t *))                      \
    HOOK(ssize_t, __recvfrom_chk, (int, void *, size_t, size_t, int, struct sockaddr *, socklen_t *))        \
    HOOK(ssize_t, recvmsg, (int, struct msghdr *, int))                                                      \
    HOOK(int, recvmmsg, (int, struct mmsghdr *, unsigned, int, struct timespec *))                           \
    HOOK(ssize_t, send, (int, const void *, size_t, int))                                                    \
    HOOK(ssize_t, sendto, (int, const void *, size_t, int, const struct sockaddr *, socklen_t))              \
    HOOK(ssize_t, sendmsg, (int, const struct msghdr *, int))                                                \
    HOOK(int, sendmmsg, (int, struct mmsghdr *, unsigned, int))                                              \
    /* hooks/thread.c */                                                                                     \
    HOOK(int, pthread_create, (pthread_t *, const pthread_attr_t *, void *(*)(void *), void *))              \
    HOOK(int, pthread_join, (pthread_t, void **))                                                            \
    HOOK(int, pthread_tryjoin_np, (pthread_t, void **))                                                      \
    HOOK(int, pthread_timedjoin_np, (pthread_t, void **, const struct timespec *))                           \
    HOOK(int, pthread_clockjoin_np, (pthread_t, void **, clockid_t, const struct timespec *))                \
    HOOK(void, pthread_exit, (void *))                                                                       \
    HOOK(int, pthread_cancel, (pthread_t))                                                                   \
    HOOK(int, pthread_setname_np, (pthread_t, const char *))                                                 \
    HOOK(int, thrd_create, (thrd_t *, thrd_start_t, void *))                                                 \
    HOOK(int, thrd_join, (thrd_t, int *))                                                                    \
    HOOK(void, thrd_exit, (int))                                                                             \
    HOOK(pid_t, fork, (void))                                                                                \
    /* hooks/syscall.c */                                                                                    \
    HOOK(long, syscall, (long, long, long, long, long, long, long))                                          \
    /* hooks/ipc.c */                                                                                        \
    HOOK(int, mq_send, (mqd_t, const char *, size_t, unsigned))                                              \
    HOOK(int, mq_timedsend, (mqd_t, const char *, size_t, unsigned, const struct timespec *))                \
    HOOK(ssize_t, mq_receive, (mqd_t, char *, size_t, unsigned *))                                           \
    HOOK(ssize_t, mq_timedreceive, (mqd_t, char *, size_t, unsigned *, const struct timespec *))             \
    HOOK(int, msgsnd, (int, const void *, size_t, int))                                                      \
    HOOK(ssize_t, msgrcv, (int, void *, size_t, long, int))                                                  \
    HOOK(int, semop, (int, struct sembuf *, size_t))                                                         \
    HOOK(int, semtimedop, (int, struct sembuf *, size_t, const struct timespec *))                           \
    HOOK(int, flock, (int, int))                                                                             \
    HOOK(int, lockf, (int, int, off_t))                                                                      \
    HOOK(int, fcntl, (int, int, long))                                                                       \
    HOOK(int, fcntl64, (int, int, long))                                                                     \
    HOOK(int, open, (const char *, int, unsigned))                                                           \
    HOOK(int, open64, (const char *, int, unsigned))                                                         \
    HOOK(int, openat, (int, const char *, int, unsigned))                                                    \
    HOOK(int, openat64, (int, const char *, int, unsigned))                                                  \
    HOOK(int, lockf64, (int, int, off64_t))                                                                  \
    HOOK(FILE *, popen, (const char *, const char *))                                                        \
    HOOK(int, pclose, (FILE *))                                                                              \
    /* hooks/storage.c */                                                                                    \
    HOOK(int, fsync, (int))                                                                                  \
    HOOK(int, fdatasync, (int))                                                                              \
    HOOK(int, syncfs, (int))                                                                                 \
    HOOK(void, sync, (void))                                                                                 \
    HOOK(int, msync, (void *, size_t, int))                                                                  \
    HOOK(int, sync_file_range, (int, off64_t, off64_t, unsigned))                                            \
    HOOK(int, aio_suspend, (const struct aiocb *const[], int, const struct timespec *))                      \
    HOOK(int, aio_suspend64, (const struct aiocb64 *const[], int, const struct timespec *))                  \
    /* hooks/seccomp.c */                                                                                    \
    HOOK(int, prctl, (int, unsigned long, unsigned long, unsigned long, unsigned long))                      \
    /* hooks/process.c */                                                                                    \
    HOOK(void, _exit, (int))                                                                                 \
    HOOK(void, _Exit, (int))                                                                                 \
    HOOK(void, quick_exit, (int))                                                                            \
    HOOK(pid_t, wait, (int *))                                                                               \
    HOOK(pid_t, waitpid, (pid_t, int *, int))                                                                \
    HOOK(pid_t, wait3, (int *, int, struct rusage *))                                                        \
    HOOK(pid_t, wait4, (pid_t, int *, int, struct rusage *))                                                 \
    HOOK(int, waitid, (idtype_t, id_t, siginfo_t *, int))                                                    \
    HOOK(int, system, (const char *))                                                                        \
    HOOK(int, posix_spawn,                                                                                   \
         (pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,              \
          char *const[], char *const[]))                                                                     \
    HOOK(int, posix_spawnp,                                                                                  \
         (pid_t *, const char *, const posix_spawn_file_actions_t *, const posix_spawnattr_t *,              \
          char *const[], char *const[]))                                                                     \
    HOOK(int, clone, (int (*)(void *), void *, int, void *, ...))                                            \
    /* hooks/exec.c */                                                                                       \
    HOOK(int, execve, (const char *, char *const[], char *const[]))                                          \
    HOOK(int, execv, (const char *, char *const[]))                                                          \
    HOOK(int, execvp, (const char *, char *const[]))                                                         \
    HOOK(int, execvpe, (const char *, char *const[], char *const[]))                                         \
    HOOK(int, fexecve, (int, char *const[], char *const[]))                                                  \
    HOOK(int, execl, (const char *, const char *, ...))                                                      \
    HOOK(int, execlp, (const char *, const char *, ...))                                                     \
    HOOK(int, execle, (const char *, const char *, ...))                                                     \
    /* hooks/unload.c */                                                                                     \
    HOOK(int, dlclose, (void *))                                                                             \
    /* hooks/handler.c */                                                                                    \
    HOOK(int, sigaction, (int, const struct sigaction *, struct sigaction *))                                \
    HOOK(sighandler_t, signal, (int, sighandler_t))                                                          \
    HOOK(sighandler_t, ssignal, (int, sighandler_t))                                                         \
    HOOK(sighandler_t, bsd_signal, (int, sighandler_t))                                                      \
    HOOK(sighandler_t, sysv_signal, (int, sighandler_t))                                                     \
    HOOK(sighandler_t, __sysv_signal, (int, sighandler_t))                                                   \
    HOOK(sighandler_t, sigset, (int, sighandler_t))                                                          \
    /* hooks/signal.c */                                                                                     \
    HOOK(int, sigprocmask, (int, const sigset_t *, sigset_t *))                                              \
    HOOK(int, pthread_sigmask, (int, const sigset_t *, sigset_t *))                                          \
    HOOK(int, signalfd, (int, const sigset_t *, int))                                                        \
    HOOK(int, kill, (pid_t, int))                                                                            \
    HOOK(int, killpg, (pid_t, int))                                                                          \
    HOOK(int, tgkill, (pid_t, pid_t, int))                                                                   \
    HOOK(int, pthread_kill, (pthread_t, int))                                                                \
    HOOK(int, sigqueue, (pid_t, int, union sigval))                                                          \
    HOOK(int, pthread_sigqueue, (pthread_t, int, union sigval))                                              \
    HOOK(int, sigwait, (const sigset_t *, int *))                                                            \
    HOOK(int, sigwaitinfo, (const sigset_t *, siginfo_t *))                                                  \
    HOOK(int, sigtimedwait, (const sigset_t *, siginfo_t *, const struct timespec *))                        \
    HOOK(int, sigsuspend, (const sigset_t *))                                                                \
    HOOK(int, pause, (void))                                                                                 \
    HOOK(int, sigpause, (int))                                                                               \
    HOOK(int, __xpg_sigpause, (int))                                                                         \
    HOOK(int, __sigpause, (int, int))

#define HOOK_POINTER(result, name, parameters) extern HIDDEN result(*real_##name) parameters;
HOOKS(HOOK_POINTER)
#undef HOOK_POINTER

/* The real function; looked up now when somebody calls before our constructor ran. */
#define REAL(name) (likely(real_##name != NULL) ? real_##name : (hooks_resolve(), real_##name))

#define EXPORT __attribute__((visibility("default")))

/* Helpers of hooks that speak to the ledger: part of the hook, whose caller is looked at. */
#define HOOK_INLINE static inline __attribute__((always_inline))

/* False when the real function refuses the deadline, even for what is free: then it must not be tried first.
 */
static inline bool deadline_is_valid(clockid_t clock, const struct timespec *until)
{
    return (clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC) && until->tv_nsec >= 0 &&
           until->tv_nsec < 1000000000;
}

/* Looks all real functions up. One that this libc does not have fails from there on, as with ENOSYS. Any
 * thread, any number of times. */
void hooks_resolve(void);
