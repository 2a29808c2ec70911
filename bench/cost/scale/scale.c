/* Many threads and processes, and what they leave behind.
 *
 *     scale together N    N threads alive at once: each computes, waits for all others, computes again
 *     scale series N      N threads one after another, ten at a time
 *     scale processes N   N processes, fifty at a time, each with two threads
 *
 * Prints what was there when the first tenth was over and at the end: memory, descriptors, timers. */
#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { AT_ONCE = 10, PROCESSES_AT_ONCE = 50 };

static pthread_barrier_t all_there;
static unsigned long finished;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void must(int rc, const char *what)
{
    if (rc) {
        fprintf(stderr, "scale: %s: %s\n", what, strerror(rc));
        exit(1);
    }
}

static void compute(void)
{
    volatile unsigned x = 1;
    for (unsigned i = 0; i < 20000; i++)
        x = (x ^ x >> 15) * 2654435761u + 1;
    __atomic_add_fetch(&finished, 1, __ATOMIC_RELAXED);
}

static long lines_of(const char *path, const char *beginning)
{
    char line[256];
    long count = 0, value = -1;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, beginning, strlen(beginning)) == 0) {
            count++;
            value = strtol(line + strlen(beginning), NULL, 10);
        }
    if (file)
        fclose(file);
    return strcmp(beginning, "VmRSS:") == 0 ? value : count;
}

static long descriptors(void)
{
    long count = 0;
    DIR *directory = opendir("/proc/self/fd");
    while (directory && readdir(directory))
        count++;
    if (directory)
        closedir(directory);
    return count - 3; /* "." and "..", and the listing itself */
}

static void print_state(const char *when)
{
    printf("%s: %ld KiB of memory, %ld descriptors, %ld timers\n", when,
           lines_of("/proc/self/status", "VmRSS:"), descriptors(), lines_of("/proc/self/timers", "ID:"));
    fflush(stdout);
}

static void *meet(void *nothing)
{
    compute();
    pthread_barrier_wait(&all_there);
    compute();
    return nothing;
}

static void together(unsigned count)
{
    pthread_t *threads = calloc(count, sizeof *threads);
    pthread_attr_t small;
    must(pthread_attr_init(&small), "attributes");
    must(pthread_attr_setstacksize(&small, 64 * 1024), "a small stack");
    must(pthread_barrier_init(&all_there, NULL, count + 1), "a barrier");
    for (unsigned i = 0; threads && i < count; i++)
        must(pthread_create(&threads[i], &small, meet, NULL), "a thread");
    print_state("all there");
    pthread_barrier_wait(&all_there);
    for (unsigned i = 0; threads && i < count; i++)
        must(pthread_join(threads[i], NULL), "join");
    free(threads);
}

static void *short_life(void *nothing)
{
    compute();
    return nothing;
}

static void series(unsigned count)
{
    pthread_t threads[AT_ONCE];
    for (unsigned i = 0; i < count; i += AT_ONCE) {
        for (unsigned k = 0; k < AT_ONCE; k++)
            must(pthread_create(&threads[k], NULL, short_life, NULL), "a thread");
        for (unsigned k = 0; k < AT_ONCE; k++)
            must(pthread_join(threads[k], NULL), "join");
        if (i == count / 10 / AT_ONCE * AT_ONCE)
            print_state("after a tenth");
    }
}

static void processes(unsigned count)
{
    unsigned good = 0, alive = 0;
    for (unsigned i = 0; i < count || alive;) {
        if (i < count && alive < PROCESSES_AT_ONCE) {
            pid_t pid = fork();
            if (pid == 0) {
                freopen("/dev/null", "w", stdout);
                series(AT_ONCE);
                _exit(7);
            }
            if (pid < 0)
                must(1, "fork");
            i++, alive++;
            continue;
        }
        int status;
        wait(&status);
        alive--;
        good += WIFEXITED(status) && WEXITSTATUS(status) == 7;
    }
    finished = good;
}

int main(int argc, char **argv)
{
    unsigned count = argc == 3 ? (unsigned)strtoul(argv[2], NULL, 10) : 0;
    double start = now();
    if (count && strcmp(argv[1], "together") == 0)
        together(count);
    else if (count && strcmp(argv[1], "series") == 0)
        series(count);
    else if (count && strcmp(argv[1], "processes") == 0)
        processes(count);
    else
        return fputs("usage: scale together|series|processes N\n", stderr), 2;
    print_state("at the end");
    printf("%lu finished in %.2f s\n", finished, now() - start);
    return 0;
}
