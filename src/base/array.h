/* Arrays that grow. Where an element is added:
 *
 *     if (count == capacity) {
 *         void *more = array_grown(elements, &capacity, sizeof *elements);
 *         if (!more)
 *             return -ENOMEM;
 *         elements = more;
 *     }
 *     elements[count++] = ...;
 *
 * Not for handlers: it allocates. */
#pragma once

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* The array with twice as much room (8 at first), in elements of that size; NULL when memory is out, and both
 * are as they were. */
static inline void *array_grown(void *array, size_t *capacity, size_t size)
{
    size_t more = *capacity ? *capacity * 2 : 8;
    void *result = reallocarray(array, more, size);
    if (result)
        *capacity = more;
    return result;
}

/* The array with room for `needed` elements of that size or more, new ones zero: for arrays whose elements have
 * their places from elsewhere. NULL when memory is out, and both are as they were. */
static inline void *array_zeroed(void *array, size_t *capacity, size_t needed, size_t size)
{
    if (needed <= *capacity)
        return array;
    size_t more = needed < 16 ? 16 : 2 * needed;
    char *result = reallocarray(array, more, size);
    if (!result)
        return NULL;
    memset(result + *capacity * size, 0, (more - *capacity) * size);
    *capacity = more;
    return result;
}
