/* What `coz report` was told. */
#pragma once

#include "cli/compare/conditions.h"
#include "report/report.h"

#include <stdbool.h>
#include <stdint.h>

enum report_format { REPORT_TEXT, REPORT_JSON, REPORT_CSV, REPORT_HTML, REPORT_MARKDOWN, REPORT_PROMPT };

enum report_colour { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER };

struct report_command {
    struct report_options options;
    enum report_format format;
    struct conditions conditions; /* on which the exit status hangs; to be released */
    uint64_t pid;                 /* only what this process of the tree did; 0: all processes */
    const char *line;             /* the only target that is asked for; NULL: all are ranked */
    bool waits;                   /* only what threads waited for */
    bool windows;                 /* draws its single windows */
    const char *output;           /* the file to be written; NULL: standard output */
    enum report_colour colour;
    bool ascii;          /* draws with plain characters in any locale */
    bool without_source; /* no lines of the sources */
    bool mixes_builds;   /* takes runs of several programs or builds together */
    char **ledgers;      /* those of the options; owned */
    char **profiles;     /* to be read */
    int profile_count;
};

/* Reads the command line. Returns -1 to go on, or the exit status (0 after --help, 2 after a complaint). */
int report_options_parse(struct report_command *command, int argc, char **argv);
