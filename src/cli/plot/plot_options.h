/* What `coz plot` was told. */
#pragma once

#include "serve/serve.h"

#include <stdbool.h>

struct plot_command {
    struct serve_options serve; /* its profiles are released with it */
    bool opens_browser;
    bool is_text; /* the text report, and no page */
};

/* Reads the command line. Returns -1 to go on, or the exit status (0 after --help, 2 after a complaint). To be
 * released in any case. */
int plot_options_parse(struct plot_command *command, int argc, char **argv);
void plot_options_release(struct plot_command *command);
