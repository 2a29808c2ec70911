#include "advice/points/places.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 12, DEPTH = 100 };

enum braces { BRACES_NONE, BRACES_BLOCK, BRACES_DECLARATIONS, BRACES_VALUES };

/* How far the source was read. */
struct reader {
    const char *at;
    int parens;
    char braces
        [DEPTH]; /* what those are that are open, the outermost first; what is deeper is not looked at */
    int depth;
    char last;       /* the last character that counts */
    bool is_begun;   /* a statement has begun: its first word was read */
    char word[WORD]; /* that it began with */
    bool leaves;     /* the last whole statement leads away, so that nothing behind it runs */
};

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_one_of(const char *word, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(word, *words) == 0)
            return true;
    return false;
}

static const char *copy_word(const char *at, char word[WORD])
{
    size_t length = 0;
    for (; is_word(*at); at++)
        if (length < WORD - 1)
            word[length++] = *at;
    word[length] = '\0';
    return at;
}

/* To behind a comment; NULL: there is none. */
static const char *skip_comment(const char *at)
{
    if (at[0] == '/' && at[1] == '*') {
        const char *end = strstr(at + 2, "*/");
        return end ? end + 2 : at + strlen(at);
    }
    if (at[0] != '/' || at[1] != '/')
        return NULL;
    while (*at && *at != '\n')
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return at;
}

/* To behind a directive, with the lines that it goes on in. */
static const char *skip_directive(const char *at)
{
    while (*at && *at != '\n') {
        const char *end = skip_comment(at);
        at = end ? end : at + (at[0] == '\\' && at[1] ? 1 + (at[1] == '\r' && at[2] == '\n') + 1 : 1);
    }
    return at;
}

/* R"delimiter( ... )delimiter" */
static const char *skip_raw(const char *at)
{
    char end[20];
    const char *open = strchr(at, '(');
    size_t length = open ? (size_t)(open - at - 1) : 0;
    if (!open || length > 16)
        return at + 1;
    end[0] = ')';
    memcpy(end + 1, at + 1, length);
    end[length + 1] = '"';
    end[length + 2] = '\0';
    const char *found = strstr(open, end);
    return found ? found + length + 2 : at + strlen(at);
}

/* To behind a text or a character. */
static const char *skip_text(const char *at)
{
    char quote = *at++;
    while (*at && *at != quote && *at != '\n')
        at += at[0] == '\\' && at[1] ? 2 : 1;
    return at + (*at == quote);
}

static void end_statement(struct reader *reader)
{
    static const char *const leaving[] = {"return", "break", "continue", "goto", "throw", NULL};
    reader->leaves = is_one_of(reader->word, leaving);
    reader->is_begun = false;
    reader->word[0] = '\0';
}

static enum braces innermost(const struct reader *reader)
{
    int depth = reader->depth;
    return depth <= 0 ? BRACES_NONE : depth > DEPTH ? BRACES_VALUES : (enum braces)reader->braces[depth - 1];
}

static void open_braces(struct reader *reader)
{
    static const char *const declaring[] = {"struct",    "union",   "enum",   "class",
                                            "namespace", "typedef", "extern", NULL};
    enum braces kind = BRACES_BLOCK;
    if (innermost(reader) == BRACES_VALUES || reader->parens > 0 || strchr("=,", reader->last))
        kind = BRACES_VALUES;
    else if (reader->last != ')' && is_one_of(reader->word, declaring))
        kind = BRACES_DECLARATIONS;
    if (reader->depth >= 0 && reader->depth < DEPTH)
        reader->braces[reader->depth] = (char)kind;
    reader->depth++;
}

/* Takes the character that counts, or the word, at reader->at. */
static void take_token(struct reader *reader)
{
    char c = *reader->at;
    if (is_word(c)) {
        char word[WORD];
        reader->at = copy_word(reader->at, word);
        if (!reader->is_begun)
            memcpy(reader->word, word, WORD);
        reader->is_begun = true;
        reader->last = 'a';
        return;
    }
    reader->at++;
    reader->parens += (c == '(' || c == '[') - (c == ')' || c == ']');
    if (c == '{')
        open_braces(reader);
    bool is_value = innermost(reader) == BRACES_VALUES;
    reader->depth -= c == '}';
    if (reader->parens <= 0 && !is_value && (c == ';' || c == '{' || c == '}' || c == ':')) {
        end_statement(reader);
        reader->leaves &= c == ';';
    }
    reader->last = is_value && c == '}' ? 'a' : c;
}

