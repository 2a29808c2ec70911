/* Blocks all signals, in each thread and before it starts one; gives all signals their default back, by all
 * of libc's functions for that; waits for signals on a thread of its own. All the work is in one line.
 *
 *     masked [--ms N | --until FILE] */
#include "target.h"

#include <coz.h>
#include <signal.h>

enum { STEPS = 400000 };

static struct span span;
static volatile unsigned sum;

static void *work(void *nothing)
{
    sigset_t all;
    unsigned x = 1;
    sigfillset(&all);
    must(pthread_sigmask(SIG_SETMASK, &all, NULL));
    while (!is_over(span)) {
        for (int i = 0; i < STEPS; x = MIX(x, 2246822519u), i++) /* its line */
            continue;
        COZ_PROGRESS_NAMED("masked");
    }
    sum = x;
    return nothing;
}

int main(int argc, char **argv)
{
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t all;
    pthread_t thread;
    span = span_option(argc, argv);
    sigfillset(&all);
    if (sigprocmask(SIG_BLOCK, &all, NULL))
        must(errno);
    for (int i = 1; i <= SIGRTMAX; i++)
        sigaction(i, &standard, NULL);
    must(pthread_create(&thread, NULL, work, NULL));
    must(pthread_join(thread, NULL));
    puts("done");
    return 0;
}
