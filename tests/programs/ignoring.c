/* Executes a command that ignores signals, also those that libc's sigaction() refuses to touch.
 *
 *     ignoring NUMBER... COMMAND [ARGUMENT...] */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

/* As the kernel has it. */
struct kernel_action {
    void (*handler)(int);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

int main(int argc, char **argv)
{
    int i = 1;
    for (; i < argc && atoi(argv[i]) > 0; i++) {
        const struct kernel_action ignore = {.handler = SIG_IGN};
        if (syscall(SYS_rt_sigaction, atoi(argv[i]), &ignore, NULL, sizeof ignore.mask)) {
            perror(argv[i]);
            return 2;
        }
    }
    if (i < argc)
        execvp(argv[i], &argv[i]);
    perror("ignoring");
    return 2;
}
