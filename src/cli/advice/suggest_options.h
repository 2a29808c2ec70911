/* What `coz suggest-points` was told. */
#pragma once

#include "advice/points/question.h"
#include "cli/advice/asking.h"

struct suggest_command {
    struct asking asking;
    struct source_choice choice;
    struct points_request request;
    bool applies; /* without asking */
    char **globs; /* owned */
};

/* Reads the command line. Returns -1 to go on, or the exit status. To be released in any case. */
int suggest_options_parse(struct suggest_command *command, int argc, char **argv);
void suggest_options_release(struct suggest_command *command);
