/* Who may come in, and where to: the checks of a request, before anything else is done with it. Pure, but for
 * gate_init(). */
#pragma once

#include "base/error.h"

#include <stdint.h>

enum { GATE_TOKEN_BYTES = 24, GATE_TOKEN = 2 * GATE_TOKEN_BYTES + 1 };

struct gate {
    char token[GATE_TOKEN]; /* the first part of every path, in hexadecimal digits */
    uint16_t port;
};

/* Draws the token from the kernel. 0 or a negative errno. */
int gate_init(struct gate *gate, uint16_t port, struct coz_error *err);

/* Why a request is refused, in words; NULL when its Host is this machine by one of its own names, and its Origin
 * (NULL: it has none) this server. A name that somebody else has led to this machine is neither, and nor is a
 * page from elsewhere. */
const char *gate_refusal(const struct gate *gate, const char *host, const char *origin);

enum gate_place {
    PLACE_NONE,     /* there is nothing, or the token is wrong: both look alike from outside */
    PLACE_PAGE,     /* TOKEN/N/ */
    PLACE_EVENTS,   /* TOKEN/N/events */
    PLACE_AGAINST,  /* TOKEN/N/against/M: what changed from profile M to this one */
    PLACE_EXPLAIN,  /* TOKEN/N/explain: to ask a language model about a line of it */
    PLACE_PROFILES, /* TOKEN/profiles: to bring more */
    PLACE_WISHES,   /* TOKEN/wishes: for the run that goes on */
};

struct gate_way {
    enum gate_place place;
    unsigned number; /* which profile, from 1 */
    unsigned before; /* of PLACE_AGAINST: the other one */
};

/* Where the path leads. It takes equally long for every token that is wrong. */
struct gate_way gate_find(const struct gate *gate, const char *path);
