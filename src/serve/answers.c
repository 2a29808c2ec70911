/* What is answered to a request. */
#include "serve/reply.h"
#include "serve/server.h"

#include "base/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Its name in libmicrohttpd has changed from version to version. */
enum { HTTP_TOO_LARGE = 413 };

struct request {
    struct gate_way way;
    char *bytes; /* of its body */
    size_t size, capacity;
    bool is_too_large;
};

/* ---- the page and its events ---- */

/* The page; or what changed since `before`, where that is one. */
static enum MHD_Result send_made(struct MHD_Connection *connection, struct view *view,
                                 const struct view *before)
{
    char *text = NULL;
    size_t size = 0;
    struct coz_error err = {"There is not enough memory for the page."};
    FILE *out = open_memstream(&text, &size);
    int code = !out     ? -ENOMEM
               : before ? view_put_comparison(before, view, out, &err)
                        : view_put_page(view, out, &err);
    if (out && fclose(out) != 0)
        code = -ENOMEM;
    if (code == 0)
        return reply_made(connection, text, size, before ? "application/json" : "text/html; charset=utf-8");
    free(text);
    return reply_text(connection, MHD_HTTP_INTERNAL_SERVER_ERROR, err.text);
}

static ssize_t on_read(void *context, uint64_t position, char *buffer, size_t room)
{
    (void)position;
    struct stream *stream = context;
    struct server *server = stream->server;
    if (stream->is_closed)
        return MHD_CONTENT_READER_END_OF_STREAM;
    char *status = server_status(server, stream->number);
    ssize_t count =
        status ? stream_read(stream, server->views[stream->number - 1], status, clock_wall_ns(), buffer, room)
               : -ENOMEM;
    free(status);
    if (count < 0)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (count == 0) {
        stream->is_suspended = true;
        MHD_suspend_connection(stream->connection);
    }
    return count;
}

static void on_stream_end(void *context)
{
    struct stream *stream = context;
    server_drop_stream(stream->server, stream);
}

/* The state that the page has: as it was served, or what came last before the connection broke. */
static uint64_t state_of_page(struct MHD_Connection *connection)
{
    const char *last = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Last-Event-ID");
    if (!last)
        last = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "since");
    return last ? strtoull(last, NULL, 10) : 0;
}

static enum MHD_Result send_events(struct server *server, struct MHD_Connection *connection, unsigned number)
{
    struct stream *stream = stream_new(number, state_of_page(connection), clock_wall_ns());
    if (!stream)
        return MHD_NO;
    stream->server = server;
    stream->connection = connection;
    stream->fd = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    server_add_stream(server, stream);
    struct MHD_Response *response =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 16384, on_read, stream, on_stream_end);
    if (!response)
        server_drop_stream(server, stream);
    return reply_send(connection, MHD_HTTP_OK, response, "text/event-stream");
}

/* ---- what a page sends ---- */

static enum MHD_Result take_profile(struct server *server, struct MHD_Connection *connection,
                                    const struct request *request)
{
    struct coz_error err;
    const char *name = MHD_lookup_connection_value(connection, MHD_GET_ARGUMENT_KIND, "name");
    int number = server_add(server, name && *name ? name : "a profile", request->bytes ? request->bytes : "",
                            request->size, &err);
    if (number < 0)
        return reply_text(connection,
                          number == -EINVAL ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_INSUFFICIENT_STORAGE, err.text);
    char *text;
    int size = asprintf(&text, "{\"number\":%d}", number);
    return size < 0 ? MHD_NO : reply_made(connection, text, (size_t)size, "application/json");
}

static enum MHD_Result take_wish(struct server *server, struct MHD_Connection *connection,
                                 const struct request *request)
{
    struct coz_error err;
    int code = server_wish(server, request->bytes ? request->bytes : "", request->size, &err);
    if (code == 0)
        return reply_text(connection, MHD_HTTP_OK, "");
    return reply_text(connection, code == -EINVAL ? MHD_HTTP_BAD_REQUEST : MHD_HTTP_CONFLICT, err.text);
}

