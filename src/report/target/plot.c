#include "report/target/plot.h"

#include "report/cells.h"
#include "report/target/canvas.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEFT = 9, RIGHT = 4, LABEL = 7, WIDEST = 200, STEPS_MOST = 6 };

/* A point of which nothing is known must not flatten all that is: bands end at so many times the largest
 * effect. */
#define BAND_MOST 3

/* The points with the origin among them, and how they lie in the picture. */
struct plot {
    struct curve_point *points;
    size_t count;
    struct plot_scale y;
    double first, last; /* speedups */
    struct canvas canvas;
};

struct plot_scale plot_scale_around(double low, double high)
{
    static const double steps[] = {1, 2, 5};
    low = fmin(low, 0);
    high = fmax(high, 0);
    double span = fmax(high - low, 1e-3), unit = pow(10, floor(log10(span)) - 1);
    for (size_t i = 0;; i++) {
        double step = steps[i % 3] * unit * pow(10, (double)(i / 3));
        double below = floor(low / step + 1e-9), above = ceil(high / step - 1e-9);
        if (above - below < 2)
            above = below + 2;
        if (above - below <= STEPS_MOST)
            return (struct plot_scale){below * step, above * step, step, (int)(above - below)};
    }
}

static int collect_points(struct plot *plot, const struct analysis_result *result)
{
    plot->points = calloc(result->curve_count + 1, sizeof *plot->points);
    if (!plot->points)
        return -ENOMEM;
    double most = 0.02;
    for (size_t i = 0; i < result->curve_count; i++)
        most = fmax(most, fabs(result->curve[i].effect));
    bool has_origin = false;
    for (size_t i = 0; i < result->curve_count; i++) {
        struct curve_point point = result->curve[i];
        if (!has_origin && point.speedup > 0) {
            has_origin = true;
            plot->points[plot->count++] = (struct curve_point){0};
        }
        point.low = fmax(point.low, -BAND_MOST * most);
        point.high = fmin(point.high, BAND_MOST * most);
        plot->points[plot->count++] = point;
    }
    if (!has_origin)
        plot->points[plot->count++] = (struct curve_point){0};
    return 0;
}

/* The curve and its band, at a speedup between the first and the last point. */
static struct curve_point point_at(const struct plot *plot, double speedup)
{
    size_t i = 1;
    while (i + 1 < plot->count && plot->points[i].speedup < speedup)
        i++;
    const struct curve_point *a = &plot->points[i - 1], *b = &plot->points[i];
    double t = fmin(1, fmax(0, (speedup - a->speedup) / (b->speedup - a->speedup)));
    return (struct curve_point){.speedup = speedup,
                                .effect = a->effect + t * (b->effect - a->effect),
                                .low = a->low + t * (b->low - a->low),
                                .high = a->high + t * (b->high - a->high)};
}

/* The row (a fraction of it, too) of an effect: that of a tick is whole. */
static double row_at(const struct plot *plot, double effect)
{
    return (plot->y.high - effect) / (plot->y.high - plot->y.low) * (plot->canvas.rows - 1);
}

static int dot_row(const struct plot *plot, double effect)
{
    return (int)lround(DOTS_DOWN * row_at(plot, effect) + (DOTS_DOWN - 1) / 2.0 - 0.01);
}

static int column_at(const struct plot *plot, double speedup)
{
    return (int)lround((speedup - plot->first) / (plot->last - plot->first) * (plot->canvas.columns - 1));
}

static void draw_curve(struct plot *plot)
{
    int dots = DOTS_ACROSS * plot->canvas.columns, before = 0;
    for (int x = 0; x < dots; x++) {
        double speedup = plot->first + (plot->last - plot->first) * x / (dots - 1);
        struct curve_point at = point_at(plot, speedup);
        /* Every fourth dot: a grey that the line stands out of. */
        for (int y = dot_row(plot, at.high), end = dot_row(plot, at.low); x % 2 == 0 && y <= end; y++)
            if (y % 2 == x / 2 % 2)
                canvas_dot(&plot->canvas, CANVAS_BAND, x, y);
        int here = dot_row(plot, at.effect), from = x == 0 ? here : before;
        for (int y = from; y != here; y += here > from ? 1 : -1)
            canvas_dot(&plot->canvas, CANVAS_LINE, x, y);
        canvas_dot(&plot->canvas, CANVAS_LINE, x, here);
        before = here;
    }
}

static void draw_marks(struct plot *plot, const struct analysis_single *singles, size_t single_count,
                       size_t *outside)
{
    struct canvas *canvas = &plot->canvas;
    for (int column = 0; plot->y.low < 0 && column < canvas->columns; column++)
        canvas_mark(canvas, column, (int)lround(row_at(plot, 0)), MARK_ZERO);
    /* Windows of one speedup lie beside each other, so that they do not hide each other. */
    for (size_t i = 0; i < single_count; i++) {
        double row = fmax(-1, fmin(canvas->rows, round(row_at(plot, singles[i].effect))));
        *outside += row < 0 || row >= canvas->rows;
        canvas_mark(canvas, column_at(plot, singles[i].speedup) + (int)(i * 3 % 5) - 2, (int)row,
                    MARK_SINGLE);
    }
    for (size_t i = 0; i < plot->count; i++)
        if (plot->points[i].speedup != 0)
            canvas_mark(canvas, column_at(plot, plot->points[i].speedup),
                        (int)lround(row_at(plot, plot->points[i].effect)), MARK_POINT);
}

