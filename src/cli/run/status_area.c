#include "cli/run/status_area.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

enum { COLUMNS_LEAST = 40, ROWS_LEAST = 8, TEXT_ROOM = 2000 };

/* What goes to the terminal in one write(), which the kernel does not mix with others'. */
struct strokes {
    char text[TEXT_ROOM];
    size_t length;
};

static void __attribute__((format(printf, 2, 3))) add_stroke(struct strokes *strokes, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length =
        vsnprintf(strokes->text + strokes->length, sizeof strokes->text - strokes->length, format, args);
    va_end(args);
    if (length > 0 && (size_t)length < sizeof strokes->text - strokes->length)
        strokes->length += (size_t)length;
}

static void write_strokes(const struct status_area *area, const struct strokes *strokes)
{
    ssize_t written = write(area->terminal, strokes->text, strokes->length);
    (void)written; /* a terminal that is gone has nothing to say any more */
}

static bool takes_words(int terminal)
{
    struct pollfd poller = {.fd = terminal, .events = POLLOUT};
    return poll(&poller, 1, 0) > 0 && poller.revents == POLLOUT;
}

static bool is_in_background(int terminal)
{
    pid_t group = tcgetpgrp(terminal);
    return group > 0 && group != getpgrp();
}

static bool can_move(void)
{
    const char *name = getenv("TERM");
    return name && *name && strcmp(name, "dumb") != 0 && strcmp(name, "unknown") != 0;
}

static bool is_usable(const struct status_area *area, const struct winsize *size)
{
    struct termios settings;
    return size->ws_col >= COLUMNS_LEAST && size->ws_row >= ROWS_LEAST && can_move() &&
           tcgetattr(area->terminal, &settings) == 0 && settings.c_lflag & ICANON &&
           !is_in_background(area->terminal);
}

bool status_area_is_usable(struct status_area *area, int *columns)
{
    struct winsize size;
    if (ioctl(area->terminal, TIOCGWINSZ, &size) || !takes_words(area->terminal))
        return false;
    *columns = size.ws_col;
    bool usable = is_usable(area, &size);
    if (!usable && area->height > 0 && !is_in_background(area->terminal))
        status_area_close(area);
    return usable;
}

/* Between the saved and the restored cursor: the lines that were ours are empty, and everybody's. */
static void add_release(struct strokes *strokes, const struct status_area *area)
{
    add_stroke(strokes, "\033[r");
    for (int i = 0; i < area->height; i++)
        add_stroke(strokes, "\033[%d;1H\033[2K", area->rows - i);
}

/* Takes so many lines. Should the cursor be in one of them, the screen scrolls, and the cursor with it. */
static void add_claim(struct strokes *strokes, struct status_area *area, const struct winsize *size,
                      int height)
{
    if (area->height > 0) {
        add_stroke(strokes, "\0337");
        add_release(strokes, area);
        add_stroke(strokes, "\0338");
    }
    for (int i = 0; i < height; i++)
        add_stroke(strokes, "\033D"); /* down by one, in the same column */
    add_stroke(strokes, "\033[%dA\0337\033[1;%dr\0338", height, size->ws_row - height);
    area->rows = size->ws_row;
    area->columns = size->ws_col;
    area->height = height;
}

void status_area_draw(struct status_area *area, const char *const *lines, int count)
{
    struct strokes strokes = {.length = 0};
    struct winsize size;
    if (ioctl(area->terminal, TIOCGWINSZ, &size))
        return;
    if (area->height != count || area->rows != size.ws_row || area->columns != size.ws_col)
        add_claim(&strokes, area, &size, count);
    add_stroke(&strokes, "\0337");
    for (int i = 0; i < count; i++)
        add_stroke(&strokes, "\033[%d;1H\033[0m\033[2K%s", area->rows - count + 1 + i, lines[i]);
    add_stroke(&strokes, "\0338");
    write_strokes(area, &strokes);
}

void status_area_close(struct status_area *area)
{
    struct strokes strokes = {.length = 0};
    if (area->height == 0)
        return;
    add_stroke(&strokes, "\0337");
    add_release(&strokes, area);
    add_stroke(&strokes, "\0338");
    area->height = 0;
    write_strokes(area, &strokes);
}
