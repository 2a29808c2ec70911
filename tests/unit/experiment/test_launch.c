/* Starting the program: what it gets, and what is left when it cannot be. */
#include "experiment/session/launch.h"

#include <dirent.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static struct segment_owner owner;
static struct coz_error err;

static int descriptors(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

/* The exit status of a shell that runs this. */
static int status_of(char *words)
{
    static char shell[] = "sh", option[] = "-c";
    char *argv[] = {shell, option, words, NULL};
    struct runtime_link none = {.path = "/nowhere/libnone.so"};
    int status;
    pid_t pid = launch(&owner, &none, "/bin/sh", argv, &err);
    assert_true(pid > 0);
    assert_int_equal(owner.segment->first_pid, pid);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WEXITSTATUS(status);
}

static void the_environment_is_ours_and_what_is_set_anew(void **state)
{
    (void)state;
    char all[300], own[] = "test \"$LD_PRELOAD\" = /nowhere/libnone.so";
    snprintf(all, sizeof all,
             "test \"$LD_PRELOAD\" = /nowhere/libnone.so:/other.so && test \"$COZ_SEGMENT\" = '%s' && "
             "test \"$LD_PRELOADED\" = kept && test \"$(env | grep -c ^COZ_SEGMENT=)\" = 1",
             owner.path);
    int before = descriptors();
    setenv("LD_PRELOADED", "kept", 1);
    setenv("COZ_SEGMENT", "old", 1);
    assert_int_equal(status_of(own), 0);
    setenv("LD_PRELOAD", "/other.so", 1);
    assert_int_equal(status_of(all), 0);
    unsetenv("LD_PRELOAD");
    assert_int_equal(descriptors(), before);
}

static void a_path_with_a_space_or_a_colon_gets_a_link(void **state)
{
    (void)state;
    static const char *const paths[] = {"/opt/my tools/libcoz.so", "/opt/a:b/libcoz.so",
                                        "/opt/$LIB/libcoz.so"};
    struct runtime_link link;
    struct stat status;
    char target[PATH_MAX] = "";
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        assert_int_equal(launch_link_runtime(paths[i], &link, &err), 0);
        assert_null(strpbrk(link.path, " :$"));
        ssize_t length = readlink(link.path, target, sizeof target);
        assert_int_equal(length, strlen(paths[i]));
        assert_memory_equal(target, paths[i], (size_t)length);
        launch_unlink_runtime(&link);
        assert_int_equal(lstat(link.path, &status), -1);
        launch_unlink_runtime(&link);
    }
    assert_int_equal(launch_link_runtime("/usr/lib/libcoz.so", &link, &err), 0);
    assert_string_equal(link.path, "/usr/lib/libcoz.so");
    launch_unlink_runtime(&link);
}

#ifdef SYS_fork
enum { FORK = SYS_fork };
#else
enum { FORK = SYS_clone }; /* there is no other */
#endif

/* The last test: no more forks from here on. */
/* In a process of its own, which can make no other: the exit status says what failed. */
static void launch_without_fork(void)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 2, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 1, 0),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, FORK, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EAGAIN),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof code / sizeof *code, code};
    static char name[] = "true";
    char *argv[] = {name, NULL};
    struct runtime_link none = {.path = "/nowhere/libnone.so"};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        _exit(3);
    int before = descriptors();
    if (launch(&owner, &none, "/bin/true", argv, &err) != -EAGAIN)
        _exit(2);
    _exit(descriptors() != before);
}

static void no_descriptor_is_left_without_a_child(void **state)
{
    (void)state;
    int status;
    pid_t pid = fork();
    if (pid == 0)
        launch_without_fork();
    assert_true(pid > 0);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_environment_is_ours_and_what_is_set_anew),
        cmocka_unit_test(a_path_with_a_space_or_a_colon_gets_a_link),
        cmocka_unit_test(no_descriptor_is_left_without_a_child),
    };
    if (segment_create(&owner, &err))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