/* ---- requests ---- */

static size_t most_bytes(const struct request *request)
{
    return request->way.place == PLACE_PROFILES                                        ? SERVER_PROFILE_BYTES
           : request->way.place == PLACE_WISHES || request->way.place == PLACE_EXPLAIN ? SERVER_WISH_BYTES
                                                                                       : 0;
}

static bool method_fits(enum gate_place place, const char *method)
{
    if (place == PLACE_PAGE || place == PLACE_AGAINST)
        return strcmp(method, MHD_HTTP_METHOD_GET) == 0 || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
    return strcmp(method, place == PLACE_EVENTS ? MHD_HTTP_METHOD_GET : MHD_HTTP_METHOD_POST) == 0;
}

/* What has come so far is the head of the request: whoever may not come in is told so before the rest comes. */
static enum MHD_Result begin_request(struct server *server, struct MHD_Connection *connection,
                                     const char *path, const char *method, void **state)
{
    struct gate_way way = gate_find(&server->gate, path);
    const char *refusal =
        gate_refusal(&server->gate, MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Host"),
                     MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Origin"));
    if (refusal)
        return reply_text(connection, MHD_HTTP_FORBIDDEN, refusal);
    if (way.place == PLACE_NONE || way.number > server->view_count || way.before > server->view_count)
        return reply_text(connection, MHD_HTTP_FORBIDDEN, "There is nothing here for you.\n");
    if (!method_fits(way.place, method))
        return reply_text(connection, MHD_HTTP_METHOD_NOT_ALLOWED, "That cannot be done here.\n");
    struct request *request = calloc(1, sizeof *request);
    if (!request)
        return MHD_NO;
    request->way = way;
    *state = request;
    const char *length = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");
    if (length && strtoull(length, NULL, 10) > most_bytes(request))
        return reply_text(connection, HTTP_TOO_LARGE, "That is too large.\n");
    return MHD_YES;
}

static bool keep_bytes(struct request *request, const char *bytes, size_t size)
{
    if (request->is_too_large || size > most_bytes(request) - request->size) {
        request->is_too_large = true;
        return true;
    }
    if (request->size + size > request->capacity) {
        size_t capacity = 2 * (request->size + size);
        char *more = realloc(request->bytes, capacity);
        if (!more)
            return false;
        request->bytes = more;
        request->capacity = capacity;
    }
    memcpy(request->bytes + request->size, bytes, size);
    request->size += size;
    return true;
}

enum MHD_Result answer_request(void *context, struct MHD_Connection *connection, const char *path,
                               const char *method, const char *version, const char *bytes, size_t *size,
                               void **state)
{
    (void)version;
    struct server *server = context;
    struct request *request = *state;
    if (!request)
        return begin_request(server, connection, path, method, state);
    if (*size > 0) {
        bool kept = keep_bytes(request, bytes, *size);
        *size = 0;
        return kept ? MHD_YES : MHD_NO;
    }
    if (request->is_too_large)
        return reply_text(connection, HTTP_TOO_LARGE, "That is too large.\n");
    switch (request->way.place) {
    case PLACE_PAGE:
        return send_made(connection, server->views[request->way.number - 1], NULL);
    case PLACE_AGAINST:
        return send_made(connection, server->views[request->way.number - 1],
                         server->views[request->way.before - 1]);
    case PLACE_EVENTS:
        return send_events(server, connection, request->way.number);
    case PLACE_PROFILES:
        return take_profile(server, connection, request);
    case PLACE_WISHES:
        return take_wish(server, connection, request);
    case PLACE_EXPLAIN:
        return explain_request(&server->explainer, connection, server->views[request->way.number - 1],
                               request->bytes ? request->bytes : "", request->size);
    case PLACE_NONE:
        break;
    }
    return MHD_NO;
}

void answer_done(void *context, struct MHD_Connection *connection, void **state,
                 enum MHD_RequestTerminationCode how)
{
    (void)context;
    (void)connection;
    (void)how;
    struct request *request = *state;
    if (request)
        free(request->bytes);
    free(request);
    *state = NULL;
}
