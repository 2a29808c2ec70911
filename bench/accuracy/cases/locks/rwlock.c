/*
 * Two readers, always reading, and a writer that sleeps 0.6 ms between its turns; a visit is one reading. No
 * two turns are of one length, as in real programs: with equal ones the readers fall into step, or out of it,
 * and a hundredth more or less work decides which. Planted: both lines pay, for while the writer writes
 * nobody reads, and before that it waits for who still does. Three threads on two cores: which of them gets
 * one first depends on what each got before, and a start is another program. In runs of 0.3 s a faster writer
 * gained nothing, in runs of 3 s 12 % and more.
 *
 * @case rwlock
 * @least rwlock 1
 */
#include "case.h"
#include "uneven.h"

static unsigned read_steps = MS / 2, write_steps = 3 * MS / 5;
static pthread_rwlock_t lock;

static void *reader(void *unused)
{
    unsigned x = 1;

    for (;;) {
        pthread_rwlock_rdlock(&lock);
        WORK(x, uneven(read_steps, x)); /* TARGET read */
        pthread_rwlock_unlock(&lock);
        VISIT();
    }
    return unused;
}

static void *writer(void *unused)
{
    const struct timespec rest = {0, 600000};
    unsigned x = 1;

    for (;;) {
        nanosleep(&rest, NULL);
        pthread_rwlock_wrlock(&lock);
        WORK(x, uneven(write_steps, x)); /* TARGET write */
        pthread_rwlock_unlock(&lock);
    }
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"read", &read_steps}, {"write", &write_steps}};
    pthread_rwlockattr_t kind;

    case_start(argc, argv, knobs, 2);
    pthread_rwlockattr_init(&kind);
    pthread_rwlockattr_setkind_np(&kind, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP); /* or it starves */
    pthread_rwlock_init(&lock, &kind);
    start_thread(writer, NULL);
    start_thread(reader, NULL);
    reader(NULL);
}
