/* Lines as profilers write them: one flat object, its type first, without escapes. A profile of hundreds of
 * megabytes is millions of such lines, and these are read in place, without a value for each of their members.
 * Whatever else a line holds, and whatever is wrong with it, is parse_json's to judge. */
#include "profile/layout.h"
#include "profile/parse.h"
#include "profile/utf8.h"

#include <string.h>

/* So many digits always fit: a whole number into an int64_t, any number into a double's 53 bits. Quotients of
 * two doubles that are exact are rounded correctly, as strtod() would. */
enum { WHOLE_DIGITS = 18, REAL_DIGITS = 15 };

/* The most strings that a record has. */
enum { STRINGS_MOST = 8 };

struct text {
    char *start;
    size_t length;
};

struct number {
    bool is_whole;
    int64_t whole;
    double real;
};

struct scanner {
    char *at, *end;
};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static void skip_blanks(struct scanner *scanner)
{
    while (scanner->at < scanner->end && is_blank(*scanner->at))
        scanner->at++;
}

/* Passes that character and the blanks around it. */
static bool take_mark(struct scanner *scanner, char mark)
{
    skip_blanks(scanner);
    if (scanner->at == scanner->end || *scanner->at != mark)
        return false;
    scanner->at++;
    skip_blanks(scanner);
    return true;
}

/* The quote behind the text ends the last character, however it is broken. */
static bool is_utf8(const struct text *text)
{
    const char *end = text->start + text->length;
    for (const char *at = text->start; at < end;) {
        size_t length = utf8_length(at);
        if (length == 0)
            return false;
        at += length;
    }
    return true;
}

/* Here and in take_digits() places are kept in variables of their own: a char written or read through a pointer may
 * be any other's, and a compiler fetches *scanner again for each. */
static bool take_text(struct scanner *scanner, struct text *text)
{
    unsigned char all = 0;
    char *at = scanner->at, *end = scanner->end;
    if (at == end || *at != '"')
        return false;
    text->start = ++at;
    for (; at < end && *at != '"'; at++) {
        if ((unsigned char)*at < 0x20 || *at == '\\')
            return false;
        all |= (unsigned char)*at;
    }
    if (at == end)
        return false;
    text->length = (size_t)(at - text->start);
    scanner->at = at + 1;
    return all < 0x80 || is_utf8(text);
}

/* Adds digits to *number; returns how many there were. */
static int take_digits(struct scanner *scanner, int64_t *number, int most)
{
    char *first = scanner->at, *at = first;
    char *end = scanner->end - at > most ? at + most : scanner->end;
    int64_t sum = *number;
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        sum = 10 * sum + (*at - '0');
    scanner->at = at;
    *number = sum;
    return (int)(at - first);
}

static bool ends_value(char c)
{
    return c == ',' || c == '}' || is_blank(c);
}

