#include "report/cells.h"

#include "profile/utf8.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Speedups are known to a thousandth. */
#define SAME_SPEEDUP 0.0005

struct effect_at curve_at(const struct analysis_result *result, double speedup)
{
    static const struct curve_point origin = {0, 0, 0, 0, 0};
    const struct curve_point *below = &origin;
    for (size_t i = 0; i < result->curve_count; i++) {
        const struct curve_point *point = &result->curve[i];
        if (fabs(point->speedup - speedup) < SAME_SPEEDUP)
            return (struct effect_at){true, false, point->effect, point->low, point->high};
        if (point->speedup < 0)
            continue;
        if (point->speedup > speedup) {
            double t = (speedup - below->speedup) / (point->speedup - below->speedup);
            return (struct effect_at){true, true, below->effect + t * (point->effect - below->effect),
                                      below->low + t * (point->low - below->low),
                                      below->high + t * (point->high - below->high)};
        }
        below = point;
    }
    return (struct effect_at){.known = false};
}

/* The smallest measured speedup above `from`; INFINITY when there is none. */
static double next_speedup(const struct analysis_result *results, size_t count, double from)
{
    double next = INFINITY;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < results[i].curve_count; j++)
            if (results[i].curve[j].speedup > from + SAME_SPEEDUP)
                next = fmin(next, results[i].curve[j].speedup);
    return next;
}

struct speedups speedups_shown(const struct analysis_result *results, size_t count, size_t most)
{
    struct speedups shown = {.count = 0};
    size_t measured = 0;
    double speedup = -INFINITY;
    while (isfinite(speedup = next_speedup(results, count, speedup)))
        measured++;
    speedup = -INFINITY;
    for (size_t i = 0; i < measured && shown.count < most; i++) {
        speedup = next_speedup(results, count, speedup);
        /* Of `most` places from the first to the last, the next one; a single place is the last one's. */
        size_t place = most == 1          ? measured - 1
                       : measured <= most ? i
                                          : shown.count * (measured - 1) / (most - 1);
        if (i == place)
            shown.values[shown.count++] = speedup;
    }
    return shown;
}

bool option_wants(const struct report_options *options, const struct analysis_result *result)
{
    return !options->point || strcmp(options->point, result->point) == 0;
}

size_t report_answers(struct analysis *analysis, const struct report_options *options)
{
    const struct analysis_result *results;
    size_t count = analysis_results(analysis, &results), answers = 0;
    for (size_t i = 0; i < count; i++)
        answers += results[i].verdict != VERDICT_TOO_LITTLE && option_wants(options, &results[i]);
    return answers;
}

/* As C writes it. */
static char *put_escape(char *end, uint32_t code)
{
    static const char named[] = "abtnvfr"; /* from 7 on */
    if (code >= 7 && code < 14)
        return end + sprintf(end, "\\%c", named[code - 7]);
    return end + sprintf(end, code < 0x80 ? "\\x%02x" : "\\u%04x", (unsigned)code);
}

char *clean_text(const char *text, bool for_terminal)
{
    char *clean = malloc(4 * strlen(text) + 1), *end = clean;
    if (!clean)
        return NULL;
    while (*text) {
        size_t length = utf8_length(text);
        uint32_t steers = length > 0 && for_terminal ? utf8_steering(text, length) : 0;
        if (length == 0)
            end = stpcpy(end, UTF8_REPLACEMENT);
        else if (steers)
            end = put_escape(end, steers);
        else
            end = mempcpy(end, text, length);
        text += length ? length : 1;
    }
    *end = '\0';
    return clean;
}

bool kind_is_of_lines(const char *kind)
{
    return strcmp(kind, "line") == 0 || strcmp(kind, "callsite") == 0 || kind_is_wait(kind);
}

const char *results_noun(const struct analysis_result *results, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (strcmp(results[i].kind, results[0].kind) != 0)
            return "target";
    if (count > 0 && strcmp(results[0].kind, "callsite") == 0)
        return "call site";
    if (count > 0 && strcmp(results[0].kind, "together") == 0)
        return "target";
    return count == 0 || strcmp(results[0].kind, "line") == 0 ? "line" : results[0].kind;
}

bool end_tells_more(const char *kind, const char *name)
{
    return kind_is_of_lines(kind) || strcmp(kind, "file") == 0 ||
           (name && strstr(name, "::") && !strpbrk(name, "( "));
}

size_t location_path_length(const struct analysis_result *result)
{
    const char *caller = strcmp(result->kind, "callsite") == 0 ? strstr(result->location, " <- ") : NULL;
    size_t length = caller ? (size_t)(caller - result->location) : strlen(result->location);
    const char *colon = kind_is_of_lines(result->kind) ? memrchr(result->location, ':', length) : NULL;
    return colon ? (size_t)(colon - result->location) : 0;
}

