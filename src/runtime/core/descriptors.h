/* The descriptors that the runtime keeps open inside the program: out of the way of its own, and not closed
 * by it together with "all". Each belongs to a thread, by its tid. A program may still take one's number over
 * (dup2); so who uses one asks first whether it is still his.
 *
 * Any thread, handlers too; errno is not touched. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

/* In the place of a tid: a forked child keeps it as well. */
enum { DESCRIPTORS_OF_FAMILY = -1 };

/* Makes the process's table of descriptors as large as will be needed. To be called while there is one thread: where
 * there are several, the kernel stops the one that needs a larger table for milliseconds (synchronize_rcu()). */
void descriptors_make_room(void);

/* Moves the descriptor to a high number that stays tid's. Returns that, or, having closed it, a negative
 * errno: -EMFILE when the upper half of what the system grants is in use; the lower is left to the program.
 */
int descriptors_keep(int fd, pid_t tid);

bool descriptors_is_of(int fd, pid_t tid);

/* Closes it, if it is still tid's. */
void descriptors_drop(int fd, pid_t tid);

/* In a forked child: closes what the parent's threads kept, not what is the family's. */
void descriptors_after_fork(void);

/* For the hooks: whether any thread keeps it; the lowest kept one from `from` on, or -1. */
bool descriptors_is_kept(int fd);
int descriptors_next(int from);

/* The program is about to take the number over. Returns the tid it was kept for, 0 when it was not kept. To
 * be given back when the program failed to. */
pid_t descriptors_give(int fd);
void descriptors_give_back(int fd, pid_t tid);
