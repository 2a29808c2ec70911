/* PID namespaces: a container within the tree, or unshare(1), gives its processes numbers of their own. */
#pragma once

#include "shared/layout.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* Finds out where this process is. At its start, and after a fork. */
void namespace_join(const struct segment *segment);

/* Whether numbers of processes mean here what they mean to the controller: not in a container within the
 * tree, nor where that cannot be told. */
bool namespace_is_home(void);

/* The number of one of this process's threads, or of a process of its namespace, as the segment has it. */
uint32_t namespace_number(pid_t pid);

/* The calling thread as the owner of what it writes (shared/questions.h). Any thread, handlers too. */
uint64_t namespace_own_word(void);

/* Whether that owner is gone for certain: of one in another namespace that cannot be said. Any thread,
 * handlers too; errno is not touched. */
bool namespace_has_ended(uint64_t owner);
