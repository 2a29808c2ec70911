/* What was promised and what came of it: a line of JSON for each time that two builds were compared, in a file
 * beside the profile (docs/design/profile.md). */
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>

#define VERIFIED_FILE "coz-verified.jsonl"

/* A share of time that is saved, with its 95 % interval; NAN: not known. */
struct verified_effect {
    double value, low, high;
};

struct verified {
    uint64_t time_ns;                       /* wall clock, since the epoch */
    const char *before, *after;             /* the commands */
    const char *before_build, *after_build; /* their builds; NULL: unknown */
    const char *profile;                    /* that promised; NULL: none did */
    const char *point;
    bool is_latency;
    const char *kind, *location, *after_location; /* the target in either build; NULL: none was looked at */
    unsigned rounds;
    struct verified_effect gain;    /* of the time for each visit, or of the latency */
    struct verified_effect line;    /* of the target's CPU time for each visit: how much faster it became */
    struct verified_effect promise; /* what the profile says for a line that becomes so much faster */
};

enum verified_outcome {
    VERIFIED_NOTHING, /* no gain is shown */
    VERIFIED_LOST,    /* it became slower */
    VERIFIED_GAINED,  /* and nothing was promised */
    VERIFIED_KEPT,    /* both intervals allow for the same */
    VERIFIED_LESS,    /* gained, but less than promised */
    VERIFIED_MORE,
};

enum verified_outcome verified_outcome(const struct verified *verified);
const char *verified_outcome_name(enum verified_outcome outcome); /* "nothing", "lost", ... as above */

/* As the file holds it: an object of jansson's, to be released; NULL when memory is out. */
struct json_t;
struct json_t *verified_json(const struct verified *verified);

/* The path of the file beside a profile. To be freed; NULL: memory is out. */
char *verified_path(const char *profile);

/* Adds it to the file. 0 or a negative errno. */
int verified_append(const char *path, const struct verified *verified, struct coz_error *err);

/* Calls for each that the file holds, as long as 0 is returned; what is passed is the reader's. Lines that cannot
 * be used are passed over. 0, also when there is no file; or what the call returned. */
int verified_read(const char *path, int (*one)(void *context, const struct verified *verified),
                  void *context);
