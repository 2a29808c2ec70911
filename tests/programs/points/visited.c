/* Visits a known number of times, in threads and in processes, what nobody has marked: a function, a line, a
 * static probe.
 *
 *     visited THREADS PROCESSES VISITS                   each of the processes (0: the first one is all there
 *                                                        is) has so many threads, and each of them makes so
 *                                                        many visits
 *     visited THREADS PROCESSES VISITS again             executes itself once more in the end
 *     visited THREADS PROCESSES VISITS --until FILE      again and again, until the file is there
 *
 * A process whose number is odd is killed, and ends no other way. */
#include "static_probe.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long visits;
static volatile unsigned sink;

static __attribute__((noinline)) void serve(unsigned number)
{
    for (unsigned i = 0; i < 500; i++)
        number = number * 2654435761u + i;
    sink = number; /* the line */
    if (probe_semaphore)
        STATIC_PROBE("visited", "unit__done");
}

static void *run_thread(void *unused)
{
    (void)unused;
    for (long i = 0; i < visits; i++)
        serve((unsigned)i);
    return NULL;
}

static void run_process(int threads)
{
    pthread_t all[64];
    for (int i = 0; i < threads && i < 64; i++)
        pthread_create(&all[i], NULL, run_thread, NULL);
    for (int i = 0; i < threads && i < 64; i++)
        pthread_join(all[i], NULL);
}

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    int processes = atoi(argv[2]);
    visits = atol(argv[3]);
    const char *until = argc > 5 && strcmp(argv[4], "--until") == 0 ? argv[5] : NULL;
    do {
        if (processes == 0)
            run_process(atoi(argv[1]));
    } while (until && access(until, F_OK) != 0);
    for (int i = 0; i < processes; i++) {
        if (fork() == 0) {
            run_process(atoi(argv[1]));
            if (i % 2)
                kill(getpid(), SIGKILL);
            _exit(0);
        }
    }
    while (wait(NULL) > 0)
        ;
    if (probe_semaphore)
        puts("probed");
    if (argc > 4 && strcmp(argv[4], "again") == 0) {
        argv[4] = NULL;
        execv("/proc/self/exe", argv);
        return 1;
    }
    return 0;
}
