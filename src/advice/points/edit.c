#include "advice/points/edit.h"

#include "base/array.h"
#include "report/cells.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { CONTEXT = 3 };

int insertions_add(struct insertions *all, const struct insertion *one)
{
    if (all->count == all->capacity) {
        void *more = array_grown(all->items, &all->capacity, sizeof *all->items);
        if (!more)
            return -ENOMEM;
        all->items = more;
    }
    all->items[all->count++] = *one;
    return 0;
}

void insertions_release(struct insertions *all)
{
    for (size_t i = 0; i < all->count; i++)
        free(all->items[i].why);
    free(all->items);
}

void insertions_sort(struct insertions *all)
{
    for (size_t i = 1; i < all->count; i++) {
        struct insertion moved = all->items[i];
        size_t at = i;
        for (; at > 0; at--) {
            const struct insertion *left = &all->items[at - 1];
            int order = strcmp(left->source->path, moved.source->path);
            if (order < 0 || (order == 0 && left->before <= moved.before))
                break;
            all->items[at] = *left;
        }
        all->items[at] = moved;
    }
}

size_t insertions_count(const struct insertions *all, const struct point_source *source)
{
    size_t count = 0;
    for (size_t i = 0; i < all->count; i++)
        count += all->items[i].source == source && all->items[i].kind != POINT_INCLUDE &&
                 !all->items[i].is_dropped;
    return count;
}

/* The indentation of the line that the statement stands before; one deeper than a closing brace. */
static void put_indentation(FILE *out, const struct insertion *one)
{
    const struct point_source *source = one->source;
    size_t line = one->before, length;
    const char *text = "";
    for (; line <= source->line_count; line++) {
        text = point_source_line(source, line, &length);
        size_t blank = strspn(text, " \t");
        if (blank < length && text[blank] != '#')
            break;
    }
    if (line > source->line_count)
        return;
    size_t blank = strspn(text, " \t");
    fwrite(text, 1, blank, out);
    if (text[blank] == '}')
        fputs(blank > 0 && text[0] == '\t' ? "\t" : "    ", out);
}

/* With the line end that the source has. */
static void put_insertion(FILE *out, const struct insertion *one)
{
    static const char *const macros[] = {"", "COZ_PROGRESS_NAMED", "COZ_BEGIN", "COZ_END"};
    const char *first_end = strchr(one->source->text, '\n');
    bool is_dos = first_end && first_end > one->source->text && first_end[-1] == '\r';
    if (one->kind == POINT_INCLUDE) {
        fputs("#include <coz.h>", out);
    } else {
        put_indentation(out, one);
        fprintf(out, "%s(\"%s\");", macros[one->kind], one->name);
    }
    fputs(is_dos ? "\r\n" : "\n", out);
}

/* The next insertion of the source from *at on before that line; NULL: there is none. */
static const struct insertion *next_insertion(const struct insertions *all, const struct point_source *source,
                                              size_t line, size_t *at)
{
    while (*at < all->count) {
        const struct insertion *one = &all->items[(*at)++];
        if (one->source == source && one->before == line && !one->is_dropped)
            return one;
    }
    return NULL;
}

char *edit_text(const struct point_source *source, const struct insertions *all)
{
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    for (size_t line = 1; line <= source->line_count + 1; line++) {
        const struct insertion *one;
        for (size_t at = 0; (one = next_insertion(all, source, line, &at));)
            put_insertion(out, one);
        if (line <= source->line_count)
            fwrite(source->lines[line - 1], 1, (size_t)(source->lines[line] - source->lines[line - 1]), out);
    }
    if (fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* ---- the diff ---- */

static size_t insertions_before(const struct insertions *all, const struct point_source *source, size_t line)
{
    size_t count = 0;
    for (size_t at = 0; next_insertion(all, source, line, &at);)
        count++;
    return count;
}

static void put_source_line(FILE *out, const struct point_source *source, size_t line, bool is_clean)
{
    const char *start = source->lines[line - 1];
    size_t size = (size_t)(source->lines[line] - start);
    putc(' ', out);
    if (is_clean) {
        size_t length;
        start = point_source_line(source, line, &length);
        char *copy = strndup(start, length);
        /* Tabs may stay. */
        for (char *part = copy, *end; part; part = end) {
            if ((end = strchr(part, '\t')))
                *end++ = '\0';
            char *clean = clean_text(part, true);
            fprintf(out, "%s%s", clean ? clean : "?", end ? "\t" : "\n");
            free(clean);
        }
        free(copy);
        return;
    }
    fwrite(start, 1, size, out);
    if (size == 0 || start[size - 1] != '\n')
        fputs("\n\\ No newline at end of file\n", out);
}

/* The last line of the hunk whose first is `first`. */
static size_t hunk_end(const struct insertions *all, const struct point_source *source, size_t place)
{
    size_t last = place;
    for (size_t line = place; line <= source->line_count + 1 && line <= last + 2 * CONTEXT; line++)
        if (insertions_before(all, source, line) > 0)
            last = line;
    size_t end = last + CONTEXT - 1;
    return end < source->line_count ? end : source->line_count;
}

void edit_diff(FILE *out, const struct point_source *source, const struct insertions *all, bool is_clean)
{
    size_t added = 0;
    if (insertions_count(all, source) == 0)
        return;
    char *path = clean_text(source->path, true);
    fprintf(out, "--- %s\n+++ %s\n", path ? path : "?", path ? path : "?");
    free(path);
    for (size_t line = 1; line <= source->line_count + 1; line++) {
        if (insertions_before(all, source, line) == 0)
            continue;
        size_t first = line > CONTEXT ? line - CONTEXT : 1, end = hunk_end(all, source, line), more = 0;
        for (size_t i = line; i <= end + 1; i++)
            more += insertions_before(all, source, i);
        size_t count = end + 1 - first;
        fprintf(out, "@@ -%zu,%zu +%zu,%zu @@\n", first, count, first + added, count + more);
        for (size_t i = first; i <= end + 1; i++) {
            const struct insertion *one;
            for (size_t at = 0; (one = next_insertion(all, source, i, &at));) {
                putc('+', out);
                put_insertion(out, one);
            }
            if (i <= end)
                put_source_line(out, source, i, is_clean);
        }
        added += more;
        line = end + 1;
    }
}
