#include "profile/writer.h"

#include "profile/layout.h"
#include "profile/utf8.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h> /* flock */
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct profile_writer {
    int fd;
    enum profile_format format;
    bool torn; /* the file ends in the middle of a line: begin the next one with a newline */
    char path[];
};

static void put_json_string(FILE *out, const char *string)
{
    putc('"', out);
    for (const char *c = string; *c;) {
        size_t length = utf8_length(c);
        if (length == 0) {
            fputs(UTF8_REPLACEMENT, out);
            c++;
            continue;
        }
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            fprintf(out, "\\u%04x", (unsigned char)*c);
        else
            fwrite(c, 1, length, out);
        c += length;
    }
    putc('"', out);
}

static void put_tab_string(FILE *out, const char *string)
{
    for (; *string; string++)
        putc((unsigned char)*string < 0x20 ? ' ' : *string, out);
}

/* The shortest decimal that reads back as the same number. */
static void put_number(FILE *out, double value)
{
    char text[40];
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    fputs(text, out);
}

/* Absent members are those that are 0 and not required; a block number is present when has_block says so. */
static bool is_absent(const struct profile_record *record, const struct layout_member *member)
{
    const char *place = (const char *)record + member->offset;
    if (member->required)
        return false;
    if (record->type == PROFILE_EXPERIMENT && place == (const char *)&record->experiment.block)
        return !record->experiment.has_block;
    if (member->kind == LAYOUT_STRING)
        return !*(const char *const *)(const void *)place || !**(const char *const *)(const void *)place;
    if (member->kind == LAYOUT_NUMBER)
        return *(const double *)(const void *)place == 0;
    return member->kind == LAYOUT_COUNT && *(const uint64_t *)(const void *)place == 0;
}

static void put_value(FILE *out, const struct profile_record *record, const struct layout_member *member,
                      enum profile_format format)
{
    const void *place = (const char *)record + member->offset;
    uint64_t count;
    double number;
    const char *string;
    switch (member->kind) {
    case LAYOUT_STRING:
        string = *(const char *const *)place;
        /* A reader takes no empty name. */
        string = string && *string ? string : "?";
        if (format == PROFILE_JSON_LINES)
            put_json_string(out, string);
        else
            put_tab_string(out, string);
        break;
    case LAYOUT_COUNT:
        memcpy(&count, place, sizeof count);
        fprintf(out, "%" PRIu64, count > INT64_MAX ? (uint64_t)INT64_MAX : count);
        break;
    case LAYOUT_NUMBER:
    case LAYOUT_SPEEDUP:
        memcpy(&number, place, sizeof number);
        put_number(out, isfinite(number) ? number : 0);
        break;
    }
}

static void put_record(FILE *out, const struct profile_record *record, enum profile_format format)
{
    const struct layout *layout = layout_by_type(record->type);
    bool json = format == PROFILE_JSON_LINES;
    fprintf(out, json ? "{\"type\":\"%s\"" : "%s", layout->name);
    for (size_t i = 0; i < layout->count; i++) {
        const struct layout_member *member = &layout->members[i];
        if (is_absent(record, member))
            continue;
        fprintf(out, json ? ",\"%s\":" : "\t%s=", json ? member->json : member->tab);
        put_value(out, record, member, format);
    }
    fputs(json ? "}\n" : "\n", out);
}

/* 0, or the errno that kept some of it from being written; what had been is taken back then, where that can be
 * done: a line that was cut would look like a crash. */
static int write_line(struct profile_writer *writer, const char *line, size_t length)
{
    size_t done = 0;
    while (done < length) {
        ssize_t written = write(writer->fd, line + done, length - done);
        if (written > 0)
            done += (size_t)written;
        else if (written == 0 || errno != EINTR)
            break;
    }
    int code = done == length ? 0 : errno;
    struct stat status;
    bool taken_back = done > 0 && done < length && fstat(writer->fd, &status) == 0 &&
                      S_ISREG(status.st_mode) && status.st_size >= (off_t)done &&
                      ftruncate(writer->fd, status.st_size - (off_t)done) == 0;
    if (done > 0 && !taken_back)
        writer->torn = done < length;
    return code;
}

int profile_write(struct profile_writer *writer, const struct profile_record *record, struct coz_error *err)
{
    char *line = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&line, &length);
    if (!out)
        return error_set(err, ENOMEM, "%s: out of memory", writer->path);
    if (writer->torn)
        putc('\n', out);
    put_record(out, record, writer->format);
    int code = 0;
    if (fclose(out) != 0) {
        code = error_set(err, ENOMEM, "%s: out of memory", writer->path);
    } else {
        code = write_line(writer, line, length);
        if (code)
            code = error_set(err, code, "The profile %s cannot be written any more (%s)", writer->path,
                             strerror(code));
    }
    free(line);
    return code;
}

/* Two runs that write at once would mix their experiments' points, which no reader could tell apart. Whoever
 * only looks whether somebody writes (profile_is_written) holds the file for microseconds. */
static int claim_file(struct profile_writer *writer, const struct stat *status, struct coz_error *err)
{
    static const struct timespec pause = {.tv_nsec = 5000000};
    for (int tries = 0; tries < 10; tries++, nanosleep(&pause, NULL))
        if (!S_ISREG(status->st_mode) || flock(writer->fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return 0;
    return error_set(err, EBUSY, "%s: another run is writing to it; choose another file with --output",
                     writer->path);
}

int profile_writer_open(struct profile_writer **out, const char *path, enum profile_format format,
                        bool *appended, struct coz_error *err)
{
    size_t path_size = strlen(path) + 1;
    struct profile_writer *writer = calloc(1, sizeof *writer + path_size);
    if (!writer)
        return error_set(err, ENOMEM, "%s: out of memory", path);
    memcpy(writer->path, path, path_size);
    writer->format = format;
    /* Reading is only for a look at the last byte. */
    writer->fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    if (writer->fd < 0 && errno == EACCES)
        writer->fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
    struct stat status;
    int code = 0;
    if (writer->fd < 0 || fstat(writer->fd, &status) != 0)
        code = error_set(err, errno, "The profile %s cannot be written (%s): name another with --output.",
                         path, strerror(errno));
    else
        code = claim_file(writer, &status, err);
    if (code < 0) {
        profile_writer_close(writer);
        return code;
    }
    char last = '\n';
    bool held_something = S_ISREG(status.st_mode) && status.st_size > 0;
    if (held_something && pread(writer->fd, &last, 1, status.st_size - 1) == 1)
        writer->torn = last != '\n';
    if (appended)
        *appended = held_something;
    *out = writer;
    return 0;
}

void profile_writer_close(struct profile_writer *writer)
{
    if (!writer)
        return;
    if (writer->fd >= 0)
        close(writer->fd);
    free(writer);
}
