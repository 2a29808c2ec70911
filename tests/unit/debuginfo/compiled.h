/* Programs compiled for a test, in a directory of their own. */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char directory[] = "/tmp/coz-compiled-XXXXXX";

/* Runs the formatted command in the directory. */
static inline bool run(const char *format, ...)
{
    char command[2048], arguments[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(arguments, sizeof arguments, format, list);
    va_end(list);
    snprintf(command, sizeof command, "cd %s && { %s; } >log 2>&1", directory, arguments);
    return system(command) == 0;
}

static inline const char *in_directory(const char *name)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static inline void write_file(const char *name, const char *text)
{
    FILE *file = fopen(in_directory(name), "w");
    assert_non_null(file);
    assert_int_equal(fputs(text, file) < 0, 0);
    assert_int_equal(fclose(file), 0);
}

static inline int make_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) ? 0 : -1;
}

static inline int remove_directory(void **state)
{
    (void)state;
    char command[256];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    return system(command);
}

/* Compiles C or C++; the compiler is $CC or $CXX, else the system's. */
static inline bool compile(bool cxx, const char *arguments)
{
    const char *name = getenv(cxx ? "CXX" : "CC");
    return run("%s %s", name && *name ? name : cxx ? "c++" : "cc", arguments);
}
