#include "report/compare/condition.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const understood =
    "understood is `rate < -5%`, `latency > 5%`, `worker.c:88 impact > 20%`, `worker.c:88 change > 10%`, each with"
    " `of POINT` before the < or > where one point is meant";

static int refuse(struct coz_error *err, const struct condition *condition, const char *at, const char *what)
{
    return error_set(err, EINVAL, "--fail-if '%.120s': %s at column %zu (%.40s); %s.", condition->text, what,
                     (size_t)(at - condition->text) + 1, *at ? at : "the end", understood);
}

static const char *skip_blanks(const char *text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

static const char *trim_end(const char *begin, const char *end)
{
    while (end > begin && isspace((unsigned char)end[-1]))
        end--;
    return end;
}

/* Functions of C++ hold < and > as well: the last one is meant. */
static const char *find_sign(const char *text)
{
    const char *below = strrchr(text, '<'), *above = strrchr(text, '>');
    return !below || (above && above > below) ? above : below;
}

static int parse_limit(struct condition *condition, const char *sign, struct coz_error *err)
{
    const char *number = skip_blanks(sign + 1);
    if (*number == '=')
        return refuse(err, condition, number, "only < and > are known, not `=`,");
    char *rest;
    condition->is_above = *sign == '>';
    condition->limit = strtod(number, &rest) / 100;
    if (rest == number || !isfinite(condition->limit))
        return refuse(err, condition, number, "there is no number");
    const char *end = skip_blanks(rest);
    if (*end == '%')
        end = skip_blanks(end + 1);
    return *end ? refuse(err, condition, end, "something follows the number") : 0;
}

/* Is that the word before `end`, with a blank or nothing before it? */
static const char *word_before(const char *begin, const char *end, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(end - begin) < length || memcmp(end - length, word, length) != 0)
        return NULL;
    const char *at = end - length;
    return at == begin || isspace((unsigned char)at[-1]) ? at : NULL;
}

static char *copy_unquoted(const char *begin, const char *end)
{
    bool quoted = end - begin >= 2 && *begin == '`' && end[-1] == '`';
    return strndup(begin + quoted, (size_t)(end - begin) - (quoted ? 2 : 0));
}

static const char *const subjects[] = {"rate", "latency", "impact", "change"};

/* "of POINT", or nothing; *point is where the name begins, or NULL. False: it is something else. */
static bool read_of(const char *text, const char *end, const char **point)
{
    const char *of = skip_blanks(text);
    *point = NULL;
    if (of >= end)
        return true;
    if (of == text || end - of < 3 || memcmp(of, "of", 2) != 0 || !isspace((unsigned char)of[2]))
        return false;
    *point = skip_blanks(of + 2);
    return *point < end;
}

/* The point, if one is named, ends there. */
static int take_subject(struct condition *condition, size_t subject, const char *point, const char *end)
{
    condition->subject = (enum condition_subject)subject;
    condition->point = point ? copy_unquoted(point, end) : NULL;
    return point && !condition->point ? -ENOMEM : 0;
}

/* The program's: "rate of POINT" is all there is. */
static int parse_rate(struct condition *condition, const char *begin, const char **end)
{
    for (size_t i = CONDITION_RATE; i <= CONDITION_LATENCY; i++) {
        size_t length = strlen(subjects[i]);
        const char *point;
        if ((size_t)(*end - begin) < length || memcmp(begin, subjects[i], length) != 0 ||
            !read_of(begin + length, *end, &point))
            continue;
        int rc = take_subject(condition, i, point, *end);
        *end = begin;
        return rc;
    }
    return -EINVAL;
}

/* The last "SUBJECT of POINT" or "SUBJECT" of what stands before the sign; *end becomes where it begins. */
static int parse_subject(struct condition *condition, const char *begin, const char **end)
{
    for (const char *at = *end; at > begin; at--) {
        const char *point;
        for (size_t i = 0; i < sizeof subjects / sizeof *subjects && read_of(at, *end, &point); i++) {
            const char *word = word_before(begin, at, subjects[i]);
            if (!word)
                continue;
            int rc = take_subject(condition, i, point, *end);
            *end = trim_end(begin, word);
            return rc;
        }
    }
    return -EINVAL;
}

int condition_parse(struct condition *condition, const char *text, struct coz_error *err)
{
    *condition = (struct condition){.text = text, .value = NAN, .low = NAN, .high = NAN};
    const char *begin = skip_blanks(text), *sign = find_sign(text);
    if (!sign)
        return refuse(err, condition, text + strlen(text), "there is no < or >");
    const char *end = trim_end(begin, sign);
    int code = parse_limit(condition, sign, err);
    if (code < 0)
        return code;
    if ((code = parse_rate(condition, begin, &end)) == -EINVAL)
        code = parse_subject(condition, begin, &end);
    if (code == -EINVAL)
        return refuse(err, condition, begin, "neither rate, latency, impact nor change is named");
    bool is_of_target = condition->subject == CONDITION_IMPACT || condition->subject == CONDITION_CHANGE;
    if (is_of_target && end == begin)
        return refuse(err, condition, begin, "no line or function is named");
    if (!is_of_target && end > begin)
        return refuse(err, condition, begin, "rate and latency are the program's, not a line's,");
    if (code == 0 && is_of_target)
        condition->target = copy_unquoted(begin, end);
    if (code < 0 || (is_of_target && !condition->target))
        return error_set(err, ENOMEM, "out of memory");
    return 0;
}

void condition_release(struct condition *condition)
{
    free(condition->target);
    free(condition->point);
}

int conditions_status(const struct condition *conditions, size_t count)
{
    int status = 0;
    for (size_t i = 0; i < count && status != 1; i++)
        if (conditions[i].outcome == CONDITION_MET)
            status = 1;
        else if (conditions[i].outcome == CONDITION_UNKNOWN)
            status = 3;
    return status;
}
