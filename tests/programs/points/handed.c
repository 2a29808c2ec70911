/* Units that begin on one thread and end on another, each with its number; every fifth takes ten times as long as the
 * others do. A child process does the same, with the same numbers. Both ends are also a function, a line, a static probe
 * and a call.
 *
 *     handed [--ms N | --until FILE] */
#include "../target.h"
#include "static_probe.h"

#include <coz.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STEPS = 100000, LONG_EVERY = 5, TIMES = 10 };

static struct span span;
static sem_t given, done;
static volatile unsigned long number, sum;

static __attribute__((noinline)) void begin_unit(void)
{
    number++; /* the line */
    COZ_BEGIN_ID("unit", number);
}

static __attribute__((noinline)) void end_unit(void)
{
    COZ_END_ID("unit", number);
    STATIC_PROBE("handed", "ended");
}

static void *work(void *unused)
{
    unsigned x = 1;
    for (;;) {
        while (sem_wait(&given) != 0)
            continue;
        unsigned steps = number % LONG_EVERY ? STEPS : TIMES * STEPS;
        for (unsigned i = 0; i < steps; x = MIX(x, 2246822519u), i++) /* its line */
            continue;
        sum = x;
        end_unit();
        sem_post(&done); /* the call */
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t worker;
    span = span_option(argc, argv);
    pid_t child = fork();
    must(child < 0);
    sem_init(&given, 0, 0);
    sem_init(&done, 0, 0);
    must(pthread_create(&worker, NULL, work, NULL));
    while (!is_over(span)) {
        begin_unit();
        sem_post(&given);
        while (sem_wait(&done) != 0)
            continue;
    }
    if (child == 0)
        _exit(0);
    must(waitpid(child, NULL, 0) != child);
    puts("handed");
    return 0;
}
