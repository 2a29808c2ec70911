/* What `coz verify` was told. */
#pragma once

#include "verify/verify.h"

#include <wordexp.h>

struct verify_command {
    struct verify_options options;
    const char *before, *after; /* as they were given */
    wordexp_t words[2];         /* of them; to be released */
    const char *binaries[64], *sources[64];
    const char *ledger; /* where to keep what comes of it; NULL: beside the profile */
    bool keeps;
};

/* Reads the command line. Returns -1 to go on, or the exit status (0 after --help, 2 after a complaint). To be
 * released in any case. */
int verify_options_parse(struct verify_command *command, int argc, char **argv);
void verify_options_release(struct verify_command *command);
