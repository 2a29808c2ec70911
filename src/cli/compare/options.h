/* What `coz compare` was told. */
#pragma once

#include "cli/compare/conditions.h"
#include "report/report.h"

#include <stdbool.h>

enum compare_format { COMPARE_TEXT, COMPARE_JSON, COMPARE_MARKDOWN, COMPARE_CSV, COMPARE_HTML };

struct compare_command {
    struct report_options options;
    enum compare_format format;
    struct conditions conditions;
    const char *output; /* NULL: standard output */
    bool mixes_builds;  /* takes runs of several programs or builds for one side */
    char *profiles[2];
};

/* Reads the command line. Returns -1 to go on, or the exit status (0 after --help, 2 after a complaint). */
int compare_options_parse(struct compare_command *command, int argc, char **argv);
