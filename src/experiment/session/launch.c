#include "experiment/session/launch.h"

#include "experiment/session/needs.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_program(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

static int absolute(const char *found, char path[PATH_MAX], struct coz_error *err)
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
        return absolute(name, path, err);
    }
    const char *directory = getenv("PATH");
    while (directory && *directory) {
        size_t length = strcspn(directory, ":");
        char candidate[PATH_MAX];
        snprintf(candidate, sizeof candidate, "%.*s/%s", length ? (int)length : 1, length ? directory : ".",
                 name);
        if (is_program(candidate))
            return absolute(candidate, path, err);
        directory += length + (directory[length] == ':');
    }
    return error_set(err, ENOENT, "%s: no such program in PATH", name);
}

int launch_find_runtime(char path[PATH_MAX], struct coz_error *err)
{
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length < 0)
        return error_set(err, errno, "/proc/self/exe: %s", strerror(errno));
    self[length] = 0;
    *strrchr(self, '/') = 0;
    const char *places[] = {"../lib/libcoz.so", "../" COZ_LIBDIR "/libcoz.so", "libcoz.so"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char candidate[PATH_MAX + 64];
        snprintf(candidate, sizeof candidate, "%s/%s", self, places[i]);
        if (realpath(candidate, path))
            return 0;
    }
    return error_set(err, ENOENT,
                     "libcoz.so is neither in %s/../lib nor in ../%s: is the installation complete?", self,
                     COZ_LIBDIR);
}

/* gcc's address sanitizer wants to be the first of all libraries, and ends the program when it is not. It
 * works behind ours as well: its functions are then what ours find next. */
static int tell_sanitizer(const char *program)
{
    static const char option[] = "verify_asan_link_order=0";
    const char *others = getenv("ASAN_OPTIONS");
    char *options;
    if (!needs_library(program, "libasan.so"))
        return 0;
    if (asprintf(&options, "%s:%s", others ? others : "", option) < 0)
        return -ENOMEM;
    int rc = setenv("ASAN_OPTIONS", others && *others ? options : option, 1) ? -errno : 0;
    free(options);
    return rc;
}

static int set_environment(const struct segment_owner *owner, const char *runtime)
{
    const char *others = getenv("LD_PRELOAD");
    char *preload = NULL;
    if (others && *others ? asprintf(&preload, "%s:%s", runtime, others) < 0 : !(preload = strdup(runtime)))
        return -ENOMEM;
    int rc = setenv("LD_PRELOAD", preload, 1) || setenv(SEGMENT_VARIABLE, owner->path, 1) ? -errno : 0;
    free(preload);
    return rc;
}

pid_t launch(const struct segment_owner *owner, const char *runtime, const char *program, char **argv,
             struct coz_error *err)
{
    /* The child tells through this pipe why it could not execute; it closes by itself when it could. */
    int pipe_fds[2], failure = 0;
    if (pipe2(pipe_fds, O_CLOEXEC))
        return error_set(err, errno, "pipe: %s", strerror(errno));
    pid_t pid = fork();
    if (pid < 0)
        return error_set(err, errno, "fork: %s", strerror(errno));
    if (pid == 0) {
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        owner->segment->first_pid = (uint32_t)getpid();
        failure = -set_environment(owner, runtime);
        if (!failure)
            failure = -tell_sanitizer(program);
        if (!failure) {
            execv(program, argv);
            failure = errno;
        }
        if (write(pipe_fds[1], &failure, sizeof failure) < 0)
            _exit(126);
        _exit(127);
    }
    close(pipe_fds[1]);
    ssize_t length = read(pipe_fds[0], &failure, sizeof failure);
    close(pipe_fds[0]);
    if (length == sizeof failure) {
        waitpid(pid, NULL, 0);
        return error_set(err, failure, "%s: %s", program, strerror(failure));
    }
    return pid;
}
