/* The last lines of a terminal, kept for ourselves: what others print scrolls above them, so that neither tears
 * the other's lines. Nothing here waits for the terminal. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { STATUS_LINES_MOST = 4 };

/* Begins zeroed, but for the terminal's descriptor. */
struct status_area {
    int terminal;
    int rows, columns; /* of the terminal, when the lines were last taken; */
    int height;        /* how many were; 0: none */
};

/* Whether there is a terminal that can be drawn on now, and how wide it is: it takes words (no Ctrl-S), knows
 * how to move, is large enough, and is read line by line (a program that edits or fills the screen does not). We
 * are not in the background of it. Takes the lines back if not. */
bool status_area_is_usable(struct status_area *area, int *columns);

/* Draws so many lines (1 to STATUS_LINES_MOST) of clean text, none of them wider than the terminal. */
void status_area_draw(struct status_area *area, const char *const *lines, int count);

/* Gives the lines back, empty. */
void status_area_close(struct status_area *area);
