#include "cli/run/environment.h"

#include "cli/options/option_value.h"
#include "cli/options/usage.h"
#include "cli/run/target_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCOPE_BYTES = 4096 };

/* What it is set to; NULL when it is not, or to nothing. */
static const char *value_of(const char *name)
{
    const char *value = getenv(name);
    return value && *value ? value : NULL;
}

static void tell(const char *name, const char *option, const char *value)
{
    fprintf(stderr, "coz run: %s is taken as %s %s\n", name, option, value);
}

/* Patterns stand one behind the other, with tabs between. */
static int take_scope(const char *name, const char *option, const char **patterns, size_t most, size_t *count,
                      char room[SCOPE_BYTES])
{
    const char *value = value_of(name);
    if (!value || *count)
        return GO_ON;
    if (snprintf(room, SCOPE_BYTES, "%s", value) >= SCOPE_BYTES)
        return usage_complain(name, value, "is too long");
    char *rest = room;
    for (char *pattern; (pattern = strsep(&rest, "\t"));) {
        if (!*pattern)
            continue;
        if (*count == most)
            return usage_complain(name, value, "too many patterns");
        patterns[(*count)++] = pattern;
        tell(name, option, pattern);
    }
    return GO_ON;
}

static int take_scopes(struct scope *scope, struct scope_room *room)
{
    static char binaries[SCOPE_BYTES], sources[SCOPE_BYTES];
    int rc = take_scope("COZ_BINARY_SCOPE", "--binary-scope", room->binaries, room->most,
                        &scope->binary_count, binaries);
    return rc >= 0 ? rc
                   : take_scope("COZ_SOURCE_SCOPE", "--source-scope", room->sources, room->most,
                                &scope->source_count, sources);
}

static int take_targets(struct session_options *session)
{
    const char *line = value_of("COZ_FIXED_LINE"), *speedup = value_of("COZ_FIXED_SPEEDUP");
    int rc = GO_ON;
    if (line && session->fixed.count == 0 && !session->granularity_is_given) {
        tell("COZ_FIXED_LINE", "--target", line);
        rc = target_options_add_fixed(session, "COZ_FIXED_LINE", PART_LINE, line);
    }
    if (rc >= 0 || !speedup || session->speedup_count)
        return rc;
    tell("COZ_FIXED_SPEEDUP", "--fixed-speedup", speedup);
    if (!option_speedups(speedup, session->speedups, &session->speedup_count, SESSION_SPEEDUPS))
        return usage_complain("COZ_FIXED_SPEEDUP", speedup, "must be percent up to 100");
    return GO_ON;
}

int environment_take(struct session_options *session, struct scope_room *room)
{
    const char *output = value_of("COZ_OUTPUT");
    if (output && !session->output_is_given) {
        session->output = output;
        session->output_is_given = true;
        tell("COZ_OUTPUT", "--output", output);
    }
    if (value_of("COZ_END_TO_END") && !session->end_to_end) {
        session->end_to_end = true;
        fputs("coz run: COZ_END_TO_END is taken as --end-to-end\n", stderr);
    }
    if (value_of("COZ_FILTER_SYSTEM"))
        fputs(
            "coz run: COZ_FILTER_SYSTEM changes nothing: sources of the system are never in scope unless -s "
            "names them\n",
            stderr);
    if (value_of("COZ_PROGRESS_POINTS"))
        fputs(
            "coz run: COZ_PROGRESS_POINTS is not read: progress points are named by -p, or marked by coz.h\n",
            stderr);
    int rc = take_scopes(&session->scope, room);
    return rc >= 0 ? rc : take_targets(session);
}
