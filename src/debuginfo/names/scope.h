/* Scope: which binaries and which sources may hold targets. Patterns are shell globs (fnmatch) where '%' also
 * stands for any run of characters, '/' included, as in the original. A pattern is matched against the whole
 * path; when it does not begin with '/', against the last path component too, and when it holds a '/' further
 * on, against every trailing part of the path: "src/%" means any folder of that name. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct scope {
    const char **binaries; /* -b patterns; with none, only the main program. "MAIN" names the main program */
    size_t binary_count;
    const char **sources; /* -s patterns; with none, every source but system headers */
    size_t source_count;
    /* --exclude patterns: what they match is out of scope, whatever else is said. */
    const char **excluded_binaries, **excluded_sources, **excluded_functions;
    size_t excluded_binary_count, excluded_source_count, excluded_function_count;
};

bool scope_pattern_matches(const char *pattern, const char *path);
bool scope_has_binary(const struct scope *scope, const char *path, bool is_main_program);
/* System headers (/usr/include, /usr/lib, /usr/local/include, compiler directories) and coz.h itself are out
 * unless a -s pattern other than a bare "%" or "*" names them; coz.h is out always. */
bool scope_has_source(const struct scope *scope, const char *path);
/* Whether code of an in-scope binary is in scope of which no source is known. */
bool scope_has_sourceless(const struct scope *scope);
/* Whether the function of that name is excluded: by a pattern for all of its name, or by what a person may write
 * for it (function_name.h). */
bool scope_excludes_function(const struct scope *scope, const char *name);
/* Of the source patterns: the same for the same scope. */
uint64_t scope_hash_sources(const struct scope *scope);
