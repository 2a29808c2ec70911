/* What `coz regions` was told. */
#pragma once

#include "regions/campaign.h"

enum { REGIONS_PERCENTS = 64 };

struct regions_command {
    struct campaign_options campaign;
    bool is_simple, keeps_output;
    const char *profile; /* NULL: none */
    double percents[REGIONS_PERCENTS];
    size_t percent_count;
    char **program; /* and its arguments, up to NULL */
};

/* Reads the command line. Returns -1 to go on, or the exit status (0 after --help, 2 after a complaint). */
int regions_options_parse(struct regions_command *command, int argc, char **argv);