static void put_rows(FILE *out, const struct plot *plot, enum ink ink, const struct report_options *options)
{
    int between = (plot->canvas.rows - 1) / plot->y.steps;
    for (int row = 0; row < plot->canvas.rows; row++) {
        char tick[32] = "";
        if (row % between == 0)
            snprintf(tick, sizeof tick, "%.*f %%", plot->y.step < 0.00999 ? 1 : 0,
                     percent_of(plot->y.high - row / between * plot->y.step, 1));
        fprintf(out, "%*s %s", LEFT - 2, tick, options->utf8 ? (*tick ? "┤" : "│") : (*tick ? "+" : "|"));
        canvas_put_row(out, &plot->canvas, row, ink, options);
        putc('\n', out);
    }
}

/* Which points have room for their numbers below them: the last one, and from it to the left. */
static void choose_labels(const struct plot *plot, bool *labelled)
{
    int free_until = plot->canvas.columns + RIGHT + 1;
    for (size_t i = plot->count; i-- > 0;) {
        int column = column_at(plot, plot->points[i].speedup);
        labelled[i] = column + LABEL / 2 + 1 <= free_until;
        if (labelled[i])
            free_until = column - LABEL / 2;
    }
}

static void put_axis(FILE *out, const struct plot *plot, const bool *labelled,
                     const struct report_options *options)
{
    fprintf(out, "%*s%s", LEFT - 1, "", options->utf8 ? "└" : "+");
    for (int column = 0; column < plot->canvas.columns; column++) {
        bool tick = false;
        for (size_t i = 0; i < plot->count; i++)
            tick |= labelled[i] && column_at(plot, plot->points[i].speedup) == column;
        fputs(options->utf8 ? (tick ? "┴" : "─") : (tick ? "+" : "-"), out);
    }
    putc('\n', out);
}

enum figure { FIGURE_SPEEDUP, FIGURE_SAVED, FIGURE_LOW, FIGURE_HIGH, FIGURE_WINDOWS };

static void print_figure(char *text, size_t size, const struct curve_point *point, enum figure figure)
{
    const double values[] = {point->speedup, point->effect, point->low, point->high};
    if (figure == FIGURE_SPEEDUP)
        snprintf(text, size, point->speedup == 0 ? "0" : "%g %%", 100 * point->speedup);
    else if (point->speedup == 0)
        *text = '\0';
    else if (figure == FIGURE_WINDOWS)
        snprintf(text, size, "%zu", point->windows);
    else if (isfinite(values[figure]))
        snprintf(text, size, "%.1f", percent_of(values[figure], 1));
    else
        snprintf(text, size, "-");
}

/* Below each point what is to be read off there; of the result, whose bands are not cut. */
static void put_figures(FILE *out, const struct plot *plot, const struct analysis_result *result,
                        const bool *labelled, enum figure figure)
{
    static const char *const names[] = {"faster", "saved", "at least", "at most", "windows"};
    fprintf(out, "%*s ", LEFT - 1, names[figure]);
    int used = 0;
    for (size_t i = 0, measured = 0; i < plot->count; i++) {
        const struct curve_point *point = &plot->points[i];
        char text[32];
        if (point->speedup != 0)
            point = &result->curve[measured++];
        print_figure(text, sizeof text, point, figure);
        int length = (int)strlen(text), start = column_at(plot, point->speedup) - (length - 1) / 2;
        if (!labelled[i] || length == 0)
            continue;
        start = start < used ? used : start;
        fprintf(out, "%*s%s", start - used, "", text);
        used = start + length;
    }
    putc('\n', out);
}

/* So high that it looks neither like a hyphen nor like a tower, and that ticks fall onto rows. */
static int rows_for(int columns, int steps)
{
    int wanted = columns / 5 + 1, between;
    wanted = wanted < 12 ? 12 : wanted > 22 ? 22 : wanted;
    between = (wanted + steps / 2) / steps;
    return (between < 2 ? 2 : between) * steps + 1;
}

int put_plot(FILE *out, const struct analysis_result *result, const struct analysis_single *singles,
             size_t single_count, size_t *outside, const struct report_options *options)
{
    struct plot plot = {0};
    int columns = (options->width < WIDEST ? options->width : WIDEST) - LEFT - RIGHT;
    int rc = collect_points(&plot, result);
    bool *labelled = calloc(result->curve_count + 1, sizeof *labelled);
    double low = 0, high = 0;
    for (size_t i = 0; rc == 0 && i < plot.count; i++) {
        low = fmin(low, plot.points[i].low);
        high = fmax(high, plot.points[i].high);
    }
    plot.y = plot_scale_around(low, high);
    if (rc == 0)
        rc = canvas_init(&plot.canvas, columns, rows_for(columns, plot.y.steps));
    if (rc == 0 && labelled && plot.count > 1) {
        plot.first = plot.points[0].speedup;
        plot.last = plot.points[plot.count - 1].speedup;
        draw_curve(&plot);
        draw_marks(&plot, singles, single_count, outside);
        choose_labels(&plot, labelled);
        put_rows(out, &plot, ink_of_verdict(result->verdict), options);
        put_axis(out, &plot, labelled, options);
        for (enum figure figure = FIGURE_SPEEDUP; figure <= FIGURE_WINDOWS; figure++)
            put_figures(out, &plot, result, labelled, figure);
    }
    canvas_release(&plot.canvas);
    free(plot.points);
    free(labelled);
    return labelled ? rc : -ENOMEM;
}
