#include "runtime/core/reach.h"

#include "runtime/core/departure.h"
#include "runtime/core/kernel.h"
#include "runtime/core/message.h"
#include "runtime/core/runtime.h"
#include "shared/questions.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h> /* snprintf */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { LONGEST_PATH = 512, HEADERS = 32 };

static bool read_at(int fd, void *bytes, size_t size, uint64_t offset)
{
    return kernel_call(SYS_pread64, fd, (long)bytes, (long)size, (long)offset, 0, 0) == (long)size;
}

#ifdef __GLIBC__
static const bool are_of_musl = false;
#else
static const bool are_of_musl = true;
#endif

enum linked { LINKED, STATIC, FOREIGN };

static bool begins_with(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Whether another libc's dynamic linker is named there. */
static bool is_foreign_linker(int fd, const Elf64_Phdr *named)
{
    char path[64] = "";
    size_t size = named->p_filesz < sizeof path ? named->p_filesz : sizeof path;
    if (size == 0 || !read_at(fd, path, size, named->p_offset))
        return false;
    path[size - 1] = '\0';
    const char *name = path;
    for (const char *slash; (slash = strchr(name, '/'));)
        name = slash + 1;
    return begins_with(name, "ld-musl-") != are_of_musl;
}

/* A file that is no ELF file may be a script, whose interpreter is dynamic in all likelihood. */
static enum linked find_linked(int fd)
{
    Elf64_Ehdr header;
    Elf64_Phdr segment;
    if (!read_at(fd, &header, sizeof header, 0) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof segment)
        return LINKED;
    for (unsigned i = 0; i < header.e_phnum && i < HEADERS; i++) {
        if (!read_at(fd, &segment, sizeof segment, header.e_phoff + i * sizeof segment))
            return LINKED;
        if (segment.p_type == PT_INTERP)
            return is_foreign_linker(fd, &segment) ? FOREIGN : LINKED;
    }
    return STATIC;
}

/* The linker is in secure mode when the program gets rights that who executes it has not. */
static bool is_setuid(const struct stat *status)
{
    bool user = status->st_mode & S_ISUID && status->st_uid != getuid();
    bool group = (status->st_mode & (S_ISGID | S_IXGRP)) == (S_ISGID | S_IXGRP) && status->st_gid != getgid();
    return user || group;
}

static void say_why(const char *path, const char *why)
{
    char words[SEGMENT_MESSAGE];
    if (runtime_segment->follow != FOLLOW_ALL || atomic_load(&departure_left) ||
        message_left(runtime_segment))
        return;
    snprintf(words, sizeof words, "the program executed %s, which is %s: that is left alone, not profiled",
             path, why);
    message_say(words);
}

/* False when there is no such program. */
static bool check_program(const char *path, bool *is_foreign)
{
    struct stat status;
    int fd = (int)kernel_call(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
    if (fd < 0)
        return false;
    bool is_program = kernel_call(SYS_fstat, fd, (long)&status, 0, 0, 0, 0) == 0 && S_ISREG(status.st_mode) &&
                      status.st_mode & (S_IXUSR | S_IXGRP | S_IXOTH);
    enum linked linked = is_program ? find_linked(fd) : LINKED;
    kernel_call(SYS_close, fd, 0, 0, 0, 0, 0);
    *is_foreign = linked == FOREIGN;
    if (is_program && is_setuid(&status))
        say_why(path, "setuid");
    else if (linked == STATIC)
        say_why(path, "static");
    else if (linked == FOREIGN)
        say_why(path, are_of_musl ? "made for glibc" : "made for musl");
    return is_program;
}

bool reach_check(const char *file, int search)
{
    bool is_foreign = false;
    if (!runtime_segment || !file)
        return false;
    if (!search || strchr(file, '/')) {
        check_program(file, &is_foreign);
        return is_foreign;
    }
    for (const char *directory = getenv("PATH"); directory && *directory;) {
        char path[LONGEST_PATH];
        int length = (int)strcspn(directory, ":");
        if (snprintf(path, sizeof path, "%.*s/%s", length, directory, file) < LONGEST_PATH &&
            check_program(path, &is_foreign))
            return is_foreign;
        directory += length + (directory[length] == ':');
    }
    return false;
}

/* ---- whether it could attach */

/* Another failure than these is one of who may: then it stays so. */
static bool may_pass(long failure)
{
    return failure == -ENOENT || failure == -EMFILE || failure == -ENFILE || failure == -EINTR;
}

bool reach_is_lost(void)
{
    const char *path = getenv(SEGMENT_VARIABLE);
    if (!runtime_segment || !path || !*path || atomic_load(&departure_left))
        return false;
    long fd = kernel_call(SYS_openat, AT_FDCWD, (long)path, O_RDWR | O_CLOEXEC, 0, 0, 0);
    if (fd >= 0)
        kernel_call(SYS_close, fd, 0, 0, 0, 0, 0);
    if (fd >= 0 || may_pass(fd))
        return false;
    if (runtime_segment->follow == FOLLOW_ALL)
        message_say(
            "a process of the tree may not open the profiler's memory any more (it has become another "
            "user, or is in a container): what it executes runs on without being profiled");
    return true;
}

size_t reach_count(char *const from[])
{
    size_t count = 1; /* the NULL at the end */
    while (from && from[count - 1])
        count++;
    return count;
}

void reach_copy(char *to[], char *const from[], bool is_foreign)
{
    for (; from && *from; from++)
        if (!begins_with(*from, SEGMENT_VARIABLE "=") && !(is_foreign && begins_with(*from, "LD_PRELOAD=")))
            *to++ = *from;
    *to = NULL;
}

/* The string lies in the environment. */
void reach_forget(void)
{
    char *path = getenv(SEGMENT_VARIABLE);
    if (path)
        *path = 0;
}
