#include "cli/run/status.h"

#include "base/clock.h"
#include "experiment/session/certainty.h"
#include "report/cells.h"
#include "report/report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

static const uint64_t draw_every_ns = 500000000, look_every_ns = 1000000000, most_of_time = 50;

#define HALF_WANTED 0.05 /* to either side, of an impact: known well enough to choose by */

void status_init(struct status *status, struct series *series, bool quiet)
{
    struct report_options seen;
    report_options_init(&seen, stderr);
    *status = (struct status){.series = series,
                              .area = {.terminal = STDERR_FILENO},
                              .is_shown = !quiet && isatty(STDERR_FILENO),
                              .utf8 = seen.utf8};
}

/* Without folders, which there is no room for; clean. */
static void print_name(char *text, size_t size, const char *location)
{
    const char *caller = strstr(location, " <- "), *end = caller ? caller : location + strlen(location);
    const char *slash = strchr(location, ':') ? memrchr(location, '/', (size_t)(end - location)) : NULL;
    char *clean = clean_text(slash ? slash + 1 : location, true);
    snprintf(text, size, "%.60s", clean ? clean : "?");
    free(clean);
}

static void print_leader(char *text, size_t size, const struct analysis_result *leader)
{
    char name[80];
    print_name(name, sizeof name, leader->location);
    if (isfinite(leader->low) && isfinite(leader->high))
        snprintf(text, size, "%s %.0f (%.0f to %.0f)", name, 100 * leader->impact, 100 * leader->low,
                 100 * leader->high);
    else
        snprintf(text, size, "%s %.0f (not known how surely)", name, 100 * leader->impact);
}

/* As a person says it. */
static void print_duration(char *text, size_t size, double ns)
{
    FILE *out = fmemopen(text, size, "w");
    if (!out)
        return;
    put_duration(out, ns);
    fclose(out);
}

/* When that will be, on the runs' own clock. Each look foretells it anew, and no two say the same: what is shown is
 * drawn after them, so that it comes nearer as time passes. */
static double foretell_end(struct status *status, double times)
{
    static const double weight = 0.3;
    double so_far = (double)analysis_runtime_ns(status->series->analysis) +
                    (double)session_progress(status->series->session)->elapsed_ns;
    double end = times * so_far;
    status->ends_ns = status->ends_ns > 0 ? status->ends_ns + weight * (end - status->ends_ns) : end;
    return status->ends_ns - so_far;
}

/* How sure the leaders are, and how long until they are as sure as one wants. */
static void look_at_certainty(struct status *status, const struct analysis_result *results, size_t count)
{
    double wanted = status->series->options.until_width;
    double half = wanted > 0 ? wanted / 200 : HALF_WANTED;
    struct patience patience = certainty_patience(results, count, half);
    const char *about = status->utf8 ? "±" : "+-";
    char time[32];
    *status->certainty = '\0';
    if (patience.kind != PATIENCE_LEFT)
        status->ends_ns = 0;
    switch (patience.kind) {
    case PATIENCE_EARLY:
        if (count > 0)
            snprintf(status->certainty, sizeof status->certainty, "%s%g: too early to tell", about,
                     100 * half);
        break;
    case PATIENCE_LEFT:
        print_duration(time, sizeof time, fmax(1e9, foretell_end(status, patience.times)));
        snprintf(status->certainty, sizeof status->certainty, "%s%g in about %s", about, 100 * half, time);
        break;
    case PATIENCE_KNOWN:
        snprintf(status->certainty, sizeof status->certainty, "known to %s%g", about, 100 * half);
        break;
    case PATIENCE_NEVER:
        snprintf(status->certainty, sizeof status->certainty, "%s%g: not by waiting", about, 100 * half);
        break;
    }
}

static void look_at_answers(struct status *status)
{
    const struct analysis_result *results;
    size_t count = analysis_results(status->series->analysis, &results);
    size_t length = certainty_point_length(results, count);
    status->leader_count = 0;
    for (size_t i = 0; i < length && status->leader_count < STATUS_LEADERS; i++)
        if (isfinite(results[i].impact) && results[i].impact > 0)
            print_leader(status->leaders[status->leader_count++], STATUS_TEXT, &results[i]);
    look_at_certainty(status, results, length);
}

