/* What the targets share. */
#pragma once

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* One step of work that no compiler can shorten. */
#define MIX(x, factor) (((x) ^ (x) >> 15) * (factor) + 1u)

/* Ends the program when a call that returns an error number failed. */
#define must(rc) must_(rc, #rc)

static inline void must_(int rc, const char *what)
{
    if (rc == 0)
        return;
    fprintf(stderr, "%s: %s\n", what, strerror(rc));
    exit(99);
}

static inline double now_ms(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* What follows the option's name, or the default. */
static inline const char *text_option(int argc, char **argv, const char *name, const char *otherwise)
{
    for (int i = 1; i + 1 < argc; i++)
        if (strcmp(argv[i], name) == 0)
            return argv[i + 1];
    return otherwise;
}

static inline double number_option(int argc, char **argv, const char *name, double otherwise)
{
    const char *text = text_option(argc, argv, name, NULL);
    return text ? strtod(text, NULL) : otherwise;
}

/* How long a program works: `--ms N`, so many milliseconds (0: for ever), or `--until FILE`, until that file
 * is there, however long it takes. The latter is for tests that want something to have been measured, on
 * whatever machine. */
struct span {
    double end_ms;
    const char *file;
};

static inline struct span span_option(int argc, char **argv)
{
    double ms = number_option(argc, argv, "--ms", 1000);
    return (struct span){ms == 0 ? 0 : now_ms() + ms, text_option(argc, argv, "--until", NULL)};
}

/* The test has gone, and its folder with it: nobody will tell us to end. */
static inline bool is_abandoned(void)
{
    struct stat folder;
    return stat(".", &folder) == 0 && folder.st_nlink == 0;
}

static inline bool is_over(struct span span)
{
    if (span.file)
        return access(span.file, F_OK) == 0 || is_abandoned();
    return span.end_ms != 0 && now_ms() >= span.end_ms;
}

/* Writes our process id to the file, which appears complete. */
static inline void announce(const char *file)
{
    char part[4096];
    snprintf(part, sizeof part, "%s.part", file);
    FILE *out = fopen(part, "w");
    if (!out)
        must(errno);
    fprintf(out, "%d\n", (int)getpid());
    fclose(out);
    must(rename(part, file));
}
