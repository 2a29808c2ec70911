#include "experiment/session/launch.h"

#include "experiment/session/needs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

static int make_absolute(const char *found, char path[PATH_MAX], struct coz_error *err)
{
    return realpath(found, path) ? 0 : error_set(err, errno, "%s: %s", found, strerror(errno));
}

int launch_find_program(const char *name, char path[PATH_MAX], struct coz_error *err)
{
    if (strchr(name, '/')) {
        if (access(name, F_OK))
            return error_set(err, errno, "%s: %s", name, strerror(errno));
        if (!is_program(name))
            return error_set(err, EACCES, "%s: not an executable file", name);
        return make_absolute(name, path, err);
    }
    const char *directory = getenv("PATH");
    while (directory && *directory) {
        size_t length = strcspn(directory, ":");
        char candidate[PATH_MAX];
        snprintf(candidate, sizeof candidate, "%.*s/%s", length ? (int)length : 1, length ? directory : ".",
                 name);
        if (is_program(candidate))
            return make_absolute(candidate, path, err);
        directory += length + (directory[length] == ':');
    }
    return error_set(err, ENOENT, "%s: no such program in PATH", name);
}

int launch_find_library(const char *name, const char *subfolder, char path[PATH_MAX], struct coz_error *err)
{
    char self[PATH_MAX], candidate[3 * PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return error_set(err, errno, "/proc/self/exe: %s", strerror(errno));
    self[length] = 0;
    *strrchr(self, '/') = 0;
    char below[PATH_MAX];
    snprintf(below, sizeof below, "../" COZ_LIBDIR "/%s", subfolder);
    const char *places[] = {below, "../lib", "."};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(candidate, sizeof candidate, "%s/%s/%s", self, places[i], name);
        if (realpath(candidate, path))
            return 0;
    }
    return error_set(err, ENOENT, "%s is neither in %s/%s nor in ../lib: is the installation complete?", name,
                     self, below);
}

int launch_find_runtime(bool for_musl, char path[PATH_MAX], struct coz_error *err)
{
#ifdef __GLIBC__
    if (for_musl && launch_find_library("musl/libcoz.so", "coz/preload", path, err))
        return error_set(err, ENOENT,
                         "the program is made for musl, and this coz has no runtime for that: build it where "
                         "musl-gcc is (Debian: musl-tools)");
    if (for_musl)
        return 0;
#endif
    (void)for_musl;
    return launch_find_library("libcoz.so", "coz/preload", path, err);
}

/* ---- the runtime's path ---- */

/* The dynamic linker parts names at both, and replaces what begins so. */
static bool is_one_name(const char *path)
{
    return !strpbrk(path, " :$");
}

int launch_link_runtime(const char *path, struct runtime_link *link, struct coz_error *err)
{
    *link = (struct runtime_link){.path = ""};
    if (is_one_name(path)) {
        snprintf(link->path, sizeof link->path, "%s", path);
        return 0;
    }
    strcpy(link->folder, "/tmp/coz-runtime.XXXXXX");
    if (!mkdtemp(link->folder)) {
        link->folder[0] = '\0';
        return error_set(
            err, errno,
            "%s holds a space, a colon or a dollar sign, and there is no room for a link to it in /tmp: %s",
            path, strerror(errno));
    }
    snprintf(link->path, sizeof link->path, "%s/libcoz.so", link->folder);
    /* The program may become somebody else, and execute something then. */
    if (chmod(link->folder, 0755) || symlink(path, link->path))
        return error_set(err, errno, "%s: %s", link->path, strerror(errno));
    return 0;
}

void launch_unlink_runtime(struct runtime_link *link)
{
    if (!link->folder[0])
        return;
    unlink(link->path);
    rmdir(link->folder);
    link->folder[0] = '\0';
}

/* ---- the environment ---- */

enum { OWN_VARIABLES = 3 };

/* What the program is to get: all of ours but those that are set anew. */
struct environment {
    char **variables;         /* NULL-terminated */
    char *own[OWN_VARIABLES]; /* "NAME=value", to be freed */
};

static bool has_same_name(const char *a, const char *b)
{
    size_t length = strcspn(b, "=") + 1;
    return strncmp(a, b, length) == 0;
}

static bool is_set_anew(const struct environment *environment, const char *variable)
{
    for (int i = 0; i < OWN_VARIABLES; i++)
        if (environment->own[i] && has_same_name(variable, environment->own[i]))
            return true;
    return false;
}

static void environment_release(struct environment *environment)
{
    for (int i = 0; i < OWN_VARIABLES; i++)
        free(environment->own[i]);
    free(environment->variables);
}

