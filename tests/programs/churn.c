/* Threads and processes that come and go: what they leave behind must be nothing.
 *
 *     churn [--threads N] */
#include "target.h"

#include <coz.h>
#include <dirent.h>
#include <spawn.h>
#include <sys/wait.h>

enum { TOGETHER = 10, CHILDREN = 8 };

extern int __cxa_thread_atexit_impl(void (*destructor)(void *), void *object, void *library);
extern void *__dso_handle;

static int finished, destroyed, destroyed_keys;
static pthread_key_t key;

static void destroy(void *counter)
{
    __atomic_add_fetch((int *)counter, 1, __ATOMIC_RELAXED);
}

/* What C++ does for a thread_local object. */
static void expect_destruction(void)
{
    must(__cxa_thread_atexit_impl(destroy, &destroyed, &__dso_handle));
    must(pthread_setspecific(key, &destroyed_keys));
}

static void *work_shortly(void *how)
{
    volatile unsigned sum = 0;
    expect_destruction();
    for (unsigned i = 0; i < 2000; i++)
        sum = sum + i;
    COZ_PROGRESS_NAMED("thread");
    __atomic_add_fetch(&finished, 1, __ATOMIC_RELAXED);
    if (how)
        pthread_exit(NULL);
    return NULL;
}

static int count_descriptors(void)
{
    int count = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (readdir(directory))
        count++;
    closedir(directory);
    return count;
}

static void churn(int threads)
{
    pthread_t together[TOGETHER];
    pthread_attr_t small;
    must(pthread_attr_init(&small));
    must(pthread_attr_setstacksize(&small, 64 * 1024));
    for (int i = 0; i < threads; i += TOGETHER) {
        for (int k = 0; k < TOGETHER; k++)
            must(pthread_create(&together[k], k % 2 ? &small : NULL, work_shortly, k % 3 ? NULL : &finished));
        for (int k = 0; k < TOGETHER; k++)
            must(pthread_join(together[k], NULL));
    }
}

static void fork_children(int threads)
{
    pid_t children[CHILDREN];
    for (int i = 0; i < CHILDREN; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            churn(threads / 10);
            if (i == 0 && fork() == 0)
                exit(0); /* a grandchild */
            if (i == 1)
                abort();
            i % 2 ? _exit(i) : exit(i);
        }
    }
    for (int i = 0; i < CHILDREN; i++) {
        int status;
        waitpid(children[i], &status, 0);
        printf("child %d: %s %d\n", i, WIFSIGNALED(status) ? "signal" : "status",
               WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
}

static void spawn_children(void)
{
    char *arguments[] = {"sh", "-c", "echo from a shell; exit 5", NULL};
    extern char **environ;
    int status;
    pid_t child;
    must(posix_spawnp(&child, "sh", NULL, NULL, arguments, environ));
    waitpid(child, &status, 0);
    printf("spawned: status %d\n", WEXITSTATUS(status));
    printf("system: status %d\n", WEXITSTATUS(system("exit 6")));
    FILE *pipe = popen("echo through a pipe", "r");
    char line[64] = "";
    if (fgets(line, sizeof line, pipe))
        printf("read: %s", line);
    printf("closed: status %d\n", WEXITSTATUS(pclose(pipe)));
}

int main(int argc, char **argv)
{
    int threads = (int)number_option(argc, argv, "--threads", 5000);
    setlinebuf(stdout);
    must(pthread_key_create(&key, destroy));
    churn(TOGETHER);
    finished = destroyed = destroyed_keys = 0;
    int before = count_descriptors();
    churn(threads);
    printf("%d threads, %d and %d destroyed\n", finished, destroyed, destroyed_keys);
    fflush(stdout);
    fork_children(threads);
    spawn_children();
    /* A profiler may have opened two for this thread meanwhile; for each of the others it would be a leak. */
    printf("descriptors left open: %s\n", count_descriptors() - before > 2 ? "many" : "none");
    return 0;
}
