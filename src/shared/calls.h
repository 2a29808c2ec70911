/* The calls of libc that can be progress points (`coz run -p call:NAME`): hooked ones that a program makes to
 * get something done. Those of mutexes and spin locks are none: they are made so often that even asking
 * whether somebody counts them would cost too much.
 *
 * What a visit is: the call is over, and did what it is for. It failed with no error, it read a byte or more,
 * a wait was not ended by its timeout. Variants of a name that compilers choose (__read_chk, open64) count as
 * what the source says (read, open). */
#pragma once

/* CALL(name, worth): how likely it is that a call ends a unit of work, from 0 (it paces, or begins) to 3 (it
 * hands a result on), for when nobody says where the program makes progress. */
#define SEGMENT_CALLS(CALL)                                                                                  \
    CALL(pthread_cond_wait, 1)                                                                               \
    CALL(pthread_cond_timedwait, 1)                                                                          \
    CALL(pthread_cond_clockwait, 1)                                                                          \
    CALL(pthread_cond_signal, 2)                                                                             \
    CALL(pthread_cond_broadcast, 2)                                                                          \
    CALL(pthread_barrier_wait, 3)                                                                            \
    CALL(sem_wait, 1)                                                                                        \
    CALL(sem_timedwait, 1)                                                                                   \
    CALL(sem_clockwait, 1)                                                                                   \
    CALL(sem_post, 2)                                                                                        \
    CALL(cnd_wait, 1)                                                                                        \
    CALL(cnd_timedwait, 1)                                                                                   \
    CALL(cnd_signal, 2)                                                                                      \
    CALL(cnd_broadcast, 2)                                                                                   \
    CALL(nanosleep, 0)                                                                                       \
    CALL(clock_nanosleep, 0)                                                                                 \
    CALL(usleep, 0)                                                                                          \
    CALL(sleep, 0)                                                                                           \
    CALL(thrd_sleep, 0)                                                                                      \
    CALL(poll, 1)                                                                                            \
    CALL(ppoll, 1)                                                                                           \
    CALL(epoll_wait, 1)                                                                                      \
    CALL(epoll_pwait, 1)                                                                                     \
    CALL(epoll_pwait2, 1)                                                                                    \
    CALL(select, 1)                                                                                          \
    CALL(pselect, 1)                                                                                         \
    CALL(read, 2)                                                                                            \
    CALL(readv, 2)                                                                                           \
    CALL(write, 3)                                                                                           \
    CALL(writev, 3)                                                                                          \
    CALL(pread, 2)                                                                                           \
    CALL(splice, 3)                                                                                          \
    CALL(sendfile, 3)                                                                                        \
    CALL(eventfd_read, 1)                                                                                    \
    CALL(eventfd_write, 2)                                                                                   \
    CALL(close, 1)                                                                                           \
    CALL(shutdown, 2)                                                                                        \
    CALL(connect, 2)                                                                                         \
    CALL(accept, 2)                                                                                          \
    CALL(accept4, 2)                                                                                         \
    CALL(recv, 2)                                                                                            \
    CALL(recvfrom, 2)                                                                                        \
    CALL(recvmsg, 2)                                                                                         \
    CALL(recvmmsg, 2)                                                                                        \
    CALL(send, 3)                                                                                            \
    CALL(sendto, 3)                                                                                          \
    CALL(sendmsg, 3)                                                                                         \
    CALL(sendmmsg, 3)                                                                                        \
    CALL(pthread_create, 1)                                                                                  \
    CALL(pthread_join, 2)                                                                                    \
    CALL(thrd_create, 1)                                                                                     \
    CALL(thrd_join, 2)                                                                                       \
    CALL(fork, 1)                                                                                            \
    CALL(mq_send, 3)                                                                                         \
    CALL(mq_timedsend, 3)                                                                                    \
    CALL(mq_receive, 2)                                                                                      \
    CALL(mq_timedreceive, 2)                                                                                 \
    CALL(msgsnd, 3)                                                                                          \
    CALL(msgrcv, 2)                                                                                          \
    CALL(semop, 1)                                                                                           \
    CALL(semtimedop, 1)                                                                                      \
    CALL(flock, 1)                                                                                           \
    CALL(open, 1)                                                                                            \
    CALL(openat, 1)                                                                                          \
    CALL(fsync, 3)                                                                                           \
    CALL(fdatasync, 3)                                                                                       \
    CALL(msync, 3)                                                                                           \
    CALL(wait, 2)                                                                                            \
    CALL(waitpid, 2)                                                                                         \
    CALL(wait4, 2)                                                                                           \
    CALL(waitid, 2)                                                                                          \
    CALL(system, 2)                                                                                          \
    CALL(posix_spawn, 1)                                                                                     \
    CALL(posix_spawnp, 1)

#define SEGMENT_CALL_NUMBER(name, worth) CALL_##name,
enum segment_call { SEGMENT_CALLS(SEGMENT_CALL_NUMBER) SEGMENT_CALL_COUNT };
#undef SEGMENT_CALL_NUMBER

enum { SEGMENT_CALL_WORDS = (SEGMENT_CALL_COUNT + 63) / 64 };
