#include "profile/merge.h"

#include "base/write_all.h"
#include "profile/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h> /* flock */
#include <sys/stat.h>
#include <unistd.h>

enum { CHUNK_BYTES = 1 << 16 };

struct checking {
    struct merge *merge;
    struct merge_input *input;
    struct coz_error *err;
    bool is_bad; /* the first line that cannot be used is told */
    size_t records;
};

static int take_record(void *context, const struct profile_record *record)
{
    struct checking *checking = context;
    if (checking->records++ == 0)
        checking->input->lacks_startup = record->type != PROFILE_STARTUP;
    return builds_add(&checking->merge->builds, checking->input->path, record);
}

static void take_problem(void *context, const struct profile_problem *problem)
{
    struct checking *checking = context;
    if (checking->is_bad)
        return;
    checking->is_bad = true;
    error_set(checking->err, EINVAL, "%s:%zu: %s. Nothing was merged: mend that line or remove it.",
              problem->path, problem->line, problem->what);
}

static int open_input(struct merge *merge, struct merge_input *input, struct coz_error *err)
{
    struct stat status, other;
    input->fd = open(input->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (input->fd < 0 || fstat(input->fd, &status) != 0)
        return error_set(err, errno, "%s: %s", input->path, strerror(errno));
    if (!S_ISREG(status.st_mode))
        return error_set(err, EINVAL, "%s is not a regular file: only files can be merged.", input->path);
    for (struct merge_input *earlier = merge->inputs; earlier < input; earlier++)
        if (fstat(earlier->fd, &other) == 0 && other.st_dev == status.st_dev && other.st_ino == status.st_ino)
            return error_set(err, EEXIST, "%s is named twice, and its runs would count twice.", input->path);
    if (flock(input->fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK)
        return error_set(err, EBUSY, "%s: a run is writing to it; wait until it has ended.", input->path);
    return 0;
}

static int check_input(struct merge *merge, struct merge_input *input, struct coz_error *err)
{
    struct checking checking = {.merge = merge, .input = input, .err = err};
    struct profile_visitor visitor = {take_record, take_problem, &checking};
    int code = open_input(merge, input, err);
    if (code == 0)
        code = profile_read(input->path, &visitor, checking.is_bad ? NULL : err);
    if (code == 0 && checking.is_bad)
        return -EINVAL;
    if (code == 0 && checking.records == 0)
        return error_set(err, EINVAL, "%s holds no record: it is no profile.", input->path);
    return code;
}

int merge_check(struct merge *merge, char *const *paths, size_t count, struct coz_error *err)
{
    merge->inputs = calloc(count + 1, sizeof *merge->inputs);
    if (!merge->inputs)
        return error_set(err, ENOMEM, "out of memory");
    int code = 0;
    for (size_t i = 0; i < count && code == 0; i++) {
        merge->inputs[i] = (struct merge_input){.path = paths[i], .fd = -1};
        merge->count++;
        code = check_input(merge, &merge->inputs[i], err);
    }
    return code;
}

void merge_release(struct merge *merge)
{
    for (size_t i = 0; i < merge->count; i++)
        if (merge->inputs[i].fd >= 0)
            close(merge->inputs[i].fd);
    free(merge->inputs);
    builds_release(&merge->builds);
}

/* All of it but a byte order mark, which only stands at the beginning of a file; and the end of its last line. */
static int copy_input(const struct merge_input *input, int out, char *chunk)
{
    static const char startup[] = "{\"type\":\"startup\"}\n";
    int code = input->lacks_startup ? write_all(out, startup, sizeof startup - 1) : 0;
    char last = '\n';
    ssize_t got;
    for (off_t at = 0; code == 0; at += got) {
        got = pread(input->fd, chunk, CHUNK_BYTES, at);
        if (got < 0 && errno == EINTR) {
            got = 0;
            continue;
        }
        if (got <= 0)
            return got < 0 ? -errno : last == '\n' ? 0 : write_all(out, "\n", 1);
        size_t skip = at == 0 && got >= 3 && memcmp(chunk, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
        code = write_all(out, chunk + skip, (size_t)got - skip);
        last = chunk[got - 1];
    }
    return code;
}

int merge_write(const struct merge *merge, const char *output, struct coz_error *err)
{
    int out = open(output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (out < 0 && errno == EEXIST)
        return error_set(err, EEXIST,
                         "%s is there already, and is left as it is: name another with --output.", output);
    if (out < 0)
        return error_set(err, errno, "%s cannot be written: %s", output, strerror(errno));
    char *chunk = malloc(CHUNK_BYTES);
    int code = chunk ? 0 : -ENOMEM;
    for (size_t i = 0; i < merge->count && code == 0; i++)
        code = copy_input(&merge->inputs[i], out, chunk);
    free(chunk);
    if (close(out) != 0 && code == 0)
        code = -errno;
    if (code == 0)
        return 0;
    unlink(output);
    return error_set(err, -code, "%s cannot be written: %s", output, strerror(-code));
}
