#include "experiment/facts/own_ends.h"

#include "experiment/facts/members.h"
#include "experiment/facts/socket_peer.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DESCRIPTORS = 256 };

void descriptor_name(pid_t pid, unsigned long fd, char name[DESCRIPTOR_NAME_SIZE])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%lu", (int)pid, fd);
    ssize_t length = readlink(path, name, DESCRIPTOR_NAME_SIZE - 1);
    name[length > 0 ? length : 0] = '\0';
}

static bool is_written(pid_t pid, unsigned long fd)
{
    char path[64];
    unsigned flags = O_RDONLY;
    snprintf(path, sizeof path, "/proc/%d/fdinfo/%lu", (int)pid, fd);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    for (char line[128]; fgets(line, sizeof line, file);)
        if (sscanf(line, "flags: %o", &flags) == 1)
            break;
    fclose(file);
    return (flags & O_ACCMODE) != O_RDONLY;
}

static bool may_write(pid_t pid, const char *end)
{
    char path[64], name[DESCRIPTOR_NAME_SIZE];
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *folder = opendir(path);
    bool may = false;
    int seen = 0;
    for (struct dirent *entry; folder && !may && seen < DESCRIPTORS && (entry = readdir(folder)); seen++) {
        unsigned long fd = strtoul(entry->d_name, NULL, 10);
        descriptor_name(pid, fd, name);
        may = strcmp(name, end) == 0 && is_written(pid, fd);
    }
    if (folder)
        closedir(folder);
    return may;
}

/* What is written into for it to be read from what has that name: "" when that is not here. */
static void name_other_end(pid_t pid, const char *name, char other[DESCRIPTOR_NAME_SIZE])
{
    unsigned long inode, peer = 0;
    other[0] = '\0';
    if (strncmp(name, "pipe:", strlen("pipe:")) == 0)
        snprintf(other, DESCRIPTOR_NAME_SIZE, "%s", name);
    else if (sscanf(name, "socket:[%lu]", &inode) == 1 && (peer = socket_peer(pid, inode)))
        snprintf(other, DESCRIPTOR_NAME_SIZE, "socket:[%lu]", peer);
}

bool end_is_own(const struct segment *segment, pid_t pid, const char *name)
{
    pid_t pids[MEMBERS];
    char other[DESCRIPTOR_NAME_SIZE];
    name_other_end(pid, name, other);
    if (!other[0])
        return false;
    int count = members_list(segment, pids);
    for (int i = 0; i < count; i++)
        if (may_write(pids[i], other))
            return true;
    return false;
}
