#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>

int error_set(struct coz_error *err, int code, const char *format, ...)
{
    if (err) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->text, sizeof err->text, format, args);
        va_end(args);
    }
    return -code;
}
