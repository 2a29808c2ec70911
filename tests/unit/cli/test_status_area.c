/* The last lines of a terminal: what a program prints and what we draw do not tear each other, on a screen that
 * does what terminals do. */
#include "cli/run/status_area.h"

#include <fcntl.h>
#include <pty.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <cmocka.h>

enum { ROWS = 10, COLUMNS = 50, SCROLLED = 400 };

/* As much of a terminal as is needed here. */
struct screen {
    char cells[ROWS + 10][COLUMNS + 1];
    char scrolled[SCROLLED][COLUMNS + 1]; /* lines that have left it at the top */
    int scrolled_count;
    int rows, row, column, saved_row, saved_column, bottom; /* of the region that scrolls; its top is 0 */
    int parameters[4], parameter_count;
    enum { TEXT, ESCAPE, CONTROL } state;
};

static void screen_init(struct screen *screen)
{
    memset(screen, 0, sizeof *screen);
    screen->rows = ROWS;
    screen->bottom = ROWS - 1;
    for (int row = 0; row < ROWS; row++)
        memset(screen->cells[row], ' ', COLUMNS);
}

static void move_down(struct screen *screen)
{
    if (screen->row != screen->bottom) {
        screen->row += screen->row < screen->rows - 1;
        return;
    }
    memcpy(screen->scrolled[screen->scrolled_count++ % SCROLLED], screen->cells[0], COLUMNS);
    memmove(screen->cells[0], screen->cells[1], sizeof screen->cells[0] * (size_t)screen->bottom);
    memset(screen->cells[screen->bottom], ' ', COLUMNS);
}

static void control(struct screen *screen, char c)
{
    int *parameters = screen->parameters;
    if (c == 'r') {
        screen->bottom = screen->parameter_count > 1 ? parameters[1] - 1 : screen->rows - 1;
        screen->row = screen->column = 0;
    } else if (c == 'H') {
        screen->row = parameters[0] - 1;
        screen->column = parameters[1] - 1;
    } else if (c == 'A') {
        screen->row = screen->row > parameters[0] ? screen->row - parameters[0] : 0;
    } else if (c == 'K') {
        memset(screen->cells[screen->row], ' ', COLUMNS);
    } else {
        assert_int_equal(c, 'm');
    }
    screen->state = TEXT;
}

static void escape(struct screen *screen, char c)
{
    screen->state = c == '[' ? CONTROL : TEXT;
    memset(screen->parameters, 0, sizeof screen->parameters);
    screen->parameter_count = 1;
    if (c == '7') {
        screen->saved_row = screen->row;
        screen->saved_column = screen->column;
    } else if (c == '8') {
        screen->row = screen->saved_row;
        screen->column = screen->saved_column;
    } else if (c == 'D') {
        move_down(screen);
    } else {
        assert_int_equal(c, '[');
    }
}

static void show(struct screen *screen, char c)
{
    if (screen->state == ESCAPE) {
        escape(screen, c);
    } else if (screen->state == CONTROL && c >= '0' && c <= '9') {
        int *parameter = &screen->parameters[screen->parameter_count - 1];
        *parameter = *parameter * 10 + c - '0';
    } else if (screen->state == CONTROL && c == ';') {
        screen->parameter_count++;
    } else if (screen->state == CONTROL) {
        control(screen, c);
    } else if (c == '\033') {
        screen->state = ESCAPE;
    } else if (c == '\n') {
        move_down(screen);
    } else if (c == '\r') {
        screen->column = 0;
    } else {
        assert_true(screen->column < COLUMNS); /* nothing is wider than it may be */
        screen->cells[screen->row][screen->column++] = c;
    }
}

struct place {
    struct screen screen;
    struct status_area area;
    int master;
};

/* Shows all that was written so far: up to a bell, which nobody rings but here. */
static void look(struct place *place)
{
    char text[4096];
    assert_int_equal(write(place->area.terminal, "\a", 1), 1);
    for (bool rings = false; !rings;) {
        ssize_t length = read(place->master, text, sizeof text);
        assert_true(length > 0);
        for (ssize_t i = 0; i < length; i++)
            if (text[i] == '\a')
                rings = true;
            else
                show(&place->screen, text[i]);
    }
}

static void print(struct place *place, const char *text)
{
    assert_int_equal(write(place->area.terminal, text, strlen(text)), strlen(text));
    look(place);
}

static void draw(struct place *place, const char *a, const char *b)
{
    const char *lines[] = {a, b};
    int columns = 0;
    assert_true(status_area_is_usable(&place->area, &columns));
    status_area_draw(&place->area, lines, b ? 2 : 1);
    look(place);
}

static void expect_line(const struct place *place, int row, const char *expected)
{
    char padded[COLUMNS + 1];
    snprintf(padded, sizeof padded, "%-*s", COLUMNS, expected);
    if (memcmp(place->screen.cells[row], padded, COLUMNS) != 0)
        fail_msg("row %d is \"%.*s\", not \"%s\"", row, COLUMNS, place->screen.cells[row], expected);
}

