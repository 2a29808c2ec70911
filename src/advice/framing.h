/* An answer that streams in, cut into its messages, however it was cut into pieces on its way. */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

enum framing_kind {
    FRAMING_EVENTS, /* server-sent events */
    FRAMING_LINES,  /* a line each */
    FRAMING_AMAZON, /* application/vnd.amazon.eventstream: lengths, headers, a payload, checksums */
};

enum { FRAME_BYTES_MOST = 1 << 20, FRAME_NAME = 64 };

struct frame {
    char name[FRAME_NAME]; /* of the event; Amazon's exceptions have theirs, too */
    bool is_exception;
    const char *data; /* with a zero byte behind */
    size_t size;
};

/* Begins as zeroes, but for these three. */
struct framing {
    enum framing_kind kind;
    int (*take)(void *context, const struct frame *frame); /* not 0 ends it */
    void *context;
    char *bytes; /* that are no whole line or message yet */
    size_t size, capacity;
    char *data; /* of the event whose lines come */
    size_t data_size, data_capacity;
    struct frame frame;
};

/* 0, what take() said, -EBADMSG: it is not of that kind, -EMSGSIZE: a message is too long, -ENOMEM. */
int framing_add(struct framing *framing, const char *bytes, size_t size, struct coz_error *err);
/* No more comes: a last line without its end counts. The same. */
int framing_end(struct framing *framing, struct coz_error *err);
void framing_release(struct framing *framing);
