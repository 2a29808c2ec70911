#include "experiment/session/tree.h"

#include "shared/thread_slots.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Slots are looked at so many at a time and so often: of 65,536, all within three seconds. */
enum { REAP_SLOTS = 2560, REAP_MOST = 64 };
static const uint64_t reap_every_ns = 100000000;

void tree_init(struct tree *tree, const struct segment_owner *owner)
{
    struct stat file;
    *tree = (struct tree){.segment = owner->segment};
    if (fstat(owner->fd, &file) == 0)
        tree->inode = file.st_ino;
}

/* ---- one process ---- */

enum membership { TREE_MEMBER, TREE_STRANGER, TREE_UNKNOWN };

static bool line_names_segment(const char *line, uint64_t inode)
{
    unsigned long long number;
    return strstr(line, "/memfd:") && sscanf(line, "%*s %*s %*s %*s %llu", &number) == 1 && number == inode;
}

/* A zombie maps nothing, and neither does who is not there. */
static enum membership membership_look(const struct tree *tree, pid_t pid)
{
    char path[32], *line = NULL;
    size_t room = 0;
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return errno == ENOENT || errno == ESRCH ? TREE_STRANGER : TREE_UNKNOWN;
    while (!found && getline(&line, &room, file) > 0)
        found = line_names_segment(line, tree->inode);
    free(line);
    fclose(file);
    return found ? TREE_MEMBER : TREE_STRANGER;
}

bool tree_holds(const struct tree *tree, pid_t pid)
{
    return membership_look(tree, pid) == TREE_MEMBER;
}

/* What pidfd_open() refers to is what is looked at, or has ended: then the signal reaches nobody. */
static void process_signal(const struct tree *tree, pid_t pid, int number)
{
    int fd = (int)syscall(SYS_pidfd_open, pid, 0);
    if (fd < 0 && errno == ESRCH)
        return;
    bool is_member = tree_holds(tree, pid);
    if (fd >= 0) {
        if (is_member)
            syscall(SYS_pidfd_send_signal, fd, number, NULL, 0);
        close(fd);
    } else if (is_member) {
        kill(pid, number);
    }
}

/* ---- all of them ---- */

/* The process whose first thread has the slot; 0: it is another thread's, free, or has no number here. */
static pid_t slot_process(const struct segment_thread *slot)
{
    uint64_t owner = thread_slot_owner(slot);
    uint32_t pid = thread_slot_pid(owner);
    return thread_slot_tag(owner) == 0 && pid == thread_slot_tid(owner) ? (pid_t)pid : 0;
}

void tree_signal(const struct tree *tree, pid_t except, int number)
{
    uint32_t used = thread_slots_end(tree->segment);
    for (uint32_t i = 0; i < used; i++) {
        pid_t pid = slot_process(&tree->segment->thread_slots[i]);
        if (pid && pid != except)
            process_signal(tree, pid, number);
    }
}

static pid_t process_find(const struct tree *tree, bool in_our_session)
{
    uint32_t used = thread_slots_end(tree->segment);
    for (uint32_t i = 0; i < used; i++) {
        pid_t pid = slot_process(&tree->segment->thread_slots[i]);
        if (pid && (in_our_session || getsid(pid) != getsid(0)) && tree_holds(tree, pid))
            return pid;
    }
    return 0;
}

bool tree_runs(const struct tree *tree)
{
    return process_find(tree, true) != 0;
}

pid_t tree_daemon(const struct tree *tree)
{
    return process_find(tree, false);
}

/* ---- what was left behind ---- */

/* Whoever has the numbers now has had them since after the slot was read, if the kernel knows nobody now. */
static void slot_reap(const struct tree *tree, struct segment_thread *slot)
{
    uint64_t owner = thread_slot_owner(slot);
    if (thread_slot_is_taken(owner) && thread_slot_tag(owner) == 0 &&
        syscall(SYS_tgkill, thread_slot_pid(owner), thread_slot_tid(owner), 0) && errno == ESRCH)
        thread_slot_release(tree->segment, slot, owner);
}

/* The slots of a process that has its number, but does not map the segment: it executed something that is not
 * profiled, or is a stranger. */
static void process_reap(const struct tree *tree, uint32_t pid)
{
    struct segment_thread *slots[REAP_MOST];
    uint64_t owners[REAP_MOST];
    uint32_t count = 0, index = 0;
    while (count < REAP_MOST &&
           (slots[count] = thread_slots_next_of(tree->segment, pid, &index, &owners[count])))
        count++;
    if (membership_look(tree, (pid_t)pid) != TREE_STRANGER)
        return;
    while (count-- > 0)
        thread_slot_release(tree->segment, slots[count], owners[count]);
}

static void slot_look(const struct tree *tree, uint32_t index)
{
    uint64_t owner = thread_slot_owner(&tree->segment->thread_slots[index]);
    if (thread_slot_is_taken(owner) && thread_slot_tag(owner) == 0)
        process_reap(tree, thread_slot_pid(owner));
}

void tree_reap(struct tree *tree, uint64_t now_ns)
{
    uint32_t used = thread_slots_end(tree->segment);
    if (now_ns < tree->reaped_ns + reap_every_ns || used == 0)
        return;
    tree->reaped_ns = now_ns;
    for (uint32_t i = 0; i < REAP_SLOTS && i < used; i++) {
        tree->next = tree->next < used ? tree->next : 0;
        slot_reap(tree, &tree->segment->thread_slots[tree->next++]);
    }
    /* Reading what a process maps is dear. */
    tree->next_look = tree->next_look < used ? tree->next_look : 0;
    slot_look(tree, tree->next_look++);
}

uint32_t tree_reap_all(struct tree *tree)
{
    uint32_t used = thread_slots_end(tree->segment);
    for (uint32_t i = 0; i < used; i++)
        slot_reap(tree, &tree->segment->thread_slots[i]);
    for (uint32_t i = 0; i < used; i++)
        slot_look(tree, i);
    return thread_slots_count(tree->segment);
}
