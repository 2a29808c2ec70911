#include "diagnosis/words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void say(char text[FINDING_TEXT], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, FINDING_TEXT, format, arguments);
    va_end(arguments);
}

const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
