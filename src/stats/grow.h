/* Arrays that grow. Internal to src/stats/. */
#pragma once

#include <stddef.h>
#include <stdlib.h>

/* The array with twice as much room (8 at first), in elements of that size; NULL when memory is out, and both
 * are as they were. */
static inline void *grown(void *array, size_t *capacity, size_t size)
{
    size_t more = *capacity ? *capacity * 2 : 8;
    void *result = realloc(array, more * size);
    if (result)
        *capacity = more;
    return result;
}
