#include "debuginfo/names/scope.h"

#include <fnmatch.h>
#include <limits.h>
#include <string.h>

#include "debuginfo/names/function_name.h"
#include "debuginfo/sets/checksum.h"

/* '%' becomes '*', but not in brackets or behind a backslash, where a person means the character itself. */
static bool translate(const char *pattern, char *glob, size_t size)
{
    size_t length = strlen(pattern);
    if (length >= size)
        return false;
    bool bracket = false;
    for (size_t i = 0; i <= length; i++) {
        glob[i] = pattern[i];
        if (pattern[i] == '\\' && pattern[i + 1]) {
            i++;
            glob[i] = pattern[i];
        } else if (pattern[i] == '[') {
            bracket = true;
        } else if (pattern[i] == ']') {
            bracket = false;
        } else if (pattern[i] == '%' && !bracket) {
            glob[i] = '*';
        }
    }
    return true;
}

bool scope_pattern_matches(const char *pattern, const char *path)
{
    char glob[PATH_MAX];
    if (!translate(pattern, glob, sizeof glob))
        return false;
    if (fnmatch(glob, path, 0) == 0)
        return true;
    if (pattern[0] == '/')
        return false;
    if (!strchr(pattern, '/')) {
        const char *slash = strrchr(path, '/');
        return slash && fnmatch(glob, slash + 1, 0) == 0;
    }
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        if (fnmatch(glob, slash + 1, 0) == 0)
            return true;
    }
    return false;
}

static bool names_binary(const char **patterns, size_t count, const char *path, bool is_main_program)
{
    for (size_t i = 0; i < count; i++)
        if ((is_main_program && strcmp(patterns[i], "MAIN") == 0) || scope_pattern_matches(patterns[i], path))
            return true;
    return false;
}

bool scope_has_binary(const struct scope *scope, const char *path, bool is_main_program)
{
    if (names_binary(scope->excluded_binaries, scope->excluded_binary_count, path, is_main_program))
        return false;
    return scope->binary_count == 0
               ? is_main_program
               : names_binary(scope->binaries, scope->binary_count, path, is_main_program);
}

static bool is_system_source(const char *path)
{
    static const char *const prefixes[] = {
        "/usr/include/",
        "/usr/lib/",
        "/usr/lib32/",
        "/usr/lib64/",
        "/usr/local/include/",
        "/usr/local/lib/",
        /* where rustc, and Debian's, say that its own library was built */
        "/rustc/",
        "/rust/deps/",
        "/usr/src/rustc-",
    };
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        if (strncmp(path, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    }
    /* A compiler installed elsewhere keeps its headers in the same places below its own prefix. */
    return strstr(path, "/lib/gcc/") || strstr(path, "/lib/clang/") || strstr(path, "/include/c++/");
}

static bool is_bare(const char *pattern)
{
    return pattern[strspn(pattern, "%*")] == '\0';
}

bool scope_has_source(const struct scope *scope, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    /* "<artificial>" and "<built-in>" are the compiler's own */
    if (strcmp(base, "coz.h") == 0 || base[0] == '<' || base[0] == '\0')
        return false;
    for (size_t i = 0; i < scope->excluded_source_count; i++)
        if (scope_pattern_matches(scope->excluded_sources[i], path))
            return false;
    bool system = is_system_source(path);
    if (scope->source_count == 0)
        return !system;
    for (size_t i = 0; i < scope->source_count; i++) {
        if (system && is_bare(scope->sources[i]))
            continue;
        if (scope_pattern_matches(scope->sources[i], path))
            return true;
    }
    return false;
}

bool scope_has_sourceless(const struct scope *scope)
{
    for (size_t i = 0; i < scope->source_count; i++)
        if (is_bare(scope->sources[i]))
            return true;
    return scope->source_count == 0;
}

bool scope_excludes_function(const struct scope *scope, const char *name)
{
    char glob[PATH_MAX];
    for (size_t i = 0; i < scope->excluded_function_count; i++) {
        const char *pattern = scope->excluded_functions[i];
        bool is_pattern = strpbrk(pattern, "%*?");
        if (is_pattern ? translate(pattern, glob, sizeof glob) && fnmatch(glob, name, 0) == 0
                       : function_name_match(name, pattern) > 0)
            return true;
    }
    return false;
}

uint64_t scope_hash_sources(const struct scope *scope)
{
    uint64_t sum = checksum_word(0, scope->source_count);
    for (size_t i = 0; i < scope->source_count; i++)
        sum = checksum_bytes(sum, scope->sources[i], strlen(scope->sources[i]));
    for (size_t i = 0; i < scope->excluded_source_count; i++)
        sum = checksum_bytes(checksum_word(sum, i), scope->excluded_sources[i],
                             strlen(scope->excluded_sources[i]));
    return sum;
}
