#include "cli/report/problems.h"

#include <stdio.h>

void problem_print(const char *command, const struct profile_problem *problem)
{
    fprintf(stderr, "%s: %s:%zu:", command, problem->path, problem->line);
    if (problem->column > 0)
        fprintf(stderr, "%zu:", problem->column);
    /* The words may quote the line, which may hold anything. */
    putc(' ', stderr);
    for (const char *c = problem->what; *c; c++)
        putc((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c, stderr);
    putc('\n', stderr);
}

void mixture_print(const char *command, const struct builds *builds)
{
    fprintf(stderr, "%s: These runs are of different builds or programs, and their answers do not mix:\n",
            command);
    for (size_t i = 0; i < builds->count; i++) {
        char build[1024];
        builds_describe(&builds->items[i], build, sizeof build);
        fprintf(stderr, "  in %s: %s\n", builds->items[i].profile, build);
    }
}