/* Reads on to `end`, the beginning of a line; false when a comment, a text or a directive goes on beyond it. */
static bool read_to(struct reader *reader, const char *text, const char *end)
{
    while (reader->at < end) {
        const char *at = reader->at, *behind = skip_comment(at);
        if (behind)
            reader->at = behind;
        else if (isspace((unsigned char)*at))
            reader->at++;
        else if (*at == '\\' && (at[1] == '\n' || at[1] == '\r'))
            reader->at += 2, reader->last = '\\';
        else if (*at == '#')
            reader->at = skip_directive(at);
        else if (*at == '"' || (*at == '\'' && !(at > text && isxdigit((unsigned char)at[-1])))) {
            bool is_raw = *at == '"' && at > text && at[-1] == 'R';
            reader->at = is_raw ? skip_raw(at) : skip_text(at);
            reader->last = '"';
        } else
            take_token(reader);
    }
    return reader->at == end;
}

/* To what is neither blank nor comment. */
static const char *skip_blank(const char *at)
{
    for (const char *behind; at += strspn(at, " \t\r\n"), (behind = skip_comment(at)); at = behind)
        continue;
    return at;
}

/* Whether what follows lets a statement stand before it. */
static bool may_follow(const struct reader *reader)
{
    static const char *const never[] = {"else", "case", "default", "public", "private", "protected", NULL};
    const char *at = skip_blank(reader->at);
    char word[WORD];
    while (*at == '#')
        at = skip_blank(skip_directive(at));
    copy_word(at, word);
    if (is_one_of(word, never) || (reader->last == '}' && strcmp(word, "while") == 0))
        return false;
    return *at && !strchr(";,)].?:=<>|^%/", *at);
}

/* `is_line`: the reader stands at its beginning, and not in what goes on beyond it. */
static enum place judge_place(const struct reader *reader, bool is_line)
{
    enum braces braces = innermost(reader);
    if (!is_line || reader->parens > 0 || braces == BRACES_VALUES || !strchr(";{}:", reader->last))
        return PLACE_INSIDE;
    return braces == BRACES_BLOCK && !reader->leaves && may_follow(reader) ? PLACE_FREE : PLACE_NEVER;
}

enum place *places_find(const struct point_source *source)
{
    struct reader reader = {.at = source->text, .last = ';'};
    enum place *places = calloc(source->line_count + 1, sizeof *places);
    for (size_t i = 0; places && i <= source->line_count; i++) {
        bool is_line = read_to(&reader, source->text, source->lines[i]);
        places[i] = judge_place(&reader, is_line);
    }
    return places;
}

/* ---- the header ---- */

/* Whether the line is a directive of that name; *rest is what follows it. */
static bool is_directive(const char *line, const char *name, const char **rest)
{
    line += strspn(line, " \t");
    if (*line != '#')
        return false;
    line += 1 + strspn(line + 1, " \t");
    size_t length = strlen(name);
    if (strncmp(line, name, length) != 0 || is_word(line[length]))
        return false;
    *rest = line + length + strspn(line + length, " \t");
    return true;
}

static bool is_coz(const char *rest)
{
    return strncmp(rest, "<coz.h>", 7) == 0 || strncmp(rest, "\"coz.h\"", 7) == 0;
}

size_t places_include(const struct point_source *source)
{
    size_t place = 0, behind_guard = 0;
    int depth = 0, guard = 0;
    bool has_directive = false, is_over = false;
    struct reader reader = {.at = source->text, .last = ';'};
    for (size_t i = 0; i < source->line_count; i++) {
        const char *line = source->lines[i], *rest;
        if (!read_to(&reader, source->text, line))
            continue;
        bool is_guard = !has_directive && is_directive(line, "ifndef", &rest);
        if (is_directive(line, "include", &rest)) {
            if (is_coz(rest))
                return 0;
            if (depth == guard && !is_over)
                place = i + 2;
        } else if (is_directive(line, "if", &rest) || is_directive(line, "ifdef", &rest) ||
                   is_directive(line, "ifndef", &rest)) {
            depth++;
            guard += is_guard;
            is_over |= place > 0 && !is_guard;
        } else if (is_directive(line, "endif", &rest)) {
            depth--;
            if (depth < guard && *skip_blank(source->lines[i + 1])) {
                guard = depth; /* it guarded something else */
                behind_guard = 0;
            }
        } else if (guard && !behind_guard && is_directive(line, "define", &rest)) {
            behind_guard = i + 2;
        } else if (place > 0 && !strchr("/\r\n", line[strspn(line, " \t")])) {
            is_over = true;
        }
        has_directive |= line[strspn(line, " \t")] == '#';
    }
    if (place > 0 || behind_guard > 0)
        return place > 0 ? place : behind_guard;
    /* No include at all: behind the comment at the top. */
    const char *comment = skip_comment(source->text);
    for (size_t i = 0; comment && i <= source->line_count; i++)
        if (source->lines[i] >= comment)
            return i + 1;
    return 1;
}
