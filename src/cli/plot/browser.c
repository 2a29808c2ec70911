#include "cli/plot/browser.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static bool is_set(const char *name)
{
    const char *value = getenv(name);
    return value && *value;
}

/* It must not write over our words, and not end with our Ctrl-C: it may be the browser itself. */
static bool spawn_quietly(char **argv)
{
    pid_t pid;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    posix_spawn_file_actions_init(&actions);
    for (int fd = 0; fd <= 2; fd++)
        posix_spawn_file_actions_addopen(&actions, fd, "/dev/null", O_RDWR, 0);
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    sigaddset(&defaults, SIGCHLD);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF);
    int code = posix_spawnp(&pid, argv[0], &actions, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return code == 0;
}

bool browser_open(const char *address)
{
    char opener[] = "xdg-open";
    char *argv[] = {opener, (char *)address, NULL};
    return (is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")) && spawn_quietly(argv);
}

void browser_tunnel(unsigned port, char *text, size_t size)
{
    char machine[256] = "";
    if (gethostname(machine, sizeof machine - 1) != 0 || !*machine)
        snprintf(machine, sizeof machine, "this-machine");
    snprintf(text, size, "ssh -L %u:127.0.0.1:%u %s", port, port, machine);
}
