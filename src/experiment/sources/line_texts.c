#include "experiment/sources/line_texts.h"

#include "base/array.h"
#include "base/source_file.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILES_MOST = 512, BYTES_MOST = 32 << 20 };

static const char between[] = " <- ";

static bool was_changed(const struct stat *status, uint64_t since_ns)
{
    return (uint64_t)status->st_mtim.tv_sec * 1000000000u + (uint64_t)status->st_mtim.tv_nsec > since_ns;
}

/* Where each line begins. False: memory is out. */
static bool index_lines(struct line_file *file)
{
    size_t capacity = 0;
    for (const char *line = file->text; *line;) {
        if (file->line_count == capacity) {
            size_t *more = array_grown(file->lines, &capacity, sizeof *more);
            if (!more)
                return false;
            file->lines = more;
        }
        file->lines[file->line_count++] = (size_t)(line - file->text);
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
    return true;
}

static void read_file(struct line_texts *texts, struct line_file *file)
{
    struct stat status;
    if (texts->bytes >= BYTES_MOST || !source_is_named(file->path, strlen(file->path)))
        return;
    file->text = source_read(file->path, &status);
    if (!file->text)
        return;
    texts->bytes += (size_t)status.st_size;
    if (was_changed(&status, texts->started_ns) || !index_lines(file)) {
        free(file->text);
        file->text = NULL;
    }
}

static bool is_file(const struct line_file *file, const char *path, size_t length)
{
    return strncmp(file->path, path, length) == 0 && !file->path[length];
}

/* NULL: there is no room for it. */
static const struct line_file *find_file(struct line_texts *texts, const char *path, size_t length)
{
    /* Lines of one file follow each other, mostly. */
    if (texts->last < texts->count && is_file(&texts->files[texts->last], path, length))
        return &texts->files[texts->last];
    for (texts->last = 0; texts->last < texts->count; texts->last++)
        if (is_file(&texts->files[texts->last], path, length))
            return &texts->files[texts->last];
    if (texts->count == FILES_MOST)
        return NULL;
    if (texts->count == texts->capacity) {
        struct line_file *more = array_grown(texts->files, &texts->capacity, sizeof *more);
        if (!more)
            return NULL;
        texts->files = more;
    }
    struct line_file *file = &texts->files[texts->count];
    *file = (struct line_file){.path = strndup(path, length)};
    if (!file->path)
        return NULL;
    texts->count++;
    read_file(texts, file);
    return file;
}

static bool is_blank(char c)
{
    return (unsigned char)c <= ' ' || c == 0x7f;
}

/* At most LINE_TEXT_BYTES of the line, and no part of a character. Returns how many. */
static size_t copy_line(const char *line, char *text, size_t room)
{
    size_t length = 0;
    room = room > LINE_TEXT_BYTES ? LINE_TEXT_BYTES + 1 : room;
    for (; *line && *line != '\n' && length + 1 < room; line++) {
        if (!is_blank(*line))
            text[length++] = *line;
        else if (length > 0 && text[length - 1] != ' ')
            text[length++] = ' ';
    }
    if (*line && *line != '\n' && ((unsigned char)*line & 0xc0) == 0x80) {
        while (length > 0 && ((unsigned char)text[length - 1] & 0xc0) == 0x80)
            length--;
        length -= length > 0;
    }
    while (length > 0 && text[length - 1] == ' ')
        length--;
    text[length] = '\0';
    return length;
}

/* Of "path:line". */
static size_t find_line(struct line_texts *texts, const char *place, size_t length, char *text, size_t room)
{
    *text = '\0';
    const char *colon = memrchr(place, ':', length);
    const struct line_file *file = colon ? find_file(texts, place, (size_t)(colon - place)) : NULL;
    unsigned long line = colon ? strtoul(colon + 1, NULL, 10) : 0;
    if (!file || !file->text || line == 0 || line > file->line_count)
        return 0;
    return copy_line(file->text + file->lines[line - 1], text, room);
}

void line_texts_find(struct line_texts *texts, const char *location, char *text, size_t size)
{
    const char *caller = strstr(location, between);
    size_t length = caller ? (size_t)(caller - location) : strlen(location);
    size_t used = find_line(texts, location, length, text, size);
    if (!caller || used == 0 || used + sizeof between >= size)
        return;
    memcpy(text + used, between, sizeof between);
    used += sizeof between - 1;
    caller += sizeof between - 1;
    if (find_line(texts, caller, strlen(caller), text + used, size - used) == 0)
        *text = '\0'; /* half of it would match others */
}

void line_texts_release(struct line_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        free(texts->files[i].path);
        free(texts->files[i].text);
        free(texts->files[i].lines);
    }
    free(texts->files);
}
