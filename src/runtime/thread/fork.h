/* A process becomes two. */
#pragma once

#include <sys/types.h>

/* Before a fork, and after it, in both: the child joins the segment as a process of its own. When the parent
 * ends meanwhile, the controller knows that there is one to come. */
void fork_before(void);
void fork_after(pid_t pid);
