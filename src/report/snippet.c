#include "report/snippet.h"

#include "base/clock.h"
#include "base/source_file.h"
#include "report/cells.h"
#include "report/ink.h"
#include "stats/answers/details.h"
#include "stats/answers/source_change.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MARGIN = 4, TAB = 4, LINE_BYTES_MOST = 1000 };

/* The lines from `from` to `to` that a text has, and their common indentation. */
struct excerpt {
    const char *start;
    long from, to;
    size_t indent;
};

static size_t indent_of(const char *line, size_t length)
{
    size_t columns = 0, i = 0;
    for (; i < length && (line[i] == ' ' || line[i] == '\t'); i++)
        columns = line[i] == '\t' ? (columns / TAB + 1) * TAB : columns + 1;
    return i == length || line[i] == '\r' ? SIZE_MAX : columns;
}

static bool find_excerpt(struct excerpt *excerpt, const char *text, const struct snippet *snippet)
{
    long number = 1, first = snippet->line - (snippet->lines - 1) / 2;
    *excerpt = (struct excerpt){.from = first < 1 ? 1 : first, .indent = SIZE_MAX};
    long last = excerpt->from + snippet->lines - 1;
    for (const char *line = text; *line && number <= last; number++) {
        size_t length = strcspn(line, "\n");
        if (number == excerpt->from)
            excerpt->start = line;
        if (number >= excerpt->from) {
            size_t indent = indent_of(line, length);
            excerpt->indent = indent < excerpt->indent ? indent : excerpt->indent;
            excerpt->to = number;
        }
        line += length + (line[length] == '\n');
    }
    return excerpt->start && excerpt->to >= snippet->line;
}

/* A line without its indentation, with blanks for tabs, and clean. To be freed. */
static char *make_line(const char *line, size_t length, size_t indent)
{
    char *spread = malloc(TAB * (size_t)LINE_BYTES_MOST + 1), *clean;
    size_t used = 0;
    for (size_t i = 0; spread && i < length && i < LINE_BYTES_MOST && line[i] != '\r'; i++) {
        if (line[i] != '\t')
            spread[used++] = line[i];
        else
            do
                spread[used++] = ' ';
            while (used % TAB);
    }
    if (!spread)
        return NULL;
    spread[used] = '\0';
    clean = clean_text(indent < used ? spread + indent : "", true);
    free(spread);
    return clean;
}

static const struct analysis_result *find_answer(const struct snippet *snippet, const char *location)
{
    for (size_t i = 0; i < snippet->answer_count; i++)
        if (strcmp(snippet->answers[i].location, location) == 0)
            return &snippet->answers[i];
    return NULL;
}

/* What a line costs, and what it is worth. */
static void put_worth(FILE *out, const struct analysis *analysis, const struct snippet *snippet, long line,
                      const struct report_options *options)
{
    char *location, share_text[16] = "", impact_text[16] = "";
    if (asprintf(&location, "%.*s:%ld", (int)snippet->path_length, snippet->path, line) < 0)
        return;
    double share = analysis_share_at(analysis, location);
    const struct analysis_result *answer = find_answer(snippet, location);
    if (isfinite(share))
        snprintf(share_text, sizeof share_text, "%.1f %%", 100 * share);
    if (answer && isfinite(answer->impact))
        snprintf(impact_text, sizeof impact_text, "%.1f", percent_of(answer->impact, 1));
    fprintf(out, "%8s", share_text);
    if (answer)
        put_ink(out, ink_of_verdict(answer->verdict), options);
    fprintf(out, "%8s ", impact_text);
    if (answer)
        put_ink(out, INK_PLAIN, options);
    free(location);
}

static void put_lines(FILE *out, const struct analysis *analysis, const struct snippet *snippet,
                      const struct excerpt *excerpt, const struct report_options *options)
{
    const char *line = excerpt->start, *bar = options->utf8 ? "│" : "|", *mark = options->utf8 ? "▸" : ">";
    int digits = snprintf(NULL, 0, "%ld", excerpt->to);
    if (snippet->answers)
        fprintf(out, "\n%8s%8s\n", "samples", "impact");
    for (long number = excerpt->from; number <= excerpt->to; number++) {
        size_t length = strcspn(line, "\n"), left = MARGIN;
        char *clean = make_line(line, length, excerpt->indent);
        bool own = number == snippet->line, strong = own && snippet->lines > 1;
        if (snippet->answers) {
            put_worth(out, analysis, snippet, number, options);
            left = 17;
        } else {
            fprintf(out, "%*s", MARGIN, "");
        }
        put_ink(out, strong ? INK_BOLD : INK_FAINT, options);
        fprintf(out, "%s%*ld %s", strong ? mark : " ", digits, number, bar);
        if (!strong)
            put_ink(out, INK_PLAIN, options);
        size_t room = (size_t)options->width - left - (size_t)digits - 4;
        size_t wide = clean ? text_columns(clean) : 0;
        if (wide > 0)
            putc(' ', out);
        put_cut(out, clean ? clean : "", wide < room ? wide : room, false, options->utf8);
        if (strong)
            put_ink(out, INK_PLAIN, options);
        putc('\n', out);
        free(clean);
        line += length + (line[length] == '\n');
    }
}

enum snippet_outcome put_snippet(FILE *out, const struct analysis *analysis, const struct snippet *snippet,
                                 const struct report_options *options)
{
    struct stat status;
    struct excerpt excerpt;
    if (snippet->lines <= 0 || !source_is_named(snippet->path, snippet->path_length))
        return SNIPPET_NONE;
    char *path = strndup(snippet->path, snippet->path_length);
    char *text = path ? source_read(path, &status) : NULL;
    bool found = text && find_excerpt(&excerpt, text, snippet);
    if (found)
        put_lines(out, analysis, snippet, &excerpt, options);
    bool changed = found && source_is_changed(options->story, path, text, clock_time_ns(status.st_mtim));
    free(text);
    free(path);
    return !found ? SNIPPET_NONE : changed ? SNIPPET_CHANGED : SNIPPET_SHOWN;
}

void put_changed(FILE *out, const struct report_options *options)
{
    put_paragraph(out, "The source is no longer what was profiled: these may not be the lines that ran.\n",
                  (size_t)options->width);
}
