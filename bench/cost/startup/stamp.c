/* Linked into a program: the main before its main, which says when that begins. STAMP names the file that the
 * clock's reading goes to; the program then waits STAMP_WAIT milliseconds, so that somebody can look at it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int program_main(int argc, char **argv);

static void stamp(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const char *path = getenv("STAMP"), *wait = getenv("STAMP_WAIT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%lld.%09ld\n", (long long)now.tv_sec, now.tv_nsec);
    fclose(file);
    if (wait) {
        long ms = atol(wait);
        nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000}, NULL);
    }
}

int main(int argc, char **argv)
{
    stamp();
    return program_main(argc, argv);
}
