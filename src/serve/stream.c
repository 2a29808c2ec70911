#include "serve/stream.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t comment_every_ns = 15000000000;

struct stream *stream_new(unsigned number, uint64_t state, uint64_t now)
{
    struct stream *stream = calloc(1, sizeof *stream);
    /* Whoever loses the connection comes back after a second. */
    char *greeting = strdup("retry: 1000\n\n");
    if (!stream || !greeting) {
        free(stream);
        free(greeting);
        return NULL;
    }
    *stream = (struct stream){.number = number,
                              .state = state,
                              .message = greeting,
                              .size = strlen(greeting),
                              .spoke_ns = now,
                              .fd = -1};
    return stream;
}

void stream_free(struct stream *stream)
{
    if (!stream)
        return;
    free(stream->status);
    free(stream->message);
    free(stream);
}

static bool knows_status(const struct stream *stream, const char *status)
{
    return stream->status && strcmp(stream->status, status) == 0;
}

bool stream_has_news(const struct stream *stream, struct view *view, const char *status, uint64_t now)
{
    return stream->message || stream->state != view_state(view) || !knows_status(stream, status) ||
           now >= stream->spoke_ns + comment_every_ns;
}

static int put_message(struct stream *stream, struct view *view, const char *status, FILE *out)
{
    if (stream->state != view_state(view)) {
        fprintf(out, "event: report\nid: %" PRIu64 "\ndata: ", view_state(view));
        int code = view_put_data(view, out, NULL);
        fputs("\n\n", out);
        stream->state = view_state(view);
        return code;
    }
    if (!knows_status(stream, status)) {
        char *copy = strdup(status);
        if (!copy)
            return -ENOMEM;
        free(stream->status);
        stream->status = copy;
        fprintf(out, "event: status\ndata: %s\n\n", status);
        return 0;
    }
    fputs(":\n\n", out);
    return 0;
}

static int begin_message(struct stream *stream, struct view *view, const char *status, uint64_t now)
{
    FILE *out = open_memstream(&stream->message, &stream->size);
    if (!out)
        return -ENOMEM;
    int code = put_message(stream, view, status, out);
    if (fclose(out) != 0)
        code = -ENOMEM;
    stream->sent = 0;
    stream->spoke_ns = now;
    return code;
}

ssize_t stream_read(struct stream *stream, struct view *view, const char *status, uint64_t now, char *buffer,
                    size_t room)
{
    if (!stream_has_news(stream, view, status, now))
        return 0;
    int code = stream->message ? 0 : begin_message(stream, view, status, now);
    if (code < 0)
        return code;
    size_t left = stream->size - stream->sent, part = left < room ? left : room;
    memcpy(buffer, stream->message + stream->sent, part);
    stream->sent += part;
    if (stream->sent == stream->size) {
        free(stream->message);
        stream->message = NULL;
    }
    return (ssize_t)part;
}
