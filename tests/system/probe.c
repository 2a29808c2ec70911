/* probe RUNTIME PROGRAM [ARGUMENT...]: a profiler that only makes the segment and starts the program with the
 * runtime in it. No sample falls into its few milliseconds of CPU time, so all that happens to the ledger is
 * what the program's calls mean. With PROBE_SLOTS in the environment it says how many slots of threads are left
 * over. Exits as the program does. */
#include "shared/create.h"
#include "shared/thread_slots.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char *arguments[])
{
    struct segment_owner owner;
    struct coz_error err;
    int status;
    if (count < 3 || segment_create(&owner, &err)) {
        fprintf(stderr, count < 3 ? "usage: probe RUNTIME PROGRAM [ARGUMENT...]\n" : "no shared memory\n");
        return 99;
    }
    owner.segment->period_ns = 1ull << 40;
    owner.segment->want_sampler = SAMPLER_TIMER;
    atomic_store(&owner.segment->active, 1);
    pid_t pid = fork();
    if (pid == 0) {
        setenv("LD_PRELOAD", arguments[1], 1);
        setenv(SEGMENT_VARIABLE, owner.path, 1);
        execv(arguments[2], arguments + 2);
        _exit(99);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        return 99;
    if (getenv("PROBE_SLOTS"))
        printf("%u slots left over\n", (unsigned)thread_slots_count(owner.segment));
    segment_destroy(&owner);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
