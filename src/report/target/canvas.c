#include "report/target/canvas.h"

#include <errno.h>
#include <stdlib.h>

int canvas_init(struct canvas *canvas, int columns, int rows)
{
    size_t cells = (size_t)columns * (size_t)rows;
    *canvas = (struct canvas){.columns = columns, .rows = rows};
    for (int layer = 0; layer < CANVAS_LAYERS; layer++)
        canvas->dots[layer] = calloc(cells, 1);
    canvas->marks = calloc(cells, 1);
    return canvas->dots[CANVAS_BAND] && canvas->dots[CANVAS_LINE] && canvas->marks ? 0 : -ENOMEM;
}

void canvas_release(struct canvas *canvas)
{
    for (int layer = 0; layer < CANVAS_LAYERS; layer++)
        free(canvas->dots[layer]);
    free(canvas->marks);
}

void canvas_dot(struct canvas *canvas, enum canvas_layer layer, int x, int y)
{
    /* Braille counts three dots down the left, three down the right, and then the fourth ones. */
    static const unsigned char bits[DOTS_ACROSS][DOTS_DOWN] = {{1, 2, 4, 64}, {8, 16, 32, 128}};
    if (x < 0 || y < 0 || x >= DOTS_ACROSS * canvas->columns || y >= DOTS_DOWN * canvas->rows)
        return;
    unsigned char *cell = &canvas->dots[layer][y / DOTS_DOWN * canvas->columns + x / DOTS_ACROSS];
    *cell = (unsigned char)(*cell | bits[x % DOTS_ACROSS][y % DOTS_DOWN]);
}

void canvas_mark(struct canvas *canvas, int column, int row, enum canvas_mark mark)
{
    if (column < 0 || row < 0 || column >= canvas->columns || row >= canvas->rows)
        return;
    unsigned char *cell = &canvas->marks[row * canvas->columns + column];
    if (mark == MARK_SINGLE && (*cell == MARK_SINGLE || *cell == MARK_SINGLES))
        *cell = MARK_SINGLES;
    else if (mark > *cell)
        *cell = (unsigned char)mark;
}

/* A blank is kept back until something comes after it. */
struct pen {
    FILE *out;
    const struct report_options *options;
    enum ink ink;
    int blanks;
};

static void put_cell(struct pen *pen, enum ink ink, const char *text)
{
    fprintf(pen->out, "%*s", pen->blanks, "");
    pen->blanks = 0;
    if (ink != pen->ink && pen->ink != INK_PLAIN)
        put_ink(pen->out, INK_PLAIN, pen->options);
    if (ink != pen->ink && ink != INK_PLAIN)
        put_ink(pen->out, ink, pen->options);
    pen->ink = ink;
    fputs(text, pen->out);
}

/* U+2800 and its dots. */
static void put_dots(struct pen *pen, enum ink ink, unsigned dots, const char *plain)
{
    const char braille[] = {(char)0xe2, (char)(0xa0 | dots >> 6), (char)(0x80 | (dots & 63)), '\0'};
    put_cell(pen, ink, pen->options->utf8 ? braille : plain);
}

void canvas_put_row(FILE *out, const struct canvas *canvas, int row, enum ink line,
                    const struct report_options *options)
{
    static const char *const marks[][2] = {
        [MARK_NONE] = {"", ""},      [MARK_ZERO] = {"-", "╌"},  [MARK_SINGLE] = {"x", "∘"},
        [MARK_SINGLES] = {"X", "○"}, [MARK_POINT] = {"O", "●"},
    };
    struct pen pen = {out, options, INK_PLAIN, 0};
    for (int column = 0; column < canvas->columns; column++) {
        int cell = row * canvas->columns + column;
        enum canvas_mark mark = (enum canvas_mark)canvas->marks[cell];
        if (mark == MARK_POINT)
            put_cell(&pen, line, marks[mark][options->utf8]);
        else if (canvas->dots[CANVAS_LINE][cell])
            put_dots(&pen, line, canvas->dots[CANVAS_LINE][cell], "*");
        else if (mark == MARK_SINGLE || mark == MARK_SINGLES)
            put_cell(&pen, INK_PLAIN, marks[mark][options->utf8]);
        else if (canvas->dots[CANVAS_BAND][cell])
            put_dots(&pen, INK_FAINT, canvas->dots[CANVAS_BAND][cell], ".");
        else if (mark != MARK_NONE)
            put_cell(&pen, INK_FAINT, marks[mark][options->utf8]);
        else
            pen.blanks++;
    }
    if (pen.ink != INK_PLAIN)
        put_ink(out, INK_PLAIN, options);
}
