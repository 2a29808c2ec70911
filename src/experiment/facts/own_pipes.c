#include "experiment/facts/own_pipes.h"

#include "experiment/facts/members.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DESCRIPTORS = 256, NAME_SIZE = 64 };

/* As in /proc/PID/fd: of a pipe "pipe:[NUMBER]", at both ends. */
static void name_of(pid_t pid, unsigned long fd, char name[NAME_SIZE])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%lu", (int)pid, fd);
    ssize_t length = readlink(path, name, NAME_SIZE - 1);
    name[length > 0 ? length : 0] = '\0';
}

static bool is_written(pid_t pid, unsigned long fd)
{
    char path[64];
    int flags = O_RDONLY;
    snprintf(path, sizeof path, "/proc/%d/fdinfo/%lu", (int)pid, fd);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    for (char line[128]; fgets(line, sizeof line, file);)
        if (sscanf(line, "flags: %o", (unsigned *)&flags) == 1)
            break;
    fclose(file);
    return (flags & O_ACCMODE) != O_RDONLY;
}

static bool may_write(pid_t pid, const char *pipe)
{
    char path[64], name[NAME_SIZE];
    snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
    DIR *folder = opendir(path);
    bool may = false;
    int seen = 0;
    for (struct dirent *entry; folder && !may && seen < DESCRIPTORS && (entry = readdir(folder)); seen++) {
        unsigned long fd = strtoul(entry->d_name, NULL, 10);
        name_of(pid, fd, name);
        may = strcmp(name, pipe) == 0 && is_written(pid, fd);
    }
    if (folder)
        closedir(folder);
    return may;
}

bool pipe_is_own(const struct segment *segment, pid_t pid, unsigned long fd)
{
    char pipe[NAME_SIZE];
    pid_t pids[MEMBERS];
    name_of(pid, fd, pipe);
    if (strncmp(pipe, "pipe:", strlen("pipe:")) != 0)
        return false;
    int count = members_list(segment, pids);
    for (int i = 0; i < count; i++)
        if (may_write(pids[i], pipe))
            return true;
    return false;
}
