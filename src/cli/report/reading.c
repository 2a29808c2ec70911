#include "cli/report/reading.h"

#include "cli/report/problems.h"

#include "base/machine.h"
#include "profile/reader.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

enum { PROBLEMS_SHOWN = 5 };

static int on_record(void *context, const struct profile_record *record)
{
    struct reading *reading = context;
    int code = intake_add(&reading->intake, record);
    return code || !reading->side ? code : side_add(reading->side, record);
}

static void on_problem(void *context, const struct profile_problem *problem)
{
    struct reading *reading = context;
    if (reading->problems++ >= PROBLEMS_SHOWN)
        return;
    problem_print(reading->command, problem);
}

static int read_profile(struct reading *reading, const char *path)
{
    struct profile_visitor visitor = {on_record, on_problem, reading};
    struct intake *intake = &reading->intake;
    struct coz_error error;
    intake->profile = path;
    uint64_t records = intake->records, problems = reading->problems;
    int code = profile_read(path, &visitor, &error);
    /* What one file ends with does not go on in the next. */
    if (code == 0)
        code = analysis_finish(intake->analysis);
    else
        fprintf(stderr, "%s: %s\n", reading->command, error.text);
    if (reading->side)
        side_end_file(reading->side);
    if (code == 0 && intake->records == records && reading->problems > problems)
        fprintf(stderr, "%s: %s is no profile: none of its lines could be used.\n", reading->command, path);
    if (code == -ENOENT)
        fputs("Make a profile with `coz run --- PROGRAM ARGUMENTS`, or name one that exists.\n", stderr);
    if (code == -EISDIR)
        fputs("Name the profile in it, as `coz run --output` was told it.\n", stderr);
    return code;
}

int reading_take(struct reading *reading, char *const *profiles, int count)
{
    int code = intake_begin(&reading->intake);
    if (code == 0)
        analysis_use_threads(reading->intake.analysis, machine_allowed());
    if (reading->side)
        side_begin(reading->side, reading->intake.analysis, reading->intake.story);
    for (int i = 0; i < count && code == 0; i++)
        code = read_profile(reading, profiles[i]);
    if (code == -ENOMEM)
        fprintf(stderr, "%s: out of memory\n", reading->command);
    if (reading->problems > PROBLEMS_SHOWN)
        fprintf(stderr, "%s: ... and %" PRIu64 " more lines that could not be used.\n", reading->command,
                reading->problems - PROBLEMS_SHOWN);
    return code;
}