/* What stands between the parts of a name that has several; NULL: it has one. */
static const char *between_of(const struct analysis_result *result)
{
    return strcmp(result->kind, "callsite") == 0   ? " <- "
           : strcmp(result->kind, "together") == 0 ? " + "
                                                   : NULL;
}

/* Of paths in it the last parts. */
char *location_shown(const struct analysis_result *result)
{
    const char *between = between_of(result);
    char *clean = clean_text(result->location, true), *part = clean, *shown = NULL;
    size_t size;
    if (clean && kind_is_wait(result->kind)) /* "file.c:12 (sleep)" */
        memmove(clean, basename(clean), strlen(basename(clean)) + 1);
    if (!clean || !between || !strstr(clean, between))
        return clean;
    FILE *out = open_memstream(&shown, &size);
    while (out && part) {
        char *next = strstr(part, between);
        if (next)
            *next = '\0';
        fprintf(out, "%s%s", part == clean ? "" : between, basename(part));
        part = next ? next + strlen(between) : NULL;
    }
    if (out)
        fclose(out);
    free(clean);
    return shown;
}

static bool is_start(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

size_t text_columns(const char *clean)
{
    size_t columns = 0;
    for (; *clean; clean++)
        columns += is_start(*clean);
    return columns;
}

static void put_columns(FILE *out, const char *clean, size_t columns)
{
    for (; *clean; clean++) {
        if (is_start(*clean) && columns-- == 0)
            return;
        putc(*clean, out);
    }
}

void put_cut(FILE *out, const char *clean, size_t columns, bool from_left, bool utf8)
{
    const char *mark = utf8 ? "…" : "~";
    size_t have = text_columns(clean);
    if (have <= columns) {
        fprintf(out, "%s%*s", clean, (int)(columns - have), "");
    } else if (from_left && columns > 0) {
        for (size_t skip = have - columns + 1; skip > 0; skip--)
            for (clean++; *clean && !is_start(*clean);)
                clean++;
        fprintf(out, "%s%s", mark, clean);
    } else if (columns > 0) {
        put_columns(out, clean, columns - 1);
        fputs(mark, out);
    }
}

size_t put_place(FILE *out, const char *clean, size_t columns, bool is_path, bool utf8)
{
    size_t own = text_columns(clean);
    const char *slash = own > columns && is_path ? strchr(clean + 1, '/') : NULL;
    for (; slash; slash = strchr(slash + 1, '/')) {
        size_t rest = text_columns(slash) + 1;
        if (rest > columns)
            continue;
        put_cut(out, clean, rest, true, utf8);
        return rest;
    }
    size_t used = own < columns ? own : columns;
    put_cut(out, clean, used, is_path, utf8);
    return used;
}

double percent_of(double share, int digits)
{
    double percent = 100 * share;
    return fabs(percent) < 0.5 * pow(10, -digits) ? 0 : percent;
}

void put_duration(FILE *out, double ns)
{
    double seconds = ns / 1e9;
    if (seconds < 1)
        fputs("1 s", out);
    else if (seconds < 99.5)
        fprintf(out, "%.0f s", seconds);
    else if (seconds < 99.5 * 60)
        fprintf(out, "%.0f min", seconds / 60);
    else
        fprintf(out, "%.0f h", seconds / 3600);
}

void put_spark(FILE *out, const struct analysis_result *result, double scale, bool utf8)
{
    static const char *const blocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    static const char ascii[] = "_.:-=+*#";
    double largest = 0;
    for (size_t i = 0; i < result->curve_count; i++)
        largest = fmax(largest, result->curve[i].speedup);
    for (int column = 0; column < SPARK_COLUMNS; column++) {
        struct effect_at at = curve_at(result, largest * column / (SPARK_COLUMNS - 1));
        double height = at.known && scale > 0 ? at.effect / scale * 7 : 0;
        int level = height < 0 ? 0 : height > 7 ? 7 : (int)lround(height);
        /* Below the floor: this much speedup makes the program slower. */
        if (height < -0.5)
            fputs(utf8 ? "↓" : "v", out);
        else if (utf8)
            fputs(blocks[level], out);
        else
            putc(ascii[level], out);
    }
}

void put_csv_text(FILE *out, const char *raw)
{
    char *clean = clean_text(raw, false);
    putc('"', out);
    for (const char *c = clean ? clean : "?"; *c; c++) {
        if (*c == '"')
            putc('"', out);
        putc(*c, out);
    }
    putc('"', out);
    free(clean);
}

void put_csv_number(FILE *out, double value)
{
    if (isfinite(value))
        fprintf(out, ",%.6g", value);
    else
        putc(',', out);
}
