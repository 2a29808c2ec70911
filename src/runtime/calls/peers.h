/* Whose doing is it that a descriptor became ready: a thread of the tree's (a peer's), or the outside's?
 *
 * What the tree makes is written into the segment when it is made: pipes and socket pairs by their inode,
 * connections by the addresses of their ends; so it holds for every copy of the descriptor, in whatever
 * process. Who is on the other end is asked only when the answer matters: when a thread has waited, and more
 * delay has become due meanwhile.
 *
 * Any thread; all are async-signal-safe and keep errno. */
#pragma once

#include "runtime/calls/sync.h"

#include <sys/socket.h>

/* The tree has made the pipe, or this end of a pair of sockets. */
void peers_add_channel(int fd);

/* The tree has connected, or sent, to that address; or tries to. */
void peers_add_address(const struct sockaddr *address, socklen_t size);

/* The socket has been connected to the address, or is being; NULL: to the one that it names. */
void peers_add_connection(int fd, const struct sockaddr *to, socklen_t size);

/* Whether peers make the descriptor ready. A few system calls. */
bool peers_are_at(int fd);

/* Whether the process is one of the tree: alive, or ended and not waited for yet. */
bool peers_has_process(pid_t pid);

/* The process was waited for: what it did not give back itself is free, if it is really gone and not only
 * stopped, or looked at. */
void peers_reap_process(pid_t pid);

/* Whether a call that began at that time of CLOCK_MONOTONIC has waited: it took longer than calls do. */
bool peers_have_waited(uint64_t began_ns);
