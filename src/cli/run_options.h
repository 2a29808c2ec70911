/* What `coz run` was told. */
#pragma once

#include "cli/run/target_options.h"
#include "experiment/session/series.h"

#include <stdbool.h>

enum { RUN_POINTS = 32 };

/* The command that is read: `coz run`, or `coz doctor`, which takes the same options. */
struct run_command {
    const char *name, *usage;
    bool needs_program;
};

struct run_options {
    const struct run_command *command;
    struct series_options series;
    struct point_spec points[RUN_POINTS];
    const char *binaries[64], *sources[64];
    struct exclusions excluded;
    bool verbose;
    bool quiet;         /* shows nothing while it runs */
    bool is_live;       /* shows the profile while it is made */
    uint16_t live_port; /* 0: one that is free */
    bool opens_browser;
    char **program; /* its argv */
};

/* Reads the command line. Returns -1 to go on, or the exit status (0 after --help, 2 after a complaint). */
int run_options_parse(struct run_options *options, const struct run_command *command, int argc, char **argv);
