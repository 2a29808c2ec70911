/* Progress points, and runs that are too short for them. */
#include "diagnosis/diagnose.h"
#include "diagnosis/rules.h"
#include "diagnosis/words.h"

#include <math.h>
#include <stdio.h>

/* So long a program may take before its first unit of work is done. */
static const double never_s = 5;
/* Visits that come less often make windows of one visit each, and a run of many minutes. */
static const double seldom_s = 1.5, watched_least_s = 4;

bool rule_point_never(const struct facts *facts, struct finding *finding)
{
    const struct run_facts *run = &facts->run;
    bool had_time = run->elapsed_s >= never_s || run->has_ended;
    if (run->is_whole || run->points.reached || !had_time || (!run->processes && !run->code.samples))
        return false;
    char when[64] = "";
    if (!run->has_ended)
        snprintf(when, sizeof when, " in the first %.0f seconds", run->elapsed_s);
    if (facts->file.has_points == KNOWN_FALSE && !run->points.known)
        say(finding->what, "No progress point was reached%s, and %s holds none.", when, facts->file.path);
    else
        say(finding->what, "No progress point was reached%s, and there is no answer without one.", when);
    say(finding->remedy,
        "Put COZ_PROGRESS (from coz.h) where a unit of work is done, in code that this run passes; name a call or a line with -p (coz points lists them); or have whole runs for units (-p exit).");
    return true;
}

/* An effect is a window beside its baselines. Where a window is one visit, a block of two speedups is five
 * visits, and says two effects at 50 % in the mean, each off by `spread` times the square root of 1.5. */
double patience_s(double visits_s)
{
    static const double spread = 0.06, mean_square = 0.29, half = 0.05, sure = 1.96;
    enum { TARGETS = 3, VISITS_OF_BLOCK = 5, EFFECTS_OF_BLOCK = 2, LEAST_EFFECTS = 15 };
    double deviation = spread * sqrt(1.5 / mean_square);
    double effects = fmax(LEAST_EFFECTS, pow(sure * deviation / half, 2));
    return TARGETS * effects / EFFECTS_OF_BLOCK * VISITS_OF_BLOCK / visits_s;
}

/* As a person says it. */
static void print_time(char *text, size_t size, double seconds)
{
    if (seconds < 99)
        snprintf(text, size, "%.0f s", seconds);
    else if (seconds < 99 * 60)
        snprintf(text, size, "%.0f min", ceil(seconds / 60));
    else
        snprintf(text, size, "%.0f h", ceil(seconds / 3600));
}

bool rule_point_seldom(const struct facts *facts, struct finding *finding)
{
    const struct run_facts *run = &facts->run;
    const struct point_facts *points = &run->points;
    if (run->is_whole || !points->reached || !points->name || points->watched_s < watched_least_s ||
        points->visits_s >= seldom_s)
        return false;
    double visits_s = fmax(points->visits_s, 0.5 / points->watched_s);
    char time[32];
    print_time(time, sizeof time, patience_s(visits_s));
    say(finding->what,
        "The progress point `%s` is visited %.2g times a second only: to know the leaders to +-5 points takes about %s at this rate.",
        points->name, visits_s, time);
    say(finding->remedy,
        "Put the point where a smaller unit of work is done, some tens of times a second or more; or be patient: --duration %.0f.",
        ceil(patience_s(visits_s) / 10) * 10);
    return true;
}

bool rule_point_shared(const struct facts *facts, struct finding *finding)
{
    const struct point_facts *points = &facts->run.points;
    if (!points->shared || points->users < 2)
        return false;
    say(finding->what,
        "The progress point %s is in a header, and its code in %u functions: what they do counts as the same progress, which it may not be.",
        points->shared, points->users);
    say(finding->remedy,
        "Put the point into the function whose work you mean, or give it there a name of its own: COZ_PROGRESS_NAMED(\"...\").");
    return true;
}

/* Runs until some seconds have come together; more runs than a person would wait for have no use. */
static unsigned runs_wanted(double run_s)
{
    static const double together_s = 3;
    enum { LEAST = 20, MOST = 200 };
    double runs = ceil(together_s / fmax(run_s, 1e-3));
    return runs < LEAST ? LEAST : runs > MOST ? MOST : (unsigned)runs;
}

bool rule_too_short(const struct facts *facts, struct finding *finding)
{
    const struct run_facts *run = &facts->run;
    if (!run->has_ended || run->windows || run->is_whole || run->lacks_target || !run->points.reached ||
        !run->code.in_scope)
        return false;
    double each_s = run->elapsed_s / (run->runs ? run->runs : 1);
    say(finding->what, "The program ended after %.2g s, which is too short for one experiment.", each_s);
    say(finding->remedy,
        "Give it more to do; or take each run as one experiment, and have many: --end-to-end --runs %u.",
        runs_wanted(each_s));
    return true;
}
