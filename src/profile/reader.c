#include "profile/reader.h"

#include "profile/parse.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h> /* flock */
#include <sys/stat.h>
#include <unistd.h>

/* No line that we write comes near; what does is not a profile, and is passed over without being kept. */
enum { LINE_MAX_BYTES = 1 << 20, CHUNK_BYTES = 1 << 16 };

struct reader {
    const char *path;
    const struct profile_visitor *visitor;
    char *line; /* what is known of the current line; one byte more than capacity */
    size_t length, capacity;
    size_t number;    /* of the current line, from 1 */
    bool overlong;    /* the current line passed LINE_MAX_BYTES */
    bool in_window;   /* an experiment has been read, and points belong to it */
    bool lost_window; /* ... or one was there that could not be read */
    struct coz_error *err;
};

static void report_problem(struct reader *reader, size_t column, const char *what)
{
    if (!reader->visitor->problem)
        return;
    struct profile_problem problem = {reader->path, reader->number, column, what};
    reader->visitor->problem(reader->visitor->context, &problem);
}

/* A point belongs to the experiment before it. When that one was unreadable, giving the point to an earlier
 * one would be a wrong answer instead of a missing one. */
static bool find_window(struct reader *reader, const struct profile_record *record)
{
    switch (record->type) {
    case PROFILE_EXPERIMENT:
        reader->in_window = true;
        break;
    case PROFILE_THROUGHPUT:
    case PROFILE_LATENCY:
    case PROFILE_PROCESS_POINT:
    case PROFILE_PROCESS_LATENCY:
    case PROFILE_LATENCY_TIMES:
        if (!reader->in_window) {
            report_problem(reader, 1,
                           reader->lost_window
                               ? "skipped: the experiment that this point belongs to was unreadable"
                               : "skipped: no experiment stands before this point");
            return false;
        }
        break;
    case PROFILE_STARTUP:
    case PROFILE_RUNTIME:
    case PROFILE_SAMPLES:
    case PROFILE_PROCESS:
    case PROFILE_DISCARDED:
    case PROFILE_SOURCE:
    case PROFILE_WAIT:
    case PROFILE_WAKE:
    case PROFILE_AWAIT:
    case PROFILE_STACK:
    case PROFILE_REMARK:
        reader->in_window = reader->lost_window = false;
        break;
    }
    return true;
}

static bool is_blank(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (text[i] != ' ' && text[i] != '\t')
            return false;
    return true;
}

static int take_line(struct reader *reader, bool torn)
{
    if (reader->overlong) {
        report_problem(reader, 0, "skipped: longer than 1 MiB");
        reader->in_window = false;
        reader->lost_window = true;
        return 0;
    }
    char *line = reader->line;
    size_t length = reader->length;
    if (reader->number == 1 && length >= 3 && memcmp(line, "\xef\xbb\xbf", 3) == 0)
        memset(line, ' ', 3); /* a byte order mark, from an editor */
    if (length > 0 && line[length - 1] == '\r')
        length--;
    if (is_blank(line, length))
        return 0;

    size_t start = strspn(line, " ");
    bool json = line[start] == '{' || line[start] == '[';
    struct profile_record record;
    struct parse_complaint complaint;
    struct parse_state state = {0};
    enum parse_outcome outcome;
    if (json) {
        outcome = parse_flat(line, length, &record) ? PARSE_RECORD
                                                    : parse_json(&state, line, length, &record, &complaint);
    } else if (torn) {
        /* 1234 may be the beginning of 1234567: nothing tells, so do not believe it. */
        outcome = PARSE_BAD;
    } else {
        outcome = parse_tab(line + start, length - start, &record, &complaint);
        complaint.column += start;
    }

    int code = 0;
    if (outcome == PARSE_BAD) {
        reader->in_window = false;
        reader->lost_window = true;
        if (torn)
            report_problem(reader, length + 1,
                           "skipped: the last line is cut off (the profiler was killed?)");
        else
            report_problem(reader, complaint.column, complaint.what);
    } else if (outcome == PARSE_RECORD && find_window(reader, &record)) {
        code = reader->visitor->record(reader->visitor->context, &record);
        if (code < 0)
            error_set(reader->err, -code, "%s:%zu: %s", reader->path, reader->number, strerror(-code));
    }
    parse_release(&state);
    return code < 0 ? code : 0;
}

static int keep_bytes(struct reader *reader, const char *bytes, size_t count)
{
    if (reader->overlong || reader->length + count > LINE_MAX_BYTES) {
        reader->overlong = true;
        return 0;
    }
    if (!reader->line || reader->length + count > reader->capacity) {
        size_t capacity = 2 * (reader->length + count);
        char *line = realloc(reader->line, capacity + 1);
        if (!line)
            return error_set(reader->err, ENOMEM, "%s: out of memory", reader->path);
        reader->line = line;
        reader->capacity = capacity;
    }
    memcpy(reader->line + reader->length, bytes, count);
    reader->length += count;
    reader->line[reader->length] = '\0';
    return 0;
}

