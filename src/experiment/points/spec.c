#include "experiment/points/spec.h"

#include "experiment/points/calls.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char begin_word[] = "begin=", end_word[] = ",end=";

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* Takes ":LINE" off the text. False: there is none at its end. */
static bool cut_line(char *text, unsigned *line)
{
    char *colon = strrchr(text, ':'), *end;
    if (!colon || colon == text || !colon[1] || strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return false;
    unsigned long number = strtoul(colon + 1, &end, 10);
    *line = number > UINT_MAX ? UINT_MAX : (unsigned)number;
    *colon = '\0';
    return true;
}

static int parse_line(const char *text, struct place_spec *place, struct coz_error *err)
{
    strcpy(place->file, text);
    if (!cut_line(place->file, &place->line))
        return error_set(err, EINVAL, "'%s' must be FILE:LINE", text);
    if (place->line == 0)
        return error_set(err, EINVAL, "lines are counted from 1");
    return 0;
}

static int parse_call(const char *text, struct place_spec *place, struct coz_error *err)
{
    const char *at = strchr(text, '@');
    size_t length = at ? (size_t)(at - text) : strlen(text);
    place->kind = PLACE_CALL;
    memcpy(place->name, text, length);
    if (length == 0)
        return error_set(err, EINVAL,
                         "which call? call:NAME (`coz points --calls` lists those that there are)");
    int call = call_find(place->name, err);
    if (call < 0)
        return call;
    place->call = (unsigned)call;
    if (at && strcmp(at, "@return") == 0)
        return error_set(err, EINVAL, "a call counts when it has returned, so leave @return out");
    return at ? parse_line(at + 1, place, err) : 0;
}

static int parse_usdt(const char *text, struct place_spec *place, struct coz_error *err)
{
    const char *colon = strchr(text, ':');
    place->kind = PLACE_USDT;
    if (!colon || colon == text || !colon[1])
        return error_set(err, EINVAL, "a static probe is usdt:PROVIDER:NAME");
    memcpy(place->provider, text, (size_t)(colon - text));
    strcpy(place->name, colon + 1);
    return 0;
}

/* The name of a source, whose line was forgotten. */
static bool is_source(const char *text)
{
    static const char *const endings[] = {".c", ".cc", ".cpp", ".cxx", ".h", ".hpp", ".rs", ".f90", ".d"};
    const char *dot = strrchr(text, '.');
    for (size_t i = 0; dot && i < sizeof endings / sizeof *endings; i++)
        if (strcmp(dot, endings[i]) == 0)
            return true;
    return false;
}

/* A line or a function, with what may stand after it. */
static int parse_code(const char *text, struct place_spec *place, struct coz_error *err)
{
    char code[SEGMENT_POINT_NAME];
    strcpy(code, text);
    char *at = strrchr(code, '@');
    if (at)
        *at++ = '\0';
    bool sampled = at && strcmp(at, "sampled") == 0, returns = at && strcmp(at, "return") == 0;
    if (at && !sampled && !returns)
        return error_set(err, EINVAL, "'@%s' must be @return (of a function) or @sampled (of a line)", at);
    strcpy(place->file, code);
    if (cut_line(place->file, &place->line)) {
        place->kind = sampled ? PLACE_SAMPLED : PLACE_LINE;
        return returns ? error_set(err, EINVAL, "only functions return; a line is FILE:LINE")
                       : parse_line(code, place, err);
    }
    place->file[0] = '\0';
    if (!*code)
        return error_set(err, EINVAL, "which line, function or call?");
    if (sampled)
        return error_set(err, EINVAL, "only lines are counted by samples: FILE:LINE@sampled");
    if (is_source(code))
        return error_set(err, EINVAL, "which line of it? FILE:LINE");
    place->kind = returns ? PLACE_RETURN : PLACE_FUNCTION;
    strcpy(place->name, code);
    return 0;
}

static int parse_place(const char *text, struct place_spec *place, struct coz_error *err)
{
    if (begins_with(text, "call:"))
        return parse_call(text + strlen("call:"), place, err);
    if (begins_with(text, "usdt:"))
        return parse_usdt(text + strlen("usdt:"), place, err);
    if (strcmp(text, "exit") == 0) {
        place->kind = PLACE_EXIT;
        return 0;
    }
    return parse_code(text, place, err);
}

static int parse_end(const char *text, struct place_spec *place, struct coz_error *err)
{
    int rc = parse_place(text, place, err);
    if (rc == 0 && (place->kind == PLACE_SAMPLED || place->kind == PLACE_EXIT))
        return error_set(err, EINVAL, "'%s' is no moment that a latency could begin or end with", text);
    return rc;
}

static int parse_latency(const char *text, struct point_spec *spec, struct coz_error *err)
{
    char begin[SEGMENT_POINT_NAME];
    const char *end = strstr(text, end_word);
    if (!end)
        return error_set(err, EINVAL, "latency is begin=SPEC,end=SPEC");
    size_t length = (size_t)(end - text) - strlen(begin_word);
    memcpy(begin, text + strlen(begin_word), length);
    begin[length] = '\0';
    spec->is_latency = true;
    int rc = parse_end(begin, &spec->at, err);
    return rc ? rc : parse_end(end + strlen(end_word), &spec->end, err);
}

int point_spec_parse(const char *text, struct point_spec *spec, struct coz_error *err)
{
    *spec = (struct point_spec){.text = text};
    if (strlen(text) >= SEGMENT_POINT_NAME)
        return error_set(err, EINVAL, "longer than %d characters", SEGMENT_POINT_NAME - 1);
    return begins_with(text, begin_word) ? parse_latency(text, spec, err) : parse_place(text, &spec->at, err);
}
