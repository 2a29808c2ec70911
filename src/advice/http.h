/* One POST, whose answer is handed on as it comes. By libcurl; where there was none when coz was built, http_post()
 * fails and says so. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct http_request {
    const char *url;            /* http or https; redirections are not followed */
    const char *host;           /* the same's, for words */
    const char *const *headers; /* "Name: value" */
    size_t header_count;
    const char *body;
    size_t size;
    unsigned silence_s, total_s; /* so long without a byte, and so long in all, and it is given up */
    bool direct;                 /* by no proxy */
    /* Called for each piece of an answer of status 200, and about once a second (with no bytes). Not 0 ends it. */
    int (*take)(void *context, const char *bytes, size_t size);
    void *context;
};

enum { HTTP_REFUSAL_BYTES = 8192 };

struct http_answer {
    long status;
    long retry_after_s;                   /* 0: not told */
    bool is_cut;                          /* the connection broke after the answer had begun */
    char refusal[HTTP_REFUSAL_BYTES + 1]; /* the body's beginning, if the status is none of 200 */
    size_t refusal_size;
};

/* Whether there is a way to send anything: 0, or -ENOSYS. */
int http_check(struct coz_error *err);

/* 0 when there is an answer, whatever its status; else a negative errno, take()'s among them, for which err is left
 * as it was. No word of err is from the headers or the body that were sent. */
int http_post(const struct http_request *request, struct http_answer *answer, struct coz_error *err);
