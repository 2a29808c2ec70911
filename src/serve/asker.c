#include "serve/asker.h"

#include "base/write_all.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PIPE = STDERR_FILENO + 1 };

static int put_line(json_t *line)
{
    char *text = line ? json_dumps(line, JSON_COMPACT) : NULL;
    int code = -ENOMEM;
    json_decref(line);
    if (text) {
        size_t size = strlen(text);
        text[size] = '\n'; /* in the place of the zero byte */
        code = write_all(PIPE, text, size + 1);
    }
    free(text);
    return code;
}

static int put_piece(void *context, const char *text, size_t size)
{
    (void)context;
    return put_line(json_pack("{s:s%}", "text", text, size));
}

/* Whether nobody reads any more. */
static bool is_unread(void *context)
{
    struct pollfd end = {.fd = PIPE};
    (void)context;
    return poll(&end, 1, 0) > 0 && (end.revents & POLLERR);
}

/* Nothing of the server's stays open here: its port and its pages are its own. */
static _Noreturn void ask(const struct advice *advice, int out)
{
    const struct advice_sink sink = {.put = put_piece, .is_over = is_unread};
    struct coz_error err = {"The answer could not be handed on."};
    const int ending[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        signal(ending[i], SIG_DFL);
    signal(SIGPIPE, SIG_IGN);
    if (out != PIPE)
        dup2(out, PIPE);
    closefrom(PIPE + 1);
    int code = advice_send(advice, &sink, &err);
    put_line(code < 0 ? json_pack("{s:s}", "error", err.text) : json_pack("{s:b}", "done", 1));
    _exit(0);
}

int asker_start(const struct advice *advice, struct coz_error *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return error_set(err, errno, "There is no pipe to ask through: %s", strerror(errno));
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        ask(advice, ends[1]);
    int code =
        pid < 0 ? error_set(err, errno, "There is no process to ask with: %s", strerror(errno)) : ends[0];
    close(ends[1]);
    if (pid < 0)
        close(ends[0]);
    return code;
}
