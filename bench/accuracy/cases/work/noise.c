/*
 * Fork-join on a machine that somebody else uses: a process outside of the program burns one core half of the
 * time. Planted: as near to fork-join as the noise lets it; the windows of a profile differ by far more than
 * their effects.
 *
 * @case noise
 * @least noise 1
 */
#include "case.h"

#include <signal.h>
#include <spawn.h>
#include <sys/prctl.h>

enum { ENVIRONMENT = 1024 };

static unsigned long_steps = 9 * MS / 5, short_steps = 6 * MS / 5;

static void burn(void)
{
    const struct timespec rest = {0, 100000000};
    unsigned x = 1;

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() != 1) {
        for (double end = now_seconds() + 0.1; now_seconds() < end;)
            WORK(x, MS / 10);
        nanosleep(&rest, NULL);
    }
    exit(0);
}

/* Starts this program again, as a stranger: without what would make it a part of what is profiled. */
static void start_burner(char *self)
{
    char *arguments[] = {self, (char *)"--burn", NULL}, *environment[ENVIRONMENT];
    size_t count = 0;
    pid_t child;

    for (char **entry = environ; *entry && count < ENVIRONMENT - 1; entry++)
        if (strncmp(*entry, "LD_PRELOAD=", 11) != 0 && strncmp(*entry, "COZ_", 4) != 0)
            environment[count++] = *entry;
    environment[count] = NULL;
    if (posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments, environment) != 0)
        case_fail("burner");
}

static void *long_work(void *unused)
{
    unsigned x = 1;

    WORK(x, long_steps); /* TARGET long */
    return unused;
}

static void *short_work(void *unused)
{
    unsigned x = 1;

    WORK(x, short_steps); /* TARGET short */
    return unused;
}

int main(int argc, char **argv)
{
    const struct knob knobs[] = {{"long", &long_steps}, {"short", &short_steps}};

    if (argc == 2 && strcmp(argv[1], "--burn") == 0)
        burn();
    case_start(argc, argv, knobs, 2);
    start_burner(argv[0]);
    for (;;) {
        pthread_t a = start_thread(long_work, NULL);
        pthread_t b = start_thread(short_work, NULL);

        pthread_join(a, NULL);
        pthread_join(b, NULL);
        VISIT();
    }
}