static bool take_number(struct scanner *scanner, struct number *number)
{
    static const double powers[] = {1,   1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                    1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    bool is_negative = scanner->at < scanner->end && *scanner->at == '-';
    scanner->at += is_negative;
    const char *first = scanner->at;
    int64_t digits = 0;
    int count = take_digits(scanner, &digits, WHOLE_DIGITS), behind = 0;
    if (count == 0 || (count > 1 && *first == '0'))
        return false;
    if (scanner->at < scanner->end && *scanner->at == '.') {
        scanner->at++;
        behind = take_digits(scanner, &digits, REAL_DIGITS - (digits ? count : 0));
        if (behind == 0)
            return false;
        double real = (double)digits / powers[behind];
        *number = (struct number){.real = is_negative ? -real : real};
    } else {
        *number = (struct number){.is_whole = true, .whole = is_negative ? -digits : digits};
    }
    /* More digits, an exponent, or no number at all. */
    return scanner->at < scanner->end && ends_value(*scanner->at);
}

/* Passes the member's name, if that is what stands here. */
static bool take_name(struct scanner *scanner, const struct layout_member *member)
{
    char *at = scanner->at, *end = scanner->end;
    const char *name = member->json;
    if (at == end || *at++ != '"')
        return false;
    for (; at < end && *name != '\0' && *at == *name; at++)
        name++;
    if (at == end || *at != '"' || *name != '\0')
        return false;
    scanner->at = at + 1;
    return true;
}

/* Passes a member's name and gives its place in the layout, looked for from *next on, where writers have it; as many as
 * there are: it is none that we know. */
static bool take_member(struct scanner *scanner, const struct layout *layout, size_t *next, size_t *place)
{
    struct text name;
    for (size_t i = 0; i < layout->count; i++) {
        *place = *next + i < layout->count ? *next + i : *next + i - layout->count;
        if (take_name(scanner, &layout->members[*place])) {
            *next = *place + 1;
            return true;
        }
    }
    *place = layout->count;
    /* Another type, and the last counts. */
    return take_text(scanner, &name) && !(name.length == 4 && memcmp(name.start, "type", 4) == 0);
}

static bool set_number(struct profile_record *record, const struct layout_member *member,
                       const struct number *number)
{
    if (member->kind == LAYOUT_COUNT && number->is_whole && number->whole >= 0)
        return !layout_set_count(record, member, (uint64_t)number->whole);
    return !layout_set_real(record, member, number->is_whole ? (double)number->whole : number->real);
}

/* The strings of a record so far; they get their ends when all of the line was read. */
struct strings {
    char *ends[STRINGS_MOST];
    size_t count;
};

static bool set_text(struct profile_record *record, const struct layout_member *member,
                     const struct text *text, struct strings *strings)
{
    if (member->kind != LAYOUT_STRING || text->length == 0 || text->length > LAYOUT_STRING_MAX ||
        strings->count == STRINGS_MOST)
        return false;
    memcpy((char *)record + member->offset, &text->start, sizeof text->start);
    strings->ends[strings->count++] = text->start + text->length;
    return true;
}

/* One member's value; a member of NULL is passed over. */
static bool take_value(struct scanner *scanner, struct profile_record *record,
                       const struct layout_member *member, struct strings *strings)
{
    struct text text;
    struct number number;
    if (scanner->at < scanner->end && *scanner->at == '"')
        return take_text(scanner, &text) && (!member || set_text(record, member, &text, strings));
    return take_number(scanner, &number) && (!member || set_number(record, member, &number));
}

static const struct layout *take_type(struct scanner *scanner)
{
    struct text name, type;
    if (!take_mark(scanner, '{') || !take_text(scanner, &name) || name.length != 4 ||
        memcmp(name.start, "type", 4) != 0 || !take_mark(scanner, ':') || !take_text(scanner, &type))
        return NULL;
    return layout_by_name(type.start, type.length);
}

static bool has_required(const struct layout *layout, uint32_t seen)
{
    for (size_t i = 0; i < layout->count; i++)
        if (layout->members[i].required && !(seen & 1U << i))
            return false;
    return true;
}

bool parse_flat(char *line, size_t length, struct profile_record *record)
{
    struct scanner scanner = {line, line + length};
    struct strings strings = {.count = 0};
    const struct layout *layout = take_type(&scanner);
    uint32_t seen = 0;
    size_t next = 0;
    if (!layout)
        return false;
    *record = (struct profile_record){.type = layout->type};
    while (take_mark(&scanner, ',')) {
        size_t place;
        if (!take_member(&scanner, layout, &next, &place) || !take_mark(&scanner, ':'))
            return false;
        bool is_known = place < layout->count;
        if (!take_value(&scanner, record, is_known ? &layout->members[place] : NULL, &strings))
            return false;
        seen |= is_known ? 1U << place : 0;
    }
    if (!take_mark(&scanner, '}') || scanner.at != scanner.end || !has_required(layout, seen))
        return false;
    for (size_t i = 0; i < strings.count; i++)
        *strings.ends[i] = '\0';
    return true;
}
