/* The environment variables of the original's runtime. */
#pragma once

#include "experiment/session/session.h"

/* Where the scope's patterns are, so many at most of either. */
struct scope_room {
    const char **binaries, **sources;
    size_t most;
};

/* Takes them as the options that they are here, where these were not given, and says so in a line each. Returns
 * GO_ON, or the exit status after a complaint. To be called before the options are checked together. */
int environment_take(struct session_options *session, struct scope_room *room);
