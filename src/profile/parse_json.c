#include "profile/layout.h"
#include "profile/parse.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static enum parse_outcome __attribute__((format(printf, 3, 4)))
note_complaint(struct parse_complaint *complaint, size_t column, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    complaint->column = column;
    vsnprintf(complaint->what, sizeof complaint->what, format, args);
    va_end(args);
    return PARSE_BAD;
}

/* jansson does not keep where a value stood, so look for the member's name; 0 when it is spelt with escapes.
 */
static size_t column_of(const char *line, size_t length, const char *name)
{
    size_t n = strlen(name);
    for (size_t i = 0; i + n + 2 <= length; i++) {
        if (line[i] != '"' || memcmp(line + i + 1, name, n) != 0 || line[i + n + 1] != '"')
            continue;
        size_t after = i + n + 2;
        while (after < length && (line[after] == ' ' || line[after] == '\t'))
            after++;
        if (after < length && line[after] == ':')
            return i + 1;
    }
    return 0;
}

static const char *set_member(struct profile_record *record, const struct layout_member *member,
                              const json_t *value)
{
    if (json_is_string(value)) {
        if (member->kind != LAYOUT_STRING)
            return "is text where a number is expected";
        if (json_string_length(value) == 0)
            return "is empty";
        if (json_string_length(value) > LAYOUT_STRING_MAX)
            return "is too long";
        const char *text = json_string_value(value);
        memcpy((char *)record + member->offset, &text, sizeof text);
        return NULL;
    }
    if (json_is_integer(value)) {
        json_int_t number = json_integer_value(value);
        if (number >= 0 && member->kind == LAYOUT_COUNT)
            return layout_set_count(record, member, (uint64_t)number);
        return layout_set_real(record, member, (double)number);
    }
    if (json_is_real(value))
        return layout_set_real(record, member, json_real_value(value));
    return member->kind == LAYOUT_STRING ? "is not text" : "is not a number";
}

enum parse_outcome parse_json(struct parse_state *state, const char *line, size_t length,
                              struct profile_record *record, struct parse_complaint *complaint)
{
    json_error_t error;
    json_t *root = json_loadb(line, length, 0, &error);
    if (!root)
        return note_complaint(complaint, error.position > 0 ? (size_t)error.position : 1, "not JSON: %s",
                              error.text);
    state->json = root;
    if (!json_is_object(root))
        return note_complaint(complaint, 1, "not a JSON object");
    const json_t *type = json_object_get(root, "type");
    if (!json_is_string(type))
        return note_complaint(complaint, type ? column_of(line, length, "type") : 1,
                              type ? "\"type\" is not text" : "has no \"type\"");
    const struct layout *layout = layout_by_name(json_string_value(type), json_string_length(type));
    if (!layout)
        return PARSE_SKIPPED;
    *record = (struct profile_record){.type = layout->type};
    for (size_t i = 0; i < layout->count; i++) {
        const struct layout_member *member = &layout->members[i];
        const json_t *value = json_object_get(root, member->json);
        if (!value) {
            if (member->required)
                return note_complaint(complaint, 1, "%s has no \"%s\"", layout->name, member->json);
            continue;
        }
        const char *wrong = set_member(record, member, value);
        if (wrong)
            return note_complaint(complaint, column_of(line, length, member->json), "\"%s\" %s", member->json,
                                  wrong);
    }
    return PARSE_RECORD;
}

void parse_release(struct parse_state *state)
{
    json_decref(state->json);
    state->json = NULL;
}
