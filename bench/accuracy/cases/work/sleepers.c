/*
 * Threads that sleep for a millisecond, compute, and work in the line, again and again: eight of them on two
 * cores (which are meant); or four that want one lock for the line. Planted: who wakes waits for a core or for
 * the lock, and the line pays what that takes less, beside its own part of a round, which is mostly asleep. Who
 * wakes owes what became due meanwhile, and in virtual time is asleep until that is paid: what it waits for a
 * core before that counts for nothing.
 *
 * @case sleepers
 * @case sleepers-lock --set threads=4 --set beside=45000 --set line=130000 --set locked=1
 * @least sleepers 1
 * @least sleepers-lock 1
 */
#include "case.h"
#include "uneven.h"

static unsigned beside_steps = 3 * MS / 50, line_steps = 2 * MS / 25, threads = 8, locked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *sleep_and_work(void *number)
{
    const struct timespec rest = {0, 1000000};
    unsigned x = 1 + (unsigned)(uintptr_t)number;

    for (;;) {
        nanosleep(&rest, NULL);
        WORK(x, uneven(beside_steps, x)); /* TARGET beside */
        if (locked)
            pthread_mutex_lock(&lock);
        WORK(x, uneven(line_steps, x)); /* TARGET line */
        if (locked)
            pthread_mutex_unlock(&lock);
        VISIT();
    }
    return number;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {
        {"beside", &beside_steps}, {"line", &line_steps}, {"threads", &threads}, {"locked", &locked}};

    case_start(argc, argv, knobs, 4);
    for (uintptr_t i = 1; i < threads; i++)
        start_thread(sleep_and_work, (void *)i);
    sleep_and_work(NULL);
}
