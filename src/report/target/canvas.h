/* A picture of characters. Each cell holds two by four dots (braille) in two layers, the line's before the
 * band's, or one mark. Internal to src/report/target/. */
#pragma once

#include "report/ink.h"

enum canvas_layer { CANVAS_BAND, CANVAS_LINE, CANVAS_LAYERS };

/* What hides what comes earlier; the line hides all but the points. */
enum canvas_mark { MARK_NONE, MARK_ZERO, MARK_SINGLE, MARK_SINGLES, MARK_POINT };

enum { DOTS_ACROSS = 2, DOTS_DOWN = 4 }; /* of a cell */

struct canvas {
    int columns, rows;
    unsigned char *dots[CANVAS_LAYERS]; /* a bit for each dot of a cell */
    unsigned char *marks;
};

/* 0 or -ENOMEM; to be released in either case. */
int canvas_init(struct canvas *canvas, int columns, int rows);
void canvas_release(struct canvas *canvas);

/* From the upper left; what lies outside is left out. */
void canvas_dot(struct canvas *canvas, enum canvas_layer layer, int x, int y);
/* A mark stays where a stronger one is. Single on single makes singles. */
void canvas_mark(struct canvas *canvas, int column, int row, enum canvas_mark mark);

/* A row of cells in the options' characters and colours, the line in that ink; without blanks at its end. */
void canvas_put_row(FILE *out, const struct canvas *canvas, int row, enum ink line,
                    const struct report_options *options);
