/* The loop: requests, pages that were closed, profiles that have grown. One thread does it all. */
#include "serve/serve.h"

#include "base/clock.h"
#include "report/cells.h"
#include "report/page/html.h"
#include "serve/listen.h"
#include "serve/server.h"

#include <errno.h>
#include <jansson.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A page that is loaded anew is gone for a moment. */
static const uint64_t linger_ns = 5000000000;
/* A look at a profile may mean an analysis, which takes milliseconds, and more the longer the run. */
static const uint64_t look_every_ns = 1000000000, most_of_time = 20;
enum { WAIT_MS = 200, CONNECTIONS = 64, TIMEOUT_S = 60, POOL_BYTES = 65536, ANSWER_MS = 1000 };

/* ---- what answers ask for ---- */

static json_t *profiles_json(const struct server *server)
{
    json_t *profiles = json_array();
    for (unsigned i = 0; i < server->view_count; i++) {
        char *name = clean_text(view_name(server->views[i]), false);
        json_array_append_new(profiles,
                              json_pack("{s:i, s:s}", "number", (int)i + 1, "name", name ? name : "?"));
        free(name);
    }
    return profiles;
}

char *server_status(const struct server *server, unsigned number)
{
    struct view *view = server->views[number - 1];
    bool is_steered = number == 1 && server->controller;
    json_t *status = json_pack("{s:b, s:I, s:b, s:i, s:o}", "live", is_steered || view_is_live(view),
                               "windows", (json_int_t)analysis_windows(view_analysis(view)), "steered",
                               is_steered, "number", (int)number, "profiles", profiles_json(server));
    char *text = status ? json_dumps(status, JSON_COMPACT) : NULL;
    json_decref(status);
    return text;
}

int server_add(struct server *server, const char *name, const char *bytes, size_t size, struct coz_error *err)
{
    if (server->view_count == SERVER_VIEWS)
        return error_set(err, ENOSPC, "There are %d profiles here already, and that is the most.",
                         SERVER_VIEWS);
    struct view *view;
    int code = view_open_bytes(&view, name, bytes, size, &server->options->view, err);
    if (code < 0)
        return code;
    server->views[server->view_count++] = view;
    return (int)server->view_count;
}

/* One line of words, the first of them a known one. The controller reads the rest. */
static bool is_wish(const char *wish, size_t size)
{
    static const char *const words[] = {"first ", "speedups ", "stop"};
    for (size_t i = 0; i < size; i++)
        if ((unsigned char)wish[i] < 0x20)
            return false;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t length = strlen(words[i]);
        if (size >= length && memcmp(wish, words[i], length) == 0)
            return true;
    }
    return false;
}

/* What the controller says to the last wish. It looks up some fifty times a second. */
static int read_answer(const struct server *server, struct coz_error *err)
{
    char answer[200];
    struct pollfd end = {.fd = server->controller, .events = POLLIN};
    ssize_t length =
        poll(&end, 1, ANSWER_MS) > 0 ? recv(end.fd, answer, sizeof answer - 1, MSG_DONTWAIT) : -1;
    if (length <= 0)
        return error_set(err, ENOTCONN, "The run does not answer: the program may just have ended.");
    answer[length] = '\0';
    return strcmp(answer, "ok") == 0 ? 0 : error_set(err, EPERM, "%s", answer);
}

int server_wish(struct server *server, const char *wish, size_t size, struct coz_error *err)
{
    char late[200];
    if (!is_wish(wish, size))
        return error_set(err, EINVAL, "That is no wish.");
    if (!server->controller)
        return error_set(err, ENOTCONN, "No run goes on that could be steered.");
    while (recv(server->controller, late, sizeof late, MSG_DONTWAIT) > 0)
        continue; /* an answer that was not waited for any more */
    if (send(server->controller, wish, size, MSG_DONTWAIT | MSG_NOSIGNAL) != (ssize_t)size)
        return error_set(err, ENOTCONN, "The run does not listen.");
    return read_answer(server, err);
}

void server_add_stream(struct server *server, struct stream *stream)
{
    stream->next = server->streams;
    server->streams = stream;
    server->had_streams = true;
}

void server_drop_stream(struct server *server, struct stream *stream)
{
    for (struct stream **at = &server->streams; *at; at = &(*at)->next)
        if (*at == stream) {
            *at = stream->next;
            break;
        }
    server->silent_ns = clock_wall_ns();
    stream_free(stream);
}

/* ---- the loop ---- */

static void resume_stream(struct stream *stream)
{
    if (!stream->is_suspended)
        return;
    stream->is_suspended = false;
    MHD_resume_connection(stream->connection);
}

/* MHD listens at one address; who comes to the other is brought to it. */
static void accept_newer(struct server *server)
{
    struct sockaddr_in6 from;
    socklen_t size = sizeof from;
    int fd = accept4(server->newer, (struct sockaddr *)&from, &size, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd >= 0) /* it is MHD's to close, whatever comes of it */
        MHD_add_connection(server->daemon, fd, (struct sockaddr *)&from, size);
}

