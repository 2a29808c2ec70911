#include "report/ink.h"

#include "report/cells.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum { WIDTH_WITHOUT_TERMINAL = 80, WIDTH_LEAST = 60, WIDTH_MOST = 1000 };

static bool locale_is_utf8(void)
{
    static const char *const variables[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < 3; i++) {
        const char *value = getenv(variables[i]);
        if (value && *value)
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}

/* 0: none said so. */
static int columns_of(int terminal)
{
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    int wanted = columns ? atoi(columns) : 0;
    if (wanted <= 0 && terminal >= 0 && ioctl(terminal, TIOCGWINSZ, &size) == 0)
        wanted = size.ws_col;
    return wanted > 0 && wanted < WIDTH_LEAST ? WIDTH_LEAST : wanted > WIDTH_MOST ? WIDTH_MOST : wanted;
}

void report_options_init(struct report_options *options, FILE *out)
{
    int fd = out ? fileno(out) : -1;
    if (fd >= 0 && !isatty(fd))
        fd = -1;
    int columns = columns_of(fd);
    bool is_told = getenv("COLUMNS") && columns > 0;
    *options = (struct report_options){.top = 20,
                                       .width = columns > 0 ? columns : WIDTH_WITHOUT_TERMINAL,
                                       .wraps = is_told,
                                       .utf8 = locale_is_utf8()};
    if (fd < 0)
        return;
    const char *no_colour = getenv("NO_COLOR"), *terminal = getenv("TERM");
    options->wraps = true;
    options->links = terminal && strcmp(terminal, "dumb") != 0;
    options->colour = options->links && !(no_colour && *no_colour);
}

void put_ink(FILE *out, enum ink ink, const struct report_options *options)
{
    static const char *const escapes[] = {[INK_PLAIN] = "\033[0m",
                                          [INK_BOLD] = "\033[1m",
                                          [INK_FAINT] = "\033[2m",
                                          [INK_GOOD] = "\033[32m",
                                          [INK_BAD] = "\033[31m"};
    if (options->colour)
        fputs(escapes[ink], out);
}

enum ink ink_of_verdict(enum analysis_verdict verdict)
{
    static const enum ink inks[] = {[VERDICT_IMPROVES] = INK_GOOD,
                                    [VERDICT_HARMFUL] = INK_BAD,
                                    [VERDICT_NO_EFFECT] = INK_PLAIN,
                                    [VERDICT_TOO_LITTLE] = INK_FAINT};
    return inks[verdict];
}

/* All but what a URL's path may hold as it is becomes a percent sign and the byte in hexadecimal. */
static void put_encoded(FILE *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte < 0x80 && (isalnum(byte) || strchr("/-._~", byte)))
            putc(byte, out);
        else
            fprintf(out, "%%%02X", byte);
    }
}

bool put_link(FILE *out, const char *path, size_t length, const struct report_options *options)
{
    char host[HOST_NAME_MAX + 1] = "";
    if (!options->links || length == 0 || *path != '/')
        return false;
    gethostname(host, sizeof host - 1);
    fputs("\033]8;;file://", out);
    put_encoded(out, host, strlen(host));
    put_encoded(out, path, length);
    fputs("\033\\", out);
    return true;
}

void put_link_end(FILE *out)
{
    fputs("\033]8;;\033\\", out);
}

/* One line of the text, of so many bytes. */
static void put_broken(FILE *out, const char *text, size_t length, size_t columns)
{
    size_t used = 0;
    while (length > 0) {
        size_t blanks = strspn(text, " ");
        blanks = blanks < length ? blanks : length;
        size_t word = strcspn(text + blanks, " \n");
        /* A sign of percent stays with its number. */
        if (strncmp(text + blanks + word, " %", 2) == 0)
            word += 2 + strcspn(text + blanks + word + 2, " \n");
        char *copy = strndup(text + blanks, word);
        size_t wide = copy ? text_columns(copy) : word;
        free(copy);
        bool breaks = columns > 0 && used > 0 && used + blanks + wide > columns;
        fprintf(out, "%s%.*s", breaks ? "\n" : "", (int)(breaks ? word : blanks + word),
                breaks ? text + blanks : text);
        used = breaks ? wide : used + blanks + wide;
        text += blanks + word;
        length -= blanks + word;
    }
}

void put_paragraph(FILE *out, const char *text, size_t columns)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        put_broken(out, text, length, columns);
        text += length;
        if (*text) {
            putc('\n', out);
            text++;
        }
    }
}

void put_indented(FILE *out, const char *text, size_t margin, size_t columns)
{
    char *broken = NULL;
    size_t size;
    FILE *stream = open_memstream(&broken, &size);
    if (stream) {
        put_paragraph(stream, text, columns > margin ? columns - margin : 1);
        fclose(stream);
    }
    for (const char *line = broken ? broken : text; *line;) {
        size_t length = strcspn(line, "\n");
        fprintf(out, "%*s%.*s\n", (int)margin, "", (int)length, line);
        line += length + (line[length] == '\n');
    }
    free(broken);
}

FILE *put_flow(struct flow *flow, FILE *out)
{
    *flow = (struct flow){.out = out};
    flow->stream = open_memstream(&flow->text, &flow->size);
    return flow->stream ? flow->stream : out;
}

void put_flow_end(struct flow *flow, size_t columns)
{
    if (flow->stream && fclose(flow->stream) == 0)
        put_paragraph(flow->out, flow->text, columns);
    free(flow->text);
}
