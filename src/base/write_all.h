/* write(2) until all is written. */
#pragma once

#include <stddef.h>

/* 0, or a negative errno: then a part may have been written. */
int write_all(int fd, const void *bytes, size_t size);
