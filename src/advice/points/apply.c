#include "advice/points/apply.h"

#include "base/source_file.h"
#include "base/write_all.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int write_beside(char *place, const struct stat *status, const char *text)
{
    int fd = mkstemp(place);
    if (fd < 0)
        return -errno;
    int code = fchmod(fd, status->st_mode & 07777) == 0 ? 0 : -errno;
    if (code == 0)
        code = write_all(fd, text, strlen(text));
    /* Another owner's file stays the owner's, as far as we may. */
    if (code == 0 && fchown(fd, status->st_uid, status->st_gid) != 0 && errno != EPERM)
        code = -errno;
    if (fsync(fd) != 0 && code == 0)
        code = -errno;
    close(fd);
    return code;
}

int source_replace(const struct point_source *source, const char *text, struct coz_error *err)
{
    struct stat status;
    char real[PATH_MAX], place[PATH_MAX + 16];
    if (!realpath(source->path, real))
        return error_set(err, errno, "%s: %s", source->path, strerror(errno));
    char *now = source_read(real, &status);
    bool is_same = now && strcmp(now, source->text) == 0;
    free(now);
    if (!is_same)
        return error_set(err, ESTALE, "%s was changed meanwhile, and is left as it is.", source->path);
    snprintf(place, sizeof place, "%s.XXXXXX", real);
    int code = write_beside(place, &status, text);
    if (code == 0 && rename(place, real) != 0)
        code = -errno;
    if (code < 0) {
        unlink(place);
        return error_set(err, -code, "%s cannot be written: %s", source->path, strerror(-code));
    }
    return 0;
}
