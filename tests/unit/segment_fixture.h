/* A fake segment for each test: what tests of one segment begin and end with. After all other headers, whose parameters
 * may have that name, too. */
#pragma once

#include "fake_segment.h"

static struct segment *segment;

static inline int segment_begin(void **state)
{
    (void)state;
    return (segment = fake_segment()) ? 0 : -1;
}

static inline int segment_end(void **state)
{
    (void)state;
    fake_segment_release(segment);
    return 0;
}
