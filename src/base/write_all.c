#include "base/write_all.h"

#include <errno.h>
#include <unistd.h>

int write_all(int fd, const void *bytes, size_t size)
{
    const char *at = bytes, *end = at + size;
    while (at < end) {
        ssize_t written = write(fd, at, (size_t)(end - at));
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return written < 0 ? -errno : -EIO;
        at += written;
    }
    return 0;
}