/* MHD does not look at a suspended connection: that its page is closed is seen here. */
static void wait_for_news(struct server *server)
{
    enum { OTHERS = 3 };
    struct pollfd ends[OTHERS + CONNECTIONS + EXPLAIN_ENDS];
    struct stream *streams[CONNECTIONS];
    nfds_t count = OTHERS;
    MHD_UNSIGNED_LONG_LONG timeout = WAIT_MS;
    int loop = MHD_get_daemon_info(server->daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    ends[0] = (struct pollfd){.fd = loop, .events = POLLIN};
    ends[1] = (struct pollfd){.fd = server->controller ? server->controller : -1, .events = POLLIN};
    ends[2] = (struct pollfd){.fd = server->newer, .events = POLLIN};
    for (struct stream *stream = server->streams; stream && count < OTHERS + CONNECTIONS;
         stream = stream->next)
        if (stream->is_suspended) {
            streams[count - OTHERS] = stream;
            ends[count++] = (struct pollfd){.fd = stream->fd, .events = POLLRDHUP};
        }
    nfds_t streams_end = count;
    count += explain_add_ends(&server->explainer, ends + count);
    if (MHD_get_timeout(server->daemon, &timeout) != MHD_YES || timeout > WAIT_MS)
        timeout = WAIT_MS;
    if (poll(ends, count, (int)timeout) < 0)
        return;
    if (ends[2].revents)
        accept_newer(server);
    explain_resume(&server->explainer, false);
    for (nfds_t i = OTHERS; i < streams_end; i++)
        if (ends[i].revents) {
            streams[i - OTHERS]->is_closed = true;
            resume_stream(streams[i - OTHERS]);
        }
    char byte;
    if (ends[1].revents && recv(server->controller, &byte, 1, MSG_DONTWAIT) == 0) {
        server->controller = 0; /* the run is over, and interrupts are meant for us from here on */
        server->silent_ns = clock_wall_ns();
        server->next_look_ns = 0;
        *server->options->interrupts = 0;
    }
}

/* The statistics are made here and now if there is somebody to see them, so that their cost is known. */
static void look_at_profiles(struct server *server)
{
    uint64_t now = clock_wall_ns();
    if (now < server->next_look_ns)
        return;
    for (unsigned i = 0; i < server->view_count; i++) {
        const struct analysis_result *results;
        if (view_look(server->views[i], now) && server->streams)
            analysis_results(view_analysis(server->views[i]), &results);
    }
    uint64_t after = clock_wall_ns(), rest = most_of_time * (after - now);
    server->next_look_ns = after + (rest > look_every_ns ? rest : look_every_ns);
}

static void tell_streams(struct server *server)
{
    uint64_t now = clock_wall_ns();
    for (struct stream *stream = server->streams; stream; stream = stream->next) {
        char *status = stream->is_suspended ? server_status(server, stream->number) : NULL;
        if (status && stream_has_news(stream, server->views[stream->number - 1], status, now))
            resume_stream(stream);
        free(status);
    }
}

static bool is_over(const struct server *server)
{
    const struct serve_options *options = server->options;
    int interrupts = *options->interrupts;
    if (interrupts > (server->controller ? 1 : 0))
        return true;
    if (server->controller || options->stays || server->streams)
        return false;
    if (!server->had_streams)
        return options->controller != 0; /* the run is over, and nobody has looked */
    return clock_wall_ns() > server->silent_ns + linger_ns;
}

static void run_loop(struct server *server)
{
    while (!is_over(server)) {
        wait_for_news(server);
        MHD_run(server->daemon);
        look_at_profiles(server);
        tell_streams(server);
    }
}

/* ---- begin and end ---- */

static int start_daemon(struct server *server, struct coz_error *err)
{
    int fd = listen_at_loopback(server->options->port, &server->newer, err);
    int code = fd < 0 ? fd : gate_init(&server->gate, listen_port(fd), err);
    if (code >= 0) {
        server->daemon = MHD_start_daemon(
            MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME, 0, NULL, NULL, answer_request, server,
            MHD_OPTION_LISTEN_SOCKET, fd, MHD_OPTION_NOTIFY_COMPLETED, answer_done, server,
            MHD_OPTION_CONNECTION_LIMIT, (unsigned)CONNECTIONS, MHD_OPTION_CONNECTION_TIMEOUT,
            (unsigned)TIMEOUT_S, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)POOL_BYTES, MHD_OPTION_END);
        code = server->daemon ? 0 : error_set(err, EIO, "The server cannot be started.");
    }
    if (code < 0 && fd >= 0)
        close(fd);
    return code;
}

static int open_views(struct server *server, struct coz_error *err)
{
    const struct serve_options *options = server->options;
    if (options->profile_count > SERVER_VIEWS)
        return error_set(err, EINVAL, "These are %zu profiles; %d can be shown.", options->profile_count,
                         SERVER_VIEWS);
    for (size_t i = 0; i < options->profile_count; i++) {
        int code = view_open(&server->views[i], options->profiles[i], &options->view, err);
        if (code < 0)
            return code;
        server->view_count++;
    }
    return 0;
}

static void tell_ready(const struct server *server)
{
    char address[100];
    snprintf(address, sizeof address, "http://127.0.0.1:%u/%s/1/", server->gate.port, server->gate.token);
    server->options->ready(server->options->context, address, server->gate.port);
}

/* Suspended connections must not be when MHD ends. */
static void stop_server(struct server *server)
{
    for (struct stream *stream = server->streams; stream; stream = stream->next) {
        stream->is_closed = true;
        resume_stream(stream);
    }
    explain_resume(&server->explainer, true);
    if (server->daemon) {
        MHD_run(server->daemon);
        MHD_stop_daemon(server->daemon);
    }
    if (server->newer >= 0)
        close(server->newer);
    explain_release(&server->explainer);
    for (unsigned i = 0; i < server->view_count; i++)
        view_close(server->views[i]);
}

int serve(const struct serve_options *options, struct coz_error *err)
{
    struct server server = {.options = options, .controller = options->controller, .newer = -1};
    int code = report_html_check(err);
    if (code == 0)
        code = open_views(&server, err);
    if (code == 0)
        code = start_daemon(&server, err);
    if (code == 0) {
        tell_ready(&server);
        run_loop(&server);
    }
    stop_server(&server);
    return code;
}
