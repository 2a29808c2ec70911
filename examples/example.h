/* What the examples share: options of the form `--name NUMBER`, a clock, and threads that must start. */
#ifndef EXAMPLE_H
#define EXAMPLE_H

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/*
 * One step of work that no compiler can shorten. A macro, so that a loop of it stays on one source line;
 * loops of one program take different factors, or the compiler would fold equal functions into one.
 */
#define MIX(x, factor) (((x) ^ (x) >> 15) * (factor) + 1u)

struct option_number {
    const char *name; /* "--seconds" */
    double value;     /* the default, then what was given */
};

/* Fills in the options given; prints the options and exits on anything else. */
static inline void parse_options(int argc, char **argv, struct option_number *options, int count)
{
    for (int i = 1; i < argc; i += 2) {
        struct option_number *option = options;
        char *end = NULL;

        while (option < options + count && strcmp(option->name, argv[i]) != 0)
            option++;
        if (option < options + count && i + 1 < argc)
            option->value = strtod(argv[i + 1], &end);
        if (!end || end == argv[i + 1] || *end || !(option->value >= 0)) {
            fprintf(stderr, "usage: %s", argv[0]);
            for (int k = 0; k < count; k++)
                fprintf(stderr, " [%s %g]", options[k].name, options[k].value);
            fprintf(stderr, "\n");
            exit(2);
        }
    }
}

/* What is left of `amount` after really cutting it by `percent`. */
static inline unsigned cut(unsigned amount, double percent)
{
    return percent < 100 ? (unsigned)(amount * (1 - percent / 100)) : 0;
}

static inline double now_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static inline pthread_t start_thread(void *(*body)(void *), void *argument)
{
    pthread_t thread;
    int error = pthread_create(&thread, NULL, body, argument);

    if (error) {
        fprintf(stderr, "cannot start a thread: %s\n", strerror(error));
        exit(1);
    }
    return thread;
}

#endif
