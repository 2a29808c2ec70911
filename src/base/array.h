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
