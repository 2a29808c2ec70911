#include "experiment/breakpoints/program_files.h"

#include "base/array.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static bool add_path(struct program_files *files, const char *path)
{
    char *copy = strdup(path);
    if (copy && files->count == files->room) {
        void *more = array_grown(files->paths, &files->room, sizeof *files->paths);
        if (!more) {
            free(copy);
            return false;
        }
        files->paths = more;
    }
    if (copy)
        files->paths[files->count++] = copy;
    return copy;
}

/* "\tlibc.so.6 => /lib/libc.so.6 (0x00007f...)", or "\t/lib64/ld-linux-x86-64.so.2 (0x...)". */
static bool read_line(struct program_files *files, char *line)
{
    char *arrow = strstr(line, "=> "), *path = arrow ? arrow + 3 : line + strspn(line, " \t");
    char *end = strstr(path, " (0x");
    if (*path != '/' || !end)
        return true;
    *end = '\0';
    return add_path(files, path);
}

/* What the program asks to be started by. False: by nobody. */
static bool find_linker(int fd, char path[PATH_MAX])
{
    Elf64_Ehdr header;
    Elf64_Phdr part;
    if (pread(fd, &header, sizeof header, 0) != sizeof header ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_phentsize != sizeof part)
        return false;
    for (int i = 0; i < header.e_phnum; i++) {
        off_t at = (off_t)header.e_phoff + (off_t)(i * (int)sizeof part);
        if (pread(fd, &part, sizeof part, at) != sizeof part || part.p_type != PT_INTERP)
            continue;
        ssize_t length = pread(fd, path, PATH_MAX - 1, (off_t)part.p_offset);
        path[length > 0 ? length : 0] = '\0';
        return path[0] == '/';
    }
    return false;
}

/* -1: it cannot be started. */
static pid_t start_linker(char *linker, const char *program, int output)
{
    char list[] = "--list", *arguments[] = {linker, list, (char *)program, NULL};
    posix_spawn_file_actions_t actions;
    pid_t pid = -1;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    if (posix_spawn(&pid, linker, &actions, NULL, arguments, environ))
        pid = -1;
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

static bool ask_linker(struct program_files *files, char *linker, const char *program)
{
    int ends[2];
    char *line = NULL;
    size_t room = 0;
    bool ok = true;
    if (pipe2(ends, O_CLOEXEC))
        return true;
    pid_t pid = start_linker(linker, program, ends[1]);
    close(ends[1]);
    FILE *answer = fdopen(ends[0], "re");
    while (pid > 0 && answer && ok && getline(&line, &room, answer) > 0)
        ok = read_line(files, line);
    free(line);
    if (answer)
        fclose(answer);
    else
        close(ends[0]);
    while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
        ;
    return ok;
}

int program_files_list(struct program_files *files, const char *program, struct coz_error *err)
{
    char linker[PATH_MAX];
    *files = (struct program_files){0};
    bool ok = add_path(files, program);
    int fd = open(program, O_RDONLY | O_CLOEXEC);
    if (ok && fd >= 0 && find_linker(fd, linker))
        ok = ask_linker(files, linker, program);
    if (fd >= 0)
        close(fd);
    return ok ? 0 : error_set(err, ENOMEM, "out of memory");
}

void program_files_release(struct program_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->paths[i]);
    free(files->paths);
    *files = (struct program_files){0};
}
