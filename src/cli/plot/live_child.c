#include "cli/plot/live_child.h"

#include "base/signals.h"
#include "cli/plot/browser.h"
#include "serve/serve.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* Lower than the program's: its windows are worth more than a page that is up to date. */
enum { NICE = 10, READY_MS = 5000, END_MS = 1000 };

/* ---- in the child ---- */

static volatile sig_atomic_t interrupts;

static void on_interrupt(int number)
{
    (void)number;
    interrupts = interrupts + 1;
}

/* What ends the run does not end us: the result is what one wants to see then. */
static void child_prepare(void)
{
    struct sigaction action = {.sa_handler = on_interrupt};
    signals_catch((const int[]){SIGINT, SIGTERM, SIGHUP, SIGQUIT}, 4, &action);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGCHLD, SIG_IGN);
    setpriority(PRIO_PROCESS, 0, NICE);
}

struct child_context {
    const struct live_options *options;
    int socket;
};

static void on_ready(void *context, const char *address, unsigned port)
{
    const struct child_context *child = context;
    char tunnel[320];
    browser_tunnel(port, tunnel, sizeof tunnel);
    bool opened = child->options->opens_browser && browser_open(address);
    fprintf(stderr, "coz: the page of this run%s: %s\n", opened ? " opens in your browser" : "", address);
    if (!opened)
        fprintf(stderr, "coz: from another machine, run this there first: %s\n", tunnel);
    send(child->socket, "ready", 5, MSG_NOSIGNAL);
}

static _Noreturn void child_main(int socket, const struct live_options *options)
{
    char byte, *profiles[] = {options->profile};
    ssize_t got;
    struct coz_error err;
    child_prepare();
    do
        got = recv(socket, &byte, 1, 0);
    while (got < 0 && errno == EINTR);
    if (got <= 0)
        _exit(0); /* the run did not begin */
    struct child_context context = {options, socket};
    const struct serve_options serving = {
        .profiles = profiles,
        .profile_count = 1,
        .view = {.awaits = true, .mixes_builds = options->mixes_builds},
        .port = options->port,
        .controller = socket,
        .interrupts = &interrupts,
        .ready = on_ready,
        .context = &context,
    };
    int code = serve(&serving, &err);
    if (code < 0)
        fprintf(stderr, "coz run: There is no page of this run: %s\n", err.text);
    _exit(code < 0);
}

/* ---- in the controller ---- */

bool live_child_start(struct live_child *child, const struct live_options *options)
{
    int ends[2];
    *child = (struct live_child){0};
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        fprintf(stderr, "coz run: There is no page of this run: %s\n", strerror(errno));
        return false;
    }
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        child_main(ends[1], options);
    }
    close(ends[1]);
    if (pid < 0) {
        fprintf(stderr, "coz run: There is no page of this run: %s\n", strerror(errno));
        close(ends[0]);
        return false;
    }
    *child = (struct live_child){pid, ends[0]};
    return true;
}

/* Until it says something, or has ended. */
static void await_child(const struct live_child *child, int most_ms)
{
    struct pollfd end = {.fd = child->socket, .events = POLLIN};
    while (poll(&end, 1, most_ms) < 0 && errno == EINTR)
        continue;
}

void live_child_begin(const struct live_child *child)
{
    char word[16];
    if (!child->pid || send(child->socket, "b", 1, MSG_NOSIGNAL) != 1)
        return;
    await_child(child, READY_MS);
    recv(child->socket, word, sizeof word, MSG_DONTWAIT);
}

static bool child_ends_within(const struct live_child *child, int ms)
{
    for (int waited = 0; waited < ms; waited += 20) {
        if (waitpid(child->pid, NULL, WNOHANG) != 0)
            return true;
        usleep(20000);
    }
    return false;
}

void live_child_end(struct live_child *child)
{
    if (!child->pid)
        return;
    close(child->socket);
    if (!child_ends_within(child, END_MS)) {
        fputs("coz: the page stays until it is closed, or Ctrl-C ends it\n", stderr);
        while (waitpid(child->pid, NULL, 0) < 0 && errno == EINTR)
            kill(child->pid, SIGTERM); /* it may have been sent to us alone */
    }
    child->pid = 0;
}