/* "NAME=first:second", without the colon when one of them is empty. False without memory. */
static bool variable_make(char **variable, const char *name, const char *first, const char *second)
{
    const char *colon = *first && second && *second ? ":" : "";
    if (asprintf(variable, "%s=%s%s%s", name, first, colon, second ? second : "") >= 0)
        return true;
    *variable = NULL;
    return false;
}

/* gcc's address sanitizer wants to be the first of all libraries, and ends the program when it is not. It
 * works behind ours as well: its functions are then what ours find next. */
static bool variable_make_for_sanitizer(char **variable, const char *program)
{
    const char *others = getenv("ASAN_OPTIONS");
    return !needs_library(program, "libasan.so") ||
           variable_make(variable, "ASAN_OPTIONS", others ? others : "", "verify_asan_link_order=0");
}

static int environment_make(struct environment *environment, const char *segment, const char *runtime,
                            const char *program)
{
    size_t count = 0, kept = 0;
    *environment = (struct environment){0};
    while (environ[count])
        count++;
    environment->variables = calloc(count + OWN_VARIABLES + 1, sizeof *environment->variables);
    if (!environment->variables ||
        !variable_make(&environment->own[0], "LD_PRELOAD", runtime, getenv("LD_PRELOAD")) ||
        !variable_make(&environment->own[1], SEGMENT_VARIABLE, segment, NULL) ||
        !variable_make_for_sanitizer(&environment->own[2], program))
        return -ENOMEM;
    for (size_t i = 0; i < count; i++)
        if (!is_set_anew(environment, environ[i]))
            environment->variables[kept++] = environ[i];
    for (int i = 0; i < OWN_VARIABLES; i++)
        if (environment->own[i])
            environment->variables[kept++] = environment->own[i];
    return 0;
}

/* ---- the caller's signals ---- */

/* As the kernel has it. libc's sigaction() refuses the signals that libc keeps for itself. */
struct kernel_action {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

enum { LAST_SIGNAL = 64 };

static uint64_t ignored_signals; /* bit n - 1: signal n */
static sigset_t blocked_signals;

void launch_remember_signals(void)
{
    ignored_signals = 0;
    sigprocmask(SIG_BLOCK, NULL, &blocked_signals);
    for (int number = 1; number <= LAST_SIGNAL; number++) {
        struct kernel_action action;
        if (syscall(SYS_rt_sigaction, number, NULL, &action, sizeof action.mask) == 0 &&
            action.handler == SIG_IGN)
            ignored_signals |= UINT64_C(1) << (number - 1);
    }
}

static void child_restore_signals(void)
{
    const struct kernel_action ignore = {.handler = SIG_IGN};
    for (int number = 1; number <= LAST_SIGNAL; number++)
        if (ignored_signals >> (number - 1) & 1)
            syscall(SYS_rt_sigaction, number, &ignore, NULL, sizeof ignore.mask);
    sigprocmask(SIG_SETMASK, &blocked_signals, NULL);
}

/* ---- starting ---- */

/* In the child, which has one thread of those that the profiler may have: it may do what a signal handler may.
 * It tells through the pipe why the program could not be executed; that closes by itself when it could. */
static _Noreturn void child_execute(struct segment *segment, const char *program, char **argv,
                                    char **variables, int pipe_end)
{
    child_restore_signals();
    segment->first_pid = (uint32_t)getpid();
    execve(program, argv, variables);
    int failure = errno;
    if (write(pipe_end, &failure, sizeof failure) < 0)
        _exit(126);
    _exit(127);
}

static pid_t child_start(struct segment *segment, const char *program, char **argv, char **variables,
                         struct coz_error *err)
{
    int ends[2], failure = 0;
    if (pipe2(ends, O_CLOEXEC))
        return error_set(err, errno, "pipe: %s", strerror(errno));
    pid_t pid = fork();
    if (pid == 0)
        child_execute(segment, program, argv, variables, ends[1]);
    failure = errno;
    close(ends[1]);
    if (pid < 0) {
        close(ends[0]);
        return error_set(err, failure, "fork: %s", strerror(failure));
    }
    ssize_t length;
    do
        length = read(ends[0], &failure, sizeof failure);
    while (length < 0 && errno == EINTR);
    close(ends[0]);
    if (length == sizeof failure) {
        waitpid(pid, NULL, 0);
        return error_set(err, failure, "%s: %s", program, strerror(failure));
    }
    return pid;
}

pid_t launch(const struct segment_owner *owner, const struct runtime_link *runtime, const char *program,
             char **argv, struct coz_error *err)
{
    struct environment environment;
    int rc = environment_make(&environment, owner->path, runtime->path, program);
    pid_t pid = rc ? error_set(err, -rc, "%s: %s", program, strerror(-rc))
                   : child_start(owner->segment, program, argv, environment.variables, err);
    environment_release(&environment);
    return pid;
}
