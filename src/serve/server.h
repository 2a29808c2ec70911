/* The server from within: what server.c, which has the loop, and answers.c share. */
#pragma once

#include "serve/explain.h"
#include "serve/gate.h"
#include "serve/serve.h"
#include "serve/stream.h"

#include <microhttpd.h>

/* So many profiles at most, of so many bytes where they are brought by a page; and a wish so long. */
enum { SERVER_VIEWS = 16, SERVER_PROFILE_BYTES = 256 << 20, SERVER_WISH_BYTES = 4096 };

struct server {
    const struct serve_options *options;
    struct gate gate;
    struct MHD_Daemon *daemon;
    int newer;                        /* the socket that listens at IPv6's loopback; -1: there is none */
    struct view *views[SERVER_VIEWS]; /* number 1 first */
    unsigned view_count;
    struct stream *streams;
    struct explainer explainer;
    int controller; /* its socket; 0: there is none, or none any more */
    bool had_streams;
    uint64_t silent_ns;    /* since when there is no stream */
    uint64_t next_look_ns; /* at the profiles */
};

/* What a page is told beside its data: JSON in one line, to be freed; NULL when memory is out. */
char *server_status(const struct server *server, unsigned number);

/* Takes bytes that a page brought as one more profile. Its number, or a negative errno: -ENOSPC when there are
 * too many. */
int server_add(struct server *server, const char *name, const char *bytes, size_t size,
               struct coz_error *err);

/* Hands a wish on to the controller (experiment/session/wishes.h). 0 when it is granted; -EINVAL: it is none;
 * -ENOTCONN: no run goes on; -EPERM: it is refused. err says so in words. */
int server_wish(struct server *server, const char *wish, size_t size, struct coz_error *err);

/* A stream has begun, or has ended and is freed. */
void server_add_stream(struct server *server, struct stream *stream);
void server_drop_stream(struct server *server, struct stream *stream);

/* MHD's callbacks; the first argument is the server. */
enum MHD_Result answer_request(void *server, struct MHD_Connection *connection, const char *path,
                               const char *method, const char *version, const char *bytes, size_t *size,
                               void **request);
void answer_done(void *server, struct MHD_Connection *connection, void **request,
                 enum MHD_RequestTerminationCode how);
