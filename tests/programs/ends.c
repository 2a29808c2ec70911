/* Ends in the way its first argument says: a number is an exit status, another word a signal.
 *
 *     ends STATUS | segv | term | kill | io | interrupt FILE
 *
 * io: another process sends it SIGIO.
 * interrupt: writes its process id to the file, waits for SIGINT, counts what comes within 300 ms, and exits
 * with 10 and so many. */
#include "target.h"

#include <signal.h>

static volatile sig_atomic_t interrupts;

static void on_interrupt(int number)
{
    (void)number;
    interrupts = interrupts + 1;
}

static int count_interrupts(const char *file)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &action, NULL);
    announce(file);
    while (!interrupts)
        usleep(1000);
    for (double start = now_ms(); now_ms() - start < 300;)
        usleep(1000);
    printf("interrupted\n");
    return 10 + interrupts;
}

static int wait_for_io(void)
{
    pid_t self = getpid();
    if (fork() == 0) {
        kill(self, SIGIO);
        _exit(0);
    }
    for (;;)
        pause();
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "0";
    if (strcmp(how, "segv") == 0)
        raise(SIGSEGV);
    if (strcmp(how, "term") == 0)
        raise(SIGTERM);
    if (strcmp(how, "kill") == 0)
        raise(SIGKILL);
    if (strcmp(how, "interrupt") == 0 && argc > 2)
        return count_interrupts(argv[2]);
    if (strcmp(how, "io") == 0)
        return wait_for_io();
    return atoi(how);
}
