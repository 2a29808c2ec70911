/* Runs a program on a terminal of its own, and presses Ctrl-C, or types what the variable KEYS says, when a file appears.
 *
 *     terminal FILE TIMES PROGRAM [ARGUMENT ...]
 *
 * What the program writes to the terminal goes to standard output; its exit status is ours (128 + a signal's
 * number when one ended it). Between two presses is a second, and the program has taken notice of the first:
 * two signals that wait are one. */
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now_s(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Passes on what the terminal shows. False when the terminal was closed. */
static bool show(int terminal)
{
    char text[4096];
    struct pollfd ready = {.fd = terminal, .events = POLLIN};
    if (poll(&ready, 1, 20) <= 0)
        return true;
    ssize_t length = read(terminal, text, sizeof text);
    return length > 0 && write(STDOUT_FILENO, text, (size_t)length) == length;
}

/* Whether a SIGINT waits for the program. */
static bool is_pending(pid_t pid)
{
    char path[64], line[256];
    unsigned long long signals = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file) && sscanf(line, "ShdPnd: %llx", &signals) != 1)
        continue;
    if (file)
        fclose(file);
    return signals >> (SIGINT - 1) & 1;
}

int main(int argc, char **argv)
{
    int terminal, status;
    if (argc < 4)
        return 2;
    struct winsize size = {.ws_row = 24, .ws_col = 80};
    pid_t pid = forkpty(&terminal, NULL, NULL, &size);
    if (pid < 0)
        return 2;
    if (pid == 0) {
        execvp(argv[3], argv + 3);
        _exit(127);
    }
    int times = atoi(argv[2]);
    const char *keys = getenv("KEYS");
    if (!keys)
        keys = "\003";
    ssize_t keys_length = (ssize_t)strlen(keys);
    double next = 0;
    while (show(terminal)) {
        if (times == 0 || now_s() < next || access(argv[1], F_OK) != 0 || is_pending(pid))
            continue;
        if (write(terminal, keys, (size_t)keys_length) != keys_length)
            return 2;
        times--;
        next = now_s() + 1;
    }
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
