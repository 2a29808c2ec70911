/* A page's stream of events (server-sent events): what is new about its profile, as messages that an EventSource
 * understands.
 *
 *     event: report, id: the view's state, data: the page's data as JSON
 *     event: status, data: {"live": true, "windows": 12, "steered": false, "number": 1,
 *                           "profiles": [{"number": 1, "name": "profile.jsonl"}]}
 *
 * and a comment from time to time, which tells a broken connection from a quiet one. */
#pragma once

#include "serve/view.h"

#include <sys/types.h>

struct stream {
    struct stream *next;       /* of the server's */
    void *server, *connection; /* whose it is, and MHD's */
    int fd;                    /* its socket */
    unsigned number;           /* of the profile */
    uint64_t state;            /* of the view that the page has */
    char *status;              /* that it was told last; owned; NULL: none yet */
    char *message;             /* on its way; owned; NULL: none */
    size_t size, sent;         /* of the message */
    uint64_t spoke_ns;         /* when the last message began */
    bool is_suspended, is_closed;
};

/* The page has that state of the view already; 0: none. NULL when memory is out. */
struct stream *stream_new(unsigned number, uint64_t state, uint64_t now_ns);
void stream_free(struct stream *stream);

/* Whether the stream has something to say: a rest, another state of the view, another status, or a comment that
 * is due. */
bool stream_has_news(const struct stream *stream, struct view *view, const char *status, uint64_t now_ns);

/* Copies what it has to say next; 0 when it has nothing. -ENOMEM. */
ssize_t stream_read(struct stream *stream, struct view *view, const char *status, uint64_t now_ns,
                    char *buffer, size_t room);
