/* The options of `coz run` that say what is tried, and what is not. */
#pragma once

#include "experiment/session/session.h"

enum { EXCLUDED_MOST = 64 };

/* What --exclude was told. */
struct exclusions {
    const char *binaries[EXCLUDED_MOST], *sources[EXCLUDED_MOST], *functions[EXCLUDED_MOST];
};

/* All of these return GO_ON, or the exit status after a complaint (cli/options/usage.h). */

/* --target: one of the words for all targets of a kind, or a target's name (experiment/targets/target_spec.h). */
int target_options_add(struct session_options *session, const char *text);

/* The same by options of their own: --granularity; --fixed-line, --fixed-function and --fixed-callsite. */
int target_options_granularity(struct session_options *session, const char *option, const char *word);
int target_options_add_fixed(struct session_options *session, const char *option, enum target_part_kind kind,
                             const char *name);

/* --exclude, into the scope. */
int target_options_exclude(struct session_options *session, struct exclusions *exclusions, const char *text);

/* When all options are read: named targets say what the granularity is. */
int target_options_finish(struct session_options *session);
