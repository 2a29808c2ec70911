#include "advice/framing.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int append(char **text, size_t *size, size_t *capacity, const char *bytes, size_t count,
                  struct coz_error *err)
{
    if (*size + count > FRAME_BYTES_MOST)
        return error_set(err, EMSGSIZE, "The answer holds a message of more than %d bytes.",
                         FRAME_BYTES_MOST);
    if (*size + count + 1 > *capacity) {
        size_t capacity_then = 2 * (*size + count + 1);
        char *more = realloc(*text, capacity_then);
        if (!more)
            return error_set(err, ENOMEM, "out of memory");
        *text = more;
        *capacity = capacity_then;
    }
    memcpy(*text + *size, bytes, count);
    *size += count;
    (*text)[*size] = '\0';
    return 0;
}

/* ---- lines, and events made of lines ---- */

static int end_event(struct framing *framing)
{
    int code = 0;
    if (framing->data_size > 0) {
        framing->frame.data = framing->data;
        framing->frame.size = framing->data_size - 1; /* without the last line's end */
        framing->data[framing->frame.size] = '\0';
        code = framing->take(framing->context, &framing->frame);
    }
    framing->data_size = 0;
    framing->frame = (struct frame){0};
    return code;
}

/* "data: text"; the blank need not be there. NULL: another field. */
static const char *field_value(const char *line, const char *field)
{
    size_t length = strlen(field);
    if (strncmp(line, field, length) != 0 || line[length] != ':')
        return NULL;
    return line + length + 1 + (line[length + 1] == ' ');
}

static int take_event_line(struct framing *framing, const char *line, struct coz_error *err)
{
    if (!*line)
        return end_event(framing);
    const char *data = field_value(line, "data"), *name = field_value(line, "event");
    if (name) {
        size_t length = strnlen(name, FRAME_NAME - 1);
        memcpy(framing->frame.name, name, length);
        framing->frame.name[length] = '\0';
    }
    if (!data)
        return 0;
    int code = append(&framing->data, &framing->data_size, &framing->data_capacity, data, strlen(data), err);
    return code ? code : append(&framing->data, &framing->data_size, &framing->data_capacity, "\n", 1, err);
}

static int take_line(struct framing *framing, char *line, size_t size, struct coz_error *err)
{
    if (size > 0 && line[size - 1] == '\r')
        line[--size] = '\0';
    if (framing->kind == FRAMING_EVENTS)
        return take_event_line(framing, line, err);
    const struct frame frame = {.data = line, .size = size};
    return size > 0 ? framing->take(framing->context, &frame) : 0;
}

/* Takes the whole lines; *used is how many bytes they are. */
static int take_lines(struct framing *framing, size_t *used, struct coz_error *err)
{
    int code = 0;
    for (char *end; code == 0 && (end = memchr(framing->bytes + *used, '\n', framing->size - *used));) {
        char *line = framing->bytes + *used;
        *end = '\0';
        *used = (size_t)(end + 1 - framing->bytes);
        code = take_line(framing, line, (size_t)(end - line), err);
    }
    return code;
}

/* ---- Amazon's messages ---- */

enum { PRELUDE = 12, CHECKSUM = 4, TYPE_STRING = 7 };

static uint32_t read_u32(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] << 24 | (uint32_t)b[1] << 16 | (uint32_t)b[2] << 8 | b[3];
}

/* CRC-32 as of gzip. */
static uint32_t crc_of(const char *bytes, size_t size)
{
    uint32_t crc = UINT32_MAX;
    for (size_t i = 0; i < size; i++) {
        crc ^= (unsigned char)bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static int refuse_message(struct coz_error *err)
{
    return error_set(err, EBADMSG, "The answer is no event stream, or was damaged on its way.");
}

/* Reads what the headers say of the message's kind; all of them are texts. */
static int read_headers(struct frame *frame, const char *at, const char *end)
{
    while (at < end) {
        size_t name = (unsigned char)*at++;
        if ((size_t)(end - at) < name + 3 || at[name] != TYPE_STRING)
            return -1;
        const char *value = at + name + 3;
        size_t length = (size_t)(unsigned char)at[name + 1] << 8 | (unsigned char)at[name + 2];
        if ((size_t)(end - value) < length)
            return -1;
        bool is_message = name == 13 && memcmp(at, ":message-type", name) == 0;
        if ((name == 11 && memcmp(at, ":event-type", name) == 0) ||
            (name == 15 && memcmp(at, ":exception-type", name) == 0)) {
            size_t kept = length < FRAME_NAME - 1 ? length : FRAME_NAME - 1;
            memcpy(frame->name, value, kept);
            frame->name[kept] = '\0';
        }
        if (is_message && (length != 5 || memcmp(value, "event", 5) != 0))
            frame->is_exception = true;
        at = value + length;
    }
    return 0;
}

static int take_messages(struct framing *framing, size_t *used, struct coz_error *err)
{
    while (framing->size - *used >= PRELUDE) {
        char *message = framing->bytes + *used;
        uint32_t total = read_u32(message), headers = read_u32(message + 4);
        if (read_u32(message + 8) != crc_of(message, 8) || total < PRELUDE + CHECKSUM ||
            headers > total - PRELUDE - CHECKSUM)
            return refuse_message(err);
        if (total > FRAME_BYTES_MOST)
            return error_set(err, EMSGSIZE, "The answer holds a message of more than %d bytes.",
                             FRAME_BYTES_MOST);
        if (framing->size - *used < total)
            return 0;
        char *payload = message + PRELUDE + headers, *end = message + total - CHECKSUM;
        struct frame frame = {.data = payload, .size = (size_t)(end - payload)};
        if (read_u32(end) != crc_of(message, total - CHECKSUM) ||
            read_headers(&frame, message + PRELUDE, payload) < 0)
            return refuse_message(err);
        *end = '\0';
        *used += total;
        int code = framing->take(framing->context, &frame);
        if (code)
            return code;
    }
    return 0;
}

int framing_add(struct framing *framing, const char *bytes, size_t size, struct coz_error *err)
{
    size_t used = 0;
    int code = append(&framing->bytes, &framing->size, &framing->capacity, bytes, size, err);
    if (code == 0)
        code = framing->kind == FRAMING_AMAZON ? take_messages(framing, &used, err)
                                               : take_lines(framing, &used, err);
    memmove(framing->bytes, framing->bytes + used, framing->size - used);
    framing->size -= used;
    return code;
}

int framing_end(struct framing *framing, struct coz_error *err)
{
    int code = 0;
    if (framing->kind != FRAMING_AMAZON && framing->size > 0)
        code = take_line(framing, framing->bytes, framing->size, err);
    framing->size = 0;
    return code ? code : framing->kind == FRAMING_EVENTS ? end_event(framing) : 0;
}

void framing_release(struct framing *framing)
{
    free(framing->bytes);
    free(framing->data);
}
