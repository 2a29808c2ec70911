#include "debuginfo/names/function_name.h"

#include <ctype.h>
#include <libiberty/demangle.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/sets/checksum.h"

/* ---- making ---- */

static const int styles = DMGL_PARAMS | DMGL_ANSI | DMGL_RET_DROP;

/* Compilers and linkers name the copies that they make after the original, with a dot and one of these. */
static char *without_copy_marks(const char *symbol)
{
    static const char *const marks[] = {"cold", "part.", "isra.", "constprop.", "lto_priv", "llvm.", "clone"};
    for (const char *dot = strchr(symbol, '.'); dot; dot = strchr(dot + 1, '.'))
        for (size_t i = 0; dot > symbol && i < sizeof marks / sizeof *marks; i++)
            if (strncmp(dot + 1, marks[i], strlen(marks[i])) == 0)
                return strndup(symbol, (size_t)(dot - symbol));
    return strdup(symbol);
}

/* NULL when the symbol is no mangled name. */
static char *demangle(const char *symbol, bool *is_rust)
{
    char *text = cplus_demangle(symbol, DMGL_RUST | styles);
    *is_rust = text != NULL;
    return text ? text : cplus_demangle(symbol, DMGL_GNU_V3 | styles);
}

char *function_name_cut(char *name)
{
    size_t length = name ? strlen(name) : 0;
    if (length > FUNCTION_NAME_MOST)
        snprintf(name + FUNCTION_NAME_MOST - 19, 20, "...%016llx",
                 (unsigned long long)checksum_bytes(0, name, length));
    return name;
}

char *function_name_make(const char *symbol, const char *name, const char *file)
{
    char *plain = symbol && *symbol ? without_copy_marks(symbol) : NULL, *made = NULL;
    bool is_rust = false;
    char *text = plain ? demangle(plain, &is_rust) : NULL;
    const char *best = text ? text : name && *name ? name : plain;
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (best && file && !is_rust) {
        if (asprintf(&made, "%s:%s", slash ? slash + 1 : file, best) < 0)
            made = NULL;
    } else if (best) {
        made = strdup(best);
    }
    free(text);
    free(plain);
    return function_name_cut(made);
}

/* ---- taking apart ---- */

/* Part of a name. */
struct part {
    const char *at;
    size_t length;
};

static struct part part_of(const char *text)
{
    return (struct part){text, strlen(text)};
}

