#include "regions/results/files.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_number(FILE *out, double number, const char *unknown)
{
    if (isfinite(number))
        fprintf(out, "%.9g", number);
    else
        fputs(unknown, out);
}

/* Quotes are doubled. */
static void put_csv_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', out);
        fputc(*text, out);
    }
    fputc('"', out);
}

static void put_json_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(out, "\\%c", c);
        else if (c < ' ')
            fprintf(out, "\\u%04x", c);
        else
            fputc(c, out);
    }
    fputc('"', out);
}

static void put_csv(FILE *out, const struct book *book)
{
    fputs("region,count,time_percent,percent,effect_percent,error_percent,kept,calls\n", out);
    for (size_t i = 0; i < book->region_count; i++)
        for (size_t k = 0; k < book->percent_count; k++) {
            struct figure effect = book_effect(book, i, k);
            put_csv_text(out, book->regions[i].name);
            fprintf(out, ",%.0f,%.4f,%g,", book_figure(&book->regions[i].counts).value,
                    100 * book_figure(&book->regions[i].shares).value, book->percents[k]);
            put_number(out, effect.value, "");
            fputc(',', out);
            put_number(out, effect.error, "");
            fprintf(out, ",%zu,%zu\n", effect.kept, effect.of);
        }
}

static void put_json_effects(FILE *out, const struct book *book, size_t region)
{
    for (size_t k = 0; k < book->percent_count; k++) {
        struct figure effect = book_effect(book, region, k);
        fprintf(out, "%s\n  {\"percent\":%g, \"effect\":", k ? "," : "", book->percents[k]);
        put_number(out, effect.value, "null");
        fputs(", \"error\":", out);
        put_number(out, effect.error, "null");
        fprintf(out, ", \"kept\":%zu, \"calls\":%zu}", effect.kept, effect.of);
    }
}

static void put_json(FILE *out, const struct book *book)
{
    fprintf(out, "{\"schema\":1, \"method\":\"%s\", \"iterations\":%u, \"time_ns\":",
            book->is_simple ? "simple" : "full", book->iterations);
    put_number(out, book_figure(&book->baselines).value, "null");
    fputs(", \"regions\":[", out);
    for (size_t i = 0; i < book->region_count; i++) {
        const struct book_region *region = &book->regions[i];
        fputs(i ? ",\n {\"region\":" : "\n {\"region\":", out);
        put_json_text(out, region->name);
        fputs(", \"count\":", out);
        put_number(out, book_figure(&region->counts).value, "null");
        fputs(", \"time_percent\":", out);
        put_number(out, 100 * book_figure(&region->shares).value, "null");
        fprintf(out, ", \"left_open\":%" PRIu64 ", \"never_begun\":%" PRIu64 ", \"effects\":[",
                region->left_open, region->never_begun);
        put_json_effects(out, book, i);
        fputs("]}", out);
    }
    fputs("]}\n", out);
}

static int write_file(const char *path, const struct book *book, void (*put)(FILE *, const struct book *))
{
    size_t size = strlen(path) + sizeof ".new";
    char *beside = malloc(size);
    if (!beside)
        return -ENOMEM;
    snprintf(beside, size, "%s.new", path);
    FILE *out = fopen(beside, "w");
    int code = out ? 0 : -errno;
    if (out) {
        put(out, book);
        bool failed = ferror(out) != 0;
        if (fclose(out) != 0 || failed || rename(beside, path) != 0)
            code = errno ? -errno : -EIO;
    }
    free(beside);
    return code;
}

int file_write_csv(const char *path, const struct book *book)
{
    return write_file(path, book, put_csv);
}

int file_write_json(const char *path, const struct book *book)
{
    return write_file(path, book, put_json);
}
