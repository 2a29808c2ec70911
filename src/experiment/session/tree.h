/* The processes of the profiled tree as the kernel has them. What the segment says of one may be out of date: a
 * process that was killed leaves its slots behind, and its number may be a stranger's by now. One of the tree is
 * known by the segment that it maps.
 *
 * For the controller's own thread. Processes in PID namespaces within the tree have numbers that mean nothing
 * here, and are left alone. */
#pragma once

#include "shared/create.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct tree {
    struct segment *segment;
    uint64_t inode; /* of the segment's file */
    uint64_t reaped_ns;
    uint32_t next, next_look; /* slots to look at next: whether their threads live, and map the segment */
};

/* The owner must outlive it. */
void tree_init(struct tree *tree, const struct segment_owner *owner);

/* Whether the process maps the segment, as far as we may know: not when we may not look, nor when it has ended,
 * waited for or not. */
bool tree_holds(const struct tree *tree, pid_t pid);

/* Signals the first thread's process of every slot but `except`: each only if it is of the tree, and in such a
 * way that no other process gets the signal, if it ends meanwhile. (Where the kernel has no pidfd_open(), 5.3
 * and older, a stranger would get it that has taken the number within microseconds.) */
void tree_signal(const struct tree *tree, pid_t except, int number);

/* Whether a process of the tree runs; and one that lives by itself, as a daemon, in a session that is not
 * ours: its number, or 0. */
bool tree_runs(const struct tree *tree);
pid_t tree_daemon(const struct tree *tree);

/* Frees slots whose threads are gone without having given them back: killed, or executed away. A few at a time;
 * call it as often as you like. */
void tree_reap(struct tree *tree, uint64_t now_ns);

/* The same for all slots at once. Returns how many are left. */
uint32_t tree_reap_all(struct tree *tree);