static int setup(void **state)
{
    struct place *place = calloc(1, sizeof *place);
    struct winsize size = {.ws_row = ROWS, .ws_col = COLUMNS};
    int slave;
    setenv("TERM", "xterm", 1);
    if (!place || openpty(&place->master, &slave, NULL, NULL, &size))
        return -1;
    place->area = (struct status_area){.terminal = slave};
    screen_init(&place->screen);
    *state = place;
    return 0;
}

static int teardown(void **state)
{
    struct place *place = *state;
    close(place->master);
    close(place->area.terminal);
    free(place);
    return 0;
}

static void test_lines_are_not_torn(void **state)
{
    struct place *place = *state;
    char line[40];
    for (int i = 0; i < 30; i++) {
        snprintf(line, sizeof line, "line %d, first half", i);
        print(place, line);
        draw(place, i % 2 ? "status odd" : "status even, and longer", NULL);
        print(place, ", second half\n");
        expect_line(place, ROWS - 1, i % 2 ? "status odd" : "status even, and longer");
    }
    status_area_close(&place->area);
    look(place);
    expect_line(place, ROWS - 1, "");
    for (int i = 22; i < 30; i++) {
        snprintf(line, sizeof line, "line %d, first half, second half", i);
        expect_line(place, i - 22, line);
    }
    /* And all that has left the screen is the program's. */
    for (int i = 0; i < 22; i++) {
        snprintf(line, sizeof line, "line %d, first half, second half", i);
        assert_memory_equal(place->screen.scrolled[i], line, strlen(line));
    }
    /* The whole screen scrolls again. */
    assert_int_equal(place->screen.bottom, ROWS - 1);
    print(place, "after\n");
    expect_line(place, 8, "after");
}

static void test_more_and_fewer_lines(void **state)
{
    struct place *place = *state;
    for (int i = 0; i < 12; i++)
        print(place, "text\n");
    draw(place, "one", NULL);
    draw(place, "one", "two");
    expect_line(place, ROWS - 2, "one");
    expect_line(place, ROWS - 1, "two");
    print(place, "last\n");
    expect_line(place, ROWS - 4, "last");
    draw(place, "only", NULL);
    expect_line(place, ROWS - 2, "");
    expect_line(place, ROWS - 1, "only");
    expect_line(place, ROWS - 4, "last");
    print(place, "next\n");
    expect_line(place, ROWS - 3, "next");
}

static void test_a_terminal_that_grows(void **state)
{
    struct place *place = *state;
    print(place, "text\n");
    draw(place, "status", NULL);
    struct winsize size = {.ws_row = ROWS + 4, .ws_col = COLUMNS};
    assert_int_equal(ioctl(place->master, TIOCSWINSZ, &size), 0);
    for (int row = ROWS; row < ROWS + 4; row++)
        memset(place->screen.cells[row], ' ', COLUMNS);
    place->screen.rows = ROWS + 4;
    draw(place, "status", NULL);
    expect_line(place, 0, "text");
    expect_line(place, ROWS - 1, "");
    expect_line(place, ROWS + 3, "status");
}

static void test_where_it_would_disturb(void **state)
{
    struct place *place = *state;
    int columns;
    draw(place, "status", NULL);
    struct termios settings;
    assert_int_equal(tcgetattr(place->area.terminal, &settings), 0);
    settings.c_lflag &= ~(tcflag_t)ICANON; /* an editor, or a shell that edits its line */
    assert_int_equal(tcsetattr(place->area.terminal, TCSANOW, &settings), 0);
    assert_false(status_area_is_usable(&place->area, &columns));
    look(place);
    expect_line(place, ROWS - 1, "");
    assert_int_equal(place->screen.bottom, ROWS - 1);
    settings.c_lflag |= ICANON;
    assert_int_equal(tcsetattr(place->area.terminal, TCSANOW, &settings), 0);
    assert_true(status_area_is_usable(&place->area, &columns));
    setenv("TERM", "dumb", 1);
    assert_false(status_area_is_usable(&place->area, &columns));
    setenv("TERM", "xterm", 1);
    struct winsize size = {.ws_row = 4, .ws_col = COLUMNS};
    assert_int_equal(ioctl(place->master, TIOCSWINSZ, &size), 0);
    assert_false(status_area_is_usable(&place->area, &columns));
    struct status_area none = {.terminal = open("/dev/null", O_WRONLY | O_CLOEXEC)};
    assert_false(status_area_is_usable(&none, &columns));
    close(none.terminal);
}

/* Ctrl-S: nobody waits. */
static void test_a_terminal_that_stands_still(void **state)
{
    struct place *place = *state;
    int columns;
    assert_int_equal(tcflow(place->area.terminal, TCOOFF), 0);
    assert_false(status_area_is_usable(&place->area, &columns));
    assert_int_equal(tcflow(place->area.terminal, TCOON), 0);
    assert_true(status_area_is_usable(&place->area, &columns));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_lines_are_not_torn, setup, teardown),
        cmocka_unit_test_setup_teardown(test_more_and_fewer_lines, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_terminal_that_grows, setup, teardown),
        cmocka_unit_test_setup_teardown(test_where_it_would_disturb, setup, teardown),
        cmocka_unit_test_setup_teardown(test_a_terminal_that_stands_still, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
