/* Pipes and sockets by which the processes of the profiled tree talk to each other. */
#pragma once

#include "shared/layout.h"

#include <stdbool.h>
#include <sys/types.h>

enum { DESCRIPTOR_NAME_SIZE = 64 };

/* What the descriptor of a process is, as /proc/PID/fd has it: "pipe:[NUMBER]" at both ends of a pipe, "socket:[NUMBER]"
 * with another number at each end of a connection, "" when it cannot be read. */
void descriptor_name(pid_t pid, unsigned long fd, char name[DESCRIPTOR_NAME_SIZE]);

/* Whether what has that name in process pid is an end whose other one the tree holds, and can write into: who reads it
 * waits for the tree itself. For the controller's thread; it looks at no more than 256 descriptors of each process. */
bool end_is_own(const struct segment *segment, pid_t pid, const char *name);
