/* Where the headers of glibc and of musl declare the same function in other words. */
#pragma once

#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#ifdef __GLIBC__
/* A union of pointers to all kinds of addresses. */
#define ADDRESS_ARGUMENT __SOCKADDR_ARG
#define CONST_ADDRESS_ARGUMENT __CONST_SOCKADDR_ARG
#define ADDRESS_IN(argument) ((argument).__sockaddr__)
typedef int messages_flags;               /* of recvmmsg() and sendmmsg() */
#define ONCE_WORD(flag) (&(flag)->__data) /* of a once_flag */
#define HAS_64_BIT_NAMES 1                /* pread64() is a function of its own */
#else
#define ADDRESS_ARGUMENT struct sockaddr *restrict
#define CONST_ADDRESS_ARGUMENT const struct sockaddr *
#define ADDRESS_IN(argument) (argument)
typedef unsigned messages_flags;
#define ONCE_WORD(flag) (flag)
int close_range(unsigned first, unsigned last, int flags);
#define HAS_64_BIT_NAMES 0
#endif

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* Newer than some headers; the number is the same on all machines. */
#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif
