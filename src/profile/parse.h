/* One line of a profile into a record. Internal to src/profile/. */
#pragma once

#include "profile/record.h"

#include <stdbool.h>
#include <stddef.h>

enum parse_outcome {
    PARSE_RECORD,  /* *record is filled; its strings live until parse_release() */
    PARSE_SKIPPED, /* well formed, of a type that we do not know */
    PARSE_BAD      /* *complaint says why */
};

struct parse_complaint {
    size_t column; /* from 1, in bytes; 0: about the whole line */
    char what[256];
};

struct parse_state {
    void *json; /* the parsed value that holds the record's strings */
};

/* line need not end in a zero byte, but line[length] must be writable: parsing the tab-separated form cuts
 * the line into strings in place. */
enum parse_outcome parse_json(struct parse_state *state, const char *line, size_t length,
                              struct profile_record *record, struct parse_complaint *complaint);
enum parse_outcome parse_tab(char *line, size_t length, struct profile_record *record,
                             struct parse_complaint *complaint);
void parse_release(struct parse_state *state);

/* Most lines of JSON, as parse_json() would, at a small part of its cost: true when *record is filled, whose
 * strings lie in the line and live as long as that. False: the line is as it was, and parse_json() has to look
 * at it. */
bool parse_flat(char *line, size_t length, struct profile_record *record);