/* Does a descriptor of the program lead to our terminal? Then its words scroll by there. */
static bool leads_here(const struct status *status, pid_t pid, int fd)
{
    struct stat own, other;
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)pid, fd);
    return fstat(status->area.terminal, &own) == 0 && stat(path, &other) == 0 && S_ISCHR(other.st_mode) &&
           (own.st_rdev == other.st_rdev || major(other.st_rdev) == 5 /* /dev/tty */);
}

/* Adds a part of the line, if there is room for it. */
static void add_part(char *line, size_t room, const char *between, const char *part)
{
    char *clean = *part ? clean_text(part, true) : NULL;
    if (clean && text_columns(line) + text_columns(between) + text_columns(clean) <= room &&
        strlen(line) + strlen(between) + strlen(clean) < STATUS_TEXT) {
        strcat(line, *line ? between : "");
        strcat(line, clean);
    }
    free(clean);
}

static void print_trying(char *text, size_t size, struct session *session)
{
    char location[4096], name[80];
    int permille;
    *text = '\0';
    if (!session_trying(session, location, sizeof location, &permille))
        return;
    print_name(name, sizeof name, location);
    if (permille == 0)
        snprintf(text, size, "trying %s, unchanged", name);
    else
        snprintf(text, size, "trying %s %g %% %s", name, abs(permille) / 10.0,
                 permille > 0 ? "faster" : "slower");
}

/* What matters more comes first, for the last parts may not fit. */
static void print_line(const struct status *status, struct session *session, bool with_leader, char *line,
                       size_t columns)
{
    const struct session_progress *progress = session_progress(session), *before = &status->series->total;
    const char *between = status->utf8 ? " · " : ", ";
    unsigned seconds = (unsigned)((before->elapsed_ns + progress->elapsed_ns) / 1000000000);
    char part[STATUS_TEXT];
    *line = '\0';
    snprintf(part, sizeof part, "coz %u:%02u", seconds / 60, seconds % 60);
    add_part(line, columns, between, part);
    unsigned long long windows = before->windows + progress->windows;
    snprintf(part, sizeof part, "%llu window%s", windows, windows == 1 ? "" : "s");
    add_part(line, columns, between, part);
    if (!progress->points_reached)
        add_part(line, columns, between, "no progress point reached yet");
    else if (with_leader && status->leader_count > 0) {
        snprintf(part, sizeof part, "best %.250s", status->leaders[0]);
        add_part(line, columns, between, part);
    }
    add_part(line, columns, between, status->certainty);
    print_trying(part, sizeof part, session);
    add_part(line, columns, between, part);
    if (status->series->runs > 1) {
        snprintf(part, sizeof part, "run %u", status->series->runs);
        add_part(line, columns, between, part);
    }
}

static void draw(struct status *status, struct session *session, size_t columns)
{
    char line[STATUS_TEXT], leaders[STATUS_LEADERS][STATUS_TEXT];
    const char *lines[STATUS_LINES_MOST] = {line};
    pid_t pid = session_pid(session);
    bool is_alone =
        pid > 0 && !leads_here(status, pid, STDOUT_FILENO) && !leads_here(status, pid, STDERR_FILENO);
    int count = 1;
    print_line(status, session, !is_alone, line, columns);
    for (size_t i = 0; is_alone && i < status->leader_count; i++) {
        snprintf(leaders[i], STATUS_TEXT, "  %zu  ", i + 1);
        add_part(leaders[i], columns, "", status->leaders[i]);
        lines[count++] = leaders[i];
    }
    status_area_draw(&status->area, lines, count);
}

void status_update(struct status *status, struct session *session)
{
    uint64_t now = clock_wall_ns();
    int columns;
    if (!status->is_shown || now < status->next_ns)
        return;
    status->next_ns = now + draw_every_ns;
    if (!status_area_is_usable(&status->area, &columns))
        return;
    if (now >= status->next_look_ns) {
        look_at_answers(status);
        /* It takes milliseconds, and more the longer the run: a fiftieth of all time. */
        uint64_t after = clock_wall_ns(), rest = most_of_time * (after - now);
        status->next_look_ns = after + (rest > look_every_ns ? rest : look_every_ns);
    }
    draw(status, session, (size_t)columns);
}

void status_clear(struct status *status)
{
    status_area_close(&status->area);
}
