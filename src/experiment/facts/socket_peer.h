/* The other end of a connection, if it is on this machine. */
#pragma once

#include <sys/types.h>

/* The inode of the socket at the other end of the one with that inode, which process pid holds: of a TCP connection over
 * loopback, as the tables in /proc/PID/net have it, or of a UNIX one, as the kernel's socket diagnosis tells. 0: there is
 * none here, or it is not told. For the controller's thread. */
unsigned long socket_peer(pid_t pid, unsigned long inode);