static bool equals(struct part a, struct part b)
{
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

/* What stands before it in a name of a file's own: no name of a function has a single colon. */
static struct part without_file(struct part name)
{
    for (size_t i = 0; i + 1 < name.length && name.at[i] != '<' && name.at[i] != '('; i++) {
        if (name.at[i] != ':')
            continue;
        if (name.at[i + 1] != ':')
            return (struct part){name.at + i + 1, name.length - i - 1};
        i++;
    }
    return name;
}

/* How long an operator's own signs are, "operator<<" and the like, which open no brackets; 0: it is none. */
static size_t operator_length(struct part name, size_t at)
{
    static const char word[] = "operator";
    size_t length = sizeof word - 1;
    if (name.length - at < length || memcmp(name.at + at, word, length) != 0 ||
        (at > 0 && (isalnum((unsigned char)name.at[at - 1]) || name.at[at - 1] == '_')))
        return 0;
    size_t signs = strspn(name.at + at + length, "<>=-!+*/%^&|~,");
    if (signs == 0 && strncmp(name.at + at + length, "()", 2) == 0)
        signs = 2;
    if (at + length + signs > name.length)
        signs = 0;
    return length + signs;
}

/* Cuts the parameters off: the last brackets outside of all others, with what comes after them ("const"). */
static struct part without_parameters(struct part name)
{
    size_t open = 0, depth = 0, angle = 0;
    for (size_t i = 0; i < name.length; i++) {
        size_t skip = operator_length(name, i);
        if (skip) {
            i += skip - 1;
            continue;
        }
        char c = name.at[i];
        if (c == '(' && depth++ == 0 && angle == 0)
            open = i;
        else if (c == ')' && depth > 0)
            depth--;
        else if (c == '<' && depth == 0)
            angle++;
        else if (c == '>' && depth == 0 && angle > 0 && name.at[i - 1] != '-')
            angle--;
        else if (c == ':' && depth == 0 && angle == 0)
            open = 0; /* those were part of what contains it, as in "(anonymous namespace)::f" */
    }
    return open > 0 ? (struct part){name.at, open} : name;
}

/* Writes the name without anything in angle brackets; buffer has room for all of it. */
static struct part without_angles(struct part name, char *buffer)
{
    size_t length = 0, angle = 0;
    for (size_t i = 0; i < name.length; i++) {
        size_t skip = operator_length(name, i);
        for (; skip > 0; skip--, i++)
            if (angle == 0)
                buffer[length++] = name.at[i];
        if (i >= name.length)
            break;
        char c = name.at[i];
        /* Rust has whole names in them: "<T as core::fmt::Debug>::fmt". */
        if (c == '<')
            angle++;
        else if (c == '>' && angle > 0 && name.at[i - 1] != '-')
            angle--;
        else if (angle == 0)
            buffer[length++] = c;
    }
    return (struct part){buffer, length};
}

/* Is it the last parts of the name, those after a "::"? */
static bool ends_with(struct part name, struct part wanted)
{
    if (wanted.length == 0 || wanted.length + 2 > name.length)
        return false;
    size_t before = name.length - wanted.length;
    return memcmp(name.at + before, wanted.at, wanted.length) == 0 && name.at[before - 1] == ':' &&
           name.at[before - 2] == ':';
}

static struct part last_part(struct part name)
{
    size_t angle = 0;
    for (size_t i = name.length; i-- > 1;) {
        angle += name.at[i] == '>' && name.at[i - 1] != '-';
        angle -= name.at[i] == '<' && angle > 0;
        if (angle == 0 && name.at[i] == ':' && name.at[i - 1] == ':')
            return (struct part){name.at + i + 1, name.length - i - 1};
    }
    return name;
}

/* ---- comparing ---- */

int function_name_match(const char *name, const char *wanted)
{
    char *buffer = malloc(strlen(name) + 1);
    struct part all = part_of(name), asked = part_of(wanted), own = without_file(all),
                bare = without_parameters(own);
    struct part plain = buffer ? without_angles(bare, buffer) : bare;
    /* With its file it may be written without its parameters. */
    struct part filed = {all.at, (size_t)(own.at - all.at) + bare.length};
    int match = 0;
    if (equals(all, asked))
        match = 6;
    else if (equals(own, asked))
        match = 5;
    else if (equals(filed, asked) || equals(bare, asked))
        match = 4;
    else if (ends_with(own, asked) || ends_with(bare, asked))
        match = 3;
    else if (equals(plain, asked))
        match = 2;
    else if (ends_with(plain, asked))
        match = 1;
    free(buffer);
    return match;
}

size_t function_name_distance(const char *name, const char *wanted)
{
    struct part a = last_part(without_parameters(without_file(part_of(name))));
    struct part b = last_part(without_parameters(without_file(part_of(wanted))));
    size_t *row = malloc((b.length + 1) * sizeof *row);
    if (!row)
        return SIZE_MAX;
    for (size_t j = 0; j <= b.length; j++)
        row[j] = j;
    for (size_t i = 1; i <= a.length; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b.length; j++) {
            size_t least = diagonal + (a.at[i - 1] != b.at[j - 1]);
            diagonal = row[j];
            least = row[j] + 1 < least ? row[j] + 1 : least;
            row[j] = row[j - 1] + 1 < least ? row[j - 1] + 1 : least;
        }
    }
    size_t distance = row[b.length];
    free(row);
    return distance;
}

const char *function_name_plus(const char *names)
{
    static const char word[] = "operator";
    for (const char *at = strchr(names, '+'); at; at = strchr(at + 1, '+')) {
        size_t before = (size_t)(at - names);
        bool is_double = at[1] == '+' || (before > 0 && at[-1] == '+');
        bool is_operator = before >= strlen(word) && memcmp(at - strlen(word), word, strlen(word)) == 0;
        if (!is_double && !is_operator && strncmp(at, "+0x", 3) != 0)
            return at;
    }
    return strchr(names, '\0');
}
