#include "profile/layout.h"
#include "profile/parse.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h> /* strtod, strtoull */
#include <string.h>

static enum parse_outcome note_complaint(struct parse_complaint *complaint, size_t column, const char *name,
                                         const char *what)
{
    complaint->column = column;
    snprintf(complaint->what, sizeof complaint->what, "%s %s", name, what);
    return PARSE_BAD;
}

static const char *set_number(struct profile_record *record, const struct layout_member *member,
                              const char *text)
{
    char *end;
    /* strtod() would take leading spaces, hexadecimal and "nan". */
    if (strspn(text, "0123456789+-.eE") != strlen(text) || *text == '\0')
        return "is not a number";
    if (strspn(text, "0123456789") == strlen(text)) {
        errno = 0;
        unsigned long long value = strtoull(text, &end, 10);
        if (errno || value > INT64_MAX)
            return "is too large";
        return layout_set_count(record, member, value);
    }
    double value = strtod(text, &end);
    return *end ? "is not a number" : layout_set_real(record, member, value);
}

static const char *set_member(struct profile_record *record, const struct layout_member *member,
                              const char *text)
{
    if (member->kind != LAYOUT_STRING)
        return set_number(record, member, text);
    if (*text == '\0')
        return "is empty";
    if (strlen(text) > LAYOUT_STRING_MAX)
        return "is too long";
    memcpy((char *)record + member->offset, &text, sizeof text);
    return NULL;
}

enum parse_outcome parse_tab(char *line, size_t length, struct profile_record *record,
                             struct parse_complaint *complaint)
{
    const char *nul = memchr(line, '\0', length);
    if (nul)
        return note_complaint(complaint, (size_t)(nul - line) + 1, "the line", "holds a zero byte");
    line[length] = '\0';
    size_t word = strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_0123456789");
    if (word == 0 || line[word] != '\t')
        return note_complaint(complaint, 1, "neither a JSON object", "nor tab-separated members");
    const struct layout *layout = layout_by_name(line, word);
    if (!layout)
        return PARSE_SKIPPED;
    *record = (struct profile_record){.type = layout->type};
    unsigned seen = 0;
    for (char *next = line + word; next;) {
        char *text = next + 1;
        next = strchr(text, '\t');
        if (next)
            *next = '\0';
        char *equals = strchr(text, '=');
        if (!equals)
            continue; /* not a member: skipped like members that we do not know */
        *equals = '\0';
        for (size_t i = 0; i < layout->count; i++) {
            if (strcmp(layout->members[i].tab, text) != 0)
                continue;
            const char *wrong = set_member(record, &layout->members[i], equals + 1);
            if (wrong)
                return note_complaint(complaint, (size_t)(text - line) + 1, layout->members[i].tab, wrong);
            seen |= 1U << i;
        }
    }
    for (size_t i = 0; i < layout->count; i++) {
        if (layout->members[i].required && !(seen & 1U << i)) {
            complaint->column = 1;
            snprintf(complaint->what, sizeof complaint->what, "%s has no %s", layout->name,
                     layout->members[i].tab);
            return PARSE_BAD;
        }
    }
    return PARSE_RECORD;
}
