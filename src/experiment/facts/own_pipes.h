/* Pipes by which the processes of the profiled tree talk to each other. */
#pragma once

#include "shared/layout.h"

#include <stdbool.h>
#include <sys/types.h>

/* Whether the descriptor of the process is a pipe that one of the tree's processes can write into: who reads it waits
 * for the tree itself. For the controller's thread; it looks at no more than 256 descriptors of each process. */
bool pipe_is_own(const struct segment *segment, pid_t pid, unsigned long fd);