static int take_chunk(struct reader *reader, const char *chunk, size_t count)
{
    while (count > 0) {
        const char *newline = memchr(chunk, '\n', count);
        size_t part = newline ? (size_t)(newline - chunk) : count;
        int code = keep_bytes(reader, chunk, part);
        if (code == 0 && newline) {
            code = take_line(reader, false);
            reader->number++;
            reader->length = 0;
            reader->overlong = false;
            part++;
        }
        if (code < 0)
            return code;
        chunk += part;
        count -= part;
    }
    return 0;
}

/* Reads until there is no more for now. */
static int take_file(struct reader *reader, int fd)
{
    char *chunk = malloc(CHUNK_BYTES);
    if (!chunk)
        return error_set(reader->err, ENOMEM, "%s: out of memory", reader->path);
    int code = 0;
    ssize_t count;
    do {
        count = read(fd, chunk, CHUNK_BYTES);
        if (count > 0)
            code = take_chunk(reader, chunk, (size_t)count);
        else if (count < 0 && errno != EINTR)
            code = error_set(reader->err, errno, "%s: %s", reader->path, strerror(errno));
    } while (code == 0 && count != 0);
    free(chunk);
    return code;
}

/* What stands behind the last newline. */
static int take_rest(struct reader *reader)
{
    int code = reader->length > 0 || reader->overlong ? take_line(reader, true) : 0;
    reader->length = 0;
    reader->overlong = false;
    return code;
}

static int open_profile(const char **path, struct coz_error *err)
{
    if (strcmp(*path, "-") == 0) {
        *path = "<stdin>";
        return STDIN_FILENO;
    }
    int fd = open(*path, O_RDONLY | O_CLOEXEC);
    return fd >= 0 ? fd : error_set(err, errno, "%s: %s", *path, strerror(errno));
}

int profile_read(const char *path, const struct profile_visitor *visitor, struct coz_error *err)
{
    int fd = open_profile(&path, err);
    if (fd < 0)
        return fd;
    struct reader reader = {.path = path, .visitor = visitor, .number = 1, .err = err};
    int code = take_file(&reader, fd);
    if (code == 0)
        code = take_rest(&reader);
    free(reader.line);
    if (fd != STDIN_FILENO)
        close(fd);
    return code;
}

int profile_read_bytes(const char *name, const char *bytes, size_t size,
                       const struct profile_visitor *visitor, struct coz_error *err)
{
    struct reader reader = {.path = name, .visitor = visitor, .number = 1, .err = err};
    int code = take_chunk(&reader, bytes, size);
    if (code == 0)
        code = take_rest(&reader);
    free(reader.line);
    return code;
}

/* ---- following ---- */

struct profile_follower {
    int fd;
    struct profile_visitor visitor;
    struct reader reader;
    bool is_over; /* a pipe, which was read to its end */
    char path[];
};

int profile_follow(struct profile_follower **out, const char *path, const struct profile_visitor *visitor,
                   struct coz_error *err)
{
    size_t size = strlen(path) + 1;
    struct profile_follower *follower = calloc(1, sizeof *follower + size);
    *out = NULL;
    if (!follower)
        return error_set(err, ENOMEM, "%s: out of memory", path);
    memcpy(follower->path, path, size);
    follower->visitor = *visitor;
    follower->reader = (struct reader){.path = follower->path, .visitor = &follower->visitor, .number = 1};
    follower->fd = open_profile(&follower->reader.path, err);
    if (follower->fd < 0) {
        int code = follower->fd;
        free(follower);
        return code;
    }
    *out = follower;
    return 0;
}

/* Whether it is still the file of that name, and not shorter than what was read of it. */
static int check_same(const struct profile_follower *follower, const struct stat *now, struct coz_error *err)
{
    struct stat named;
    if (S_ISREG(now->st_mode) && lseek(follower->fd, 0, SEEK_CUR) > now->st_size)
        return error_set(err, ESTALE, "%s was cut off", follower->path);
    if (follower->fd != STDIN_FILENO && stat(follower->path, &named) == 0 &&
        (named.st_dev != now->st_dev || named.st_ino != now->st_ino))
        return error_set(err, ESTALE, "%s is another file now", follower->path);
    return 0;
}

int profile_follow_on(struct profile_follower *follower, struct coz_error *err)
{
    struct stat now;
    if (fstat(follower->fd, &now) != 0)
        return error_set(err, errno, "%s: %s", follower->path, strerror(errno));
    int code = check_same(follower, &now, err);
    bool is_at_end = S_ISREG(now.st_mode) && lseek(follower->fd, 0, SEEK_CUR) == now.st_size;
    if (code == 0 && (is_at_end || follower->is_over))
        return 0;
    follower->is_over = !S_ISREG(now.st_mode);
    follower->reader.err = err;
    if (code == 0)
        code = take_file(&follower->reader, follower->fd);
    return code < 0 ? code : 1;
}

int profile_follow_end(struct profile_follower *follower, struct coz_error *err)
{
    follower->reader.err = err;
    return take_rest(&follower->reader);
}

bool profile_is_written(const struct profile_follower *follower)
{
    if (flock(follower->fd, LOCK_SH | LOCK_NB) != 0)
        return errno == EWOULDBLOCK;
    flock(follower->fd, LOCK_UN);
    return false;
}

void profile_unfollow(struct profile_follower *follower)
{
    if (!follower)
        return;
    if (follower->fd != STDIN_FILENO)
        close(follower->fd);
    free(follower->reader.line);
    free(follower);
}
