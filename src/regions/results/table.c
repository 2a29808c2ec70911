#include "regions/results/table.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_LEAST = 6, NAME_MOST = 32, CELL = 14 };

/* Whether the terminal can show it is only known by the environment: the program may not have asked for its locale. */
static const char *plus_minus(void)
{
    const char *names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *locale = getenv(names[i]);
        if (locale && *locale)
            return strstr(locale, "UTF-8") || strstr(locale, "utf8") ? "\302\261" : "+-";
    }
    return "+-";
}

/* Columns that UTF-8 text takes, about. */
static int width_of(const char *text)
{
    int width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

static void put_padded(FILE *out, const char *text, int width, bool is_right)
{
    int pad = width - width_of(text);
    fprintf(out, "%*s%s%*s", is_right && pad > 0 ? pad : 0, "", text, !is_right && pad > 0 ? pad : 0, "");
}

static void put_effect(FILE *out, const struct figure *effect)
{
    char text[48] = "?";
    if (!isnan(effect->value) && isnan(effect->error))
        snprintf(text, sizeof text, "%.1f %s ?", effect->value, plus_minus());
    else if (!isnan(effect->value))
        snprintf(text, sizeof text, "%.1f %s %.1f", effect->value, plus_minus(), effect->error);
    put_padded(out, text, CELL, true);
}

static int name_width(const struct book *book)
{
    int width = NAME_LEAST;
    for (size_t i = 0; i < book->region_count; i++) {
        int own = width_of(book->regions[i].name);
        width = own > width ? own : width;
    }
    return width < NAME_MOST ? width : NAME_MOST;
}

static void put_head(FILE *out, const struct book *book, int width)
{
    put_padded(out, "Region", width, false);
    fprintf(out, "%10s%9s", "Count", "Time %");
    for (size_t i = 0; i < book->percent_count; i++) {
        char text[32];
        snprintf(text, sizeof text, "%+g %%", book->percents[i]);
        put_padded(out, text, CELL, true);
    }
    fputc('\n', out);
}

static void put_row(FILE *out, const struct book *book, size_t region, int width)
{
    const struct book_region *row = &book->regions[region];
    put_padded(out, row->name, width, false);
    fprintf(out, "%10.0f%9.1f", book_figure(&row->counts).value, 100 * book_figure(&row->shares).value);
    for (size_t i = 0; i < book->percent_count; i++) {
        struct figure effect = book_effect(book, region, i);
        put_effect(out, &effect);
    }
    fputc('\n', out);
}

static void put_faults(FILE *out, const struct book_region *region)
{
    if (region->left_open > 0)
        fprintf(out,
                "Region %s was left %" PRIu64
                " times without its end (by an exception, longjmp, return, or with its "
                "thread), and was closed.\n",
                region->name, region->left_open);
    if (region->never_begun > 0)
        fprintf(out, "Region %s was ended %" PRIu64 " times without having been begun on that thread.\n",
                region->name, region->never_begun);
}

void table_print(FILE *out, const struct book *book, unsigned iterations)
{
    struct figure time = book_figure(&book->baselines);
    fprintf(out, "\nIteration %u of %u, method %s; a call takes %.4g ms\n", book->iterations, iterations,
            book->is_simple ? "simple" : "full", time.value / 1e6);
    int width = name_width(book);
    put_head(out, book, width);
    for (size_t i = 0; i < book->region_count; i++)
        put_row(out, book, i, width);
    for (size_t i = 0; i < book->region_count; i++)
        put_faults(out, &book->regions[i]);
    fflush(out);
}
