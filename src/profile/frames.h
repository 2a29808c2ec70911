/* The frames of a stack as a profile has them (record.h): one after the other. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct profile_frame {
    char *function, *place; /* NULL: not known */
    bool is_inlined;        /* into the next one */
    char *memory;           /* private: both lie in it */
};

/* The next frame of *rest, which begins as a record's text and moves on. False at its end, and without memory. Release
 * what was found. */
bool profile_frame_next(const char **rest, struct profile_frame *frame);
void profile_frame_release(struct profile_frame *frame);
