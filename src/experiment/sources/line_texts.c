#include "experiment/sources/line_texts.h"

#include <stdlib.h>
#include <string.h>

static const char between[] = " <- ";

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
static size_t find_line(struct source_files *files, const char *place, size_t length, char *text, size_t room)
{
    *text = '\0';
    const char *colon = memrchr(place, ':', length);
    struct source_file *file = colon ? source_files_find(files, place, (size_t)(colon - place)) : NULL;
    unsigned long line = colon ? strtoul(colon + 1, NULL, 10) : 0;
    if (!file || !source_files_read(files, file) || line == 0 || line > file->line_count)
        return 0;
    return copy_line(file->lines[line - 1], text, room);
}

void line_texts_find(struct source_files *files, const char *location, char *text, size_t size)
{
    const char *caller = strstr(location, between);
    size_t length = caller ? (size_t)(caller - location) : strlen(location);
    size_t used = find_line(files, location, length, text, size);
    if (!caller || used == 0 || used + sizeof between >= size)
        return;
    memcpy(text + used, between, sizeof between);
    used += sizeof between - 1;
    caller += sizeof between - 1;
    if (find_line(files, caller, strlen(caller), text + used, size - used) == 0)
        *text = '\0'; /* half of it would match others */
}
