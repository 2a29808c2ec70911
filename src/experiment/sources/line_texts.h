/* What stands in the source lines that a run sampled, for the end of its profile: a later build's lines are found by
 * it. Reads the files as they are then; of one that was changed after the run began it tells nothing. Bounded, so
 * that a run of a large program does not end with a wait. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum { LINE_TEXT_BYTES = 120 }; /* so much of a line tells it from others */

struct line_file {
    char *path, *text; /* owned; no text: it tells nothing */
    size_t *lines;     /* where each begins */
    size_t line_count;
};

/* Starts zeroed, but for started_ns: when the run began, on the wall clock. */
struct line_texts {
    uint64_t started_ns;
    struct line_file *files;
    size_t count, capacity, last; /* last: that was asked for */
    size_t bytes;                 /* read so far */
};

/* Writes the text of "path:line" without blanks around it, and one for several in it; of a call site, "path:line <-
 * path:line", both, with " <- " between. "": unknown. */
void line_texts_find(struct line_texts *texts, const char *location, char *text, size_t size);
void line_texts_release(struct line_texts *texts);
