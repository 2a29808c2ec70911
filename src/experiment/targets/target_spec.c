#include "experiment/targets/target_spec.h"

#include "debuginfo/names/function_name.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

static const struct {
    const char *prefix; /* before the name */
    const char *form;   /* what the name has to be */
} kinds[] = {
    [PART_LINE] = {"line:", "FILE:LINE"},
    [PART_FUNCTION] = {"function:", "a function's name"},
    [PART_CALLSITE] = {"callsite:", "'FILE:LINE <- FILE:LINE'"},
    [PART_FILE] = {"file:", "a pattern of source files"},
    [PART_THREAD] = {"thread:", "a name of at most 15 characters, as the kernel has it, or a pattern"},
};

enum { KINDS = sizeof kinds / sizeof *kinds, THREAD_NAME_MOST = 15, THREAD_PATTERN_MOST = 59 };

static const char arrow[] = "<-";

static const char *find_arrow(const char *name, size_t length)
{
    return memmem(name, length, arrow, sizeof arrow - 1);
}

/* "FILE:LINE" */
static bool is_line(const char *name, size_t length)
{
    size_t digits = 0;
    while (digits < length && isdigit((unsigned char)name[length - 1 - digits]))
        digits++;
    return digits > 0 && length > digits + 1 && name[length - 1 - digits] == ':';
}

static size_t trim_end(const char *name, size_t length)
{
    while (length > 0 && name[length - 1] == ' ')
        length--;
    return length;
}

static bool is_callsite(const char *name, size_t length)
{
    const char *at = find_arrow(name, length);
    if (!at || !is_line(name, trim_end(name, (size_t)(at - name))))
        return false;
    const char *caller = at + sizeof arrow - 1;
    while (caller < name + length && *caller == ' ')
        caller++;
    return is_line(caller, (size_t)(name + length - caller));
}

static bool is_thread(const char *name, size_t length)
{
    bool is_pattern = memchr(name, '*', length) || memchr(name, '%', length);
    return length > 0 && length <= (is_pattern ? THREAD_PATTERN_MOST : THREAD_NAME_MOST);
}

static bool is_well_formed(const struct target_part *part)
{
    if (part->length >= TARGET_PART_BYTES)
        return false;
    switch (part->kind) {
    case PART_LINE:
        return is_line(part->name, part->length);
    case PART_CALLSITE:
        return is_callsite(part->name, part->length);
    case PART_THREAD:
        return is_thread(part->name, part->length);
    case PART_FUNCTION:
    case PART_FILE:
        break;
    }
    return part->length > 0;
}

static int check_part(const struct target_spec *spec, const struct target_part *part, struct coz_error *err)
{
    if (is_well_formed(part))
        return 0;
    return error_set(err, EINVAL, "%s %s: '%.*s' is not %s", spec->option, spec->text, (int)part->length,
                     part->name, kinds[part->kind].form);
}

/* *named: the kind that was named last; -1: none was. */
static struct target_part read_part(const char *begin, const char *end, int *named)
{
    while (begin < end && *begin == ' ')
        begin++;
    struct target_part part = {.name = begin, .length = trim_end(begin, (size_t)(end - begin))};
    for (int kind = 0; kind < KINDS; kind++) {
        size_t length = strlen(kinds[kind].prefix);
        if (part.length >= length && memcmp(part.name, kinds[kind].prefix, length) == 0) {
            *named = kind;
            part.name += length;
            part.length -= length;
            break;
        }
    }
    if (*named >= 0)
        part.kind = (enum target_part_kind) * named;
    else if (find_arrow(part.name, part.length))
        part.kind = PART_CALLSITE;
    else
        part.kind = is_line(part.name, part.length) ? PART_LINE : PART_FUNCTION;
    return part;
}

static enum granularity granularity_of(enum target_part_kind kind)
{
    switch (kind) {
    case PART_FUNCTION:
        return GRANULARITY_FUNCTION;
    case PART_CALLSITE:
        return GRANULARITY_CALLSITE;
    case PART_THREAD:
        return GRANULARITY_THREAD;
    case PART_LINE:
    case PART_FILE: /* all lines of it */
        break;
    }
    return GRANULARITY_LINE;
}

int target_spec_parse(struct target_spec *spec, const char *text, struct coz_error *err)
{
    int named = -1;
    *spec = (struct target_spec){.option = "--target", .text = text};
    for (const char *begin = text, *end;; begin = end + 1) {
        end = function_name_plus(begin);
        if (spec->count == TARGET_PARTS)
            return error_set(err, EINVAL, "--target %s: at most %d at once", text, TARGET_PARTS);
        struct target_part *part = &spec->parts[spec->count++];
        *part = read_part(begin, end, &named);
        int rc = check_part(spec, part, err);
        if (rc)
            return rc;
        if (granularity_of(part->kind) != granularity_of(spec->parts[0].kind))
            return error_set(err, EINVAL,
                             "--target %s: only targets of one kind can be tried at once (lines and files go "
                             "together)",
                             text);
        if (!*end)
            return 0;
    }
}

int target_spec_of_kind(struct target_spec *spec, const char *option, enum target_part_kind kind,
                        const char *text, struct coz_error *err)
{
    *spec = (struct target_spec){
        .option = option, .text = text, .parts = {{kind, text, strlen(text)}}, .count = 1};
    return check_part(spec, &spec->parts[0], err);
}

enum granularity target_spec_granularity(const struct target_spec *spec)
{
    return granularity_of(spec->parts[0].kind);
}

bool target_spec_is_group(const struct target_spec *spec)
{
    return spec->count > 1 || spec->parts[0].kind == PART_FILE || spec->parts[0].kind == PART_THREAD;
}

const char *target_part_name(const struct target_part *part, char *buffer)
{
    memcpy(buffer, part->name, part->length);
    buffer[part->length] = '\0';
    return buffer;
}
