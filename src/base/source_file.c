#include "base/source_file.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

bool source_is_named(const char *path, size_t length)
{
    static const char *const endings[] = {"c",   "h",   "cc",   "cpp", "cxx",   "hh",  "hpp", "hxx", "inl",
                                          "ipp", "tcc", "inc",  "rs",  "go",    "f",   "f90", "f95", "f03",
                                          "f08", "for", "d",    "di",  "swift", "zig", "adb", "ads", "m",
                                          "mm",  "cu",  "cuh",  "s",   "asm",   "nim", "cr",  "hs",  "ml",
                                          "pas", "pp",  "java", "js",  "ts",    "py",  "jl",  "y",   "l"};
    const char *dot = memrchr(path, '.', length);
    if (!dot)
        return false;
    size_t left = length - (size_t)(dot + 1 - path);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (strlen(endings[i]) == left && strncasecmp(endings[i], dot + 1, left) == 0)
            return true;
    return false;
}

char *source_read(const char *path, struct stat *status)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0)
        return NULL;
    char *text = NULL;
    size_t size = 0;
    if (fstat(fd, status) == 0 && S_ISREG(status->st_mode) && status->st_size <= SOURCE_BYTES_MOST)
        text = malloc((size_t)status->st_size + 1);
    while (text && size < (size_t)status->st_size) {
        ssize_t got = read(fd, text + size, (size_t)status->st_size - size);
        if (got <= 0)
            break;
        size += (size_t)got;
    }
    close(fd);
    if (text && memchr(text, 0, size)) {
        free(text);
        return NULL;
    }
    if (text)
        text[size] = '\0';
    return text;
}

char **source_lines(char *text, size_t *count)
{
    *count = 0;
    for (const char *c = text; *c; c++)
        *count += *c == '\n' || !c[1];
    char **lines = calloc(*count + 1, sizeof *lines);
    for (size_t i = 0; lines && i <= *count; i++) {
        lines[i] = text;
        text += strcspn(text, "\n");
        text += *text == '\n';
    }
    return lines;
}
