/* coz report: what the windows of one or several profiles say. */
#include "cli/commands.h"
#include "cli/report/output.h"
#include "cli/report/problems.h"
#include "cli/report_options.h"

#include "profile/builds.h"
#include "profile/reader.h"
#include "report/page/html.h"
#include "report/report.h"
#include "stats/answers/analysis.h"
#include "stats/answers/story.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

enum { EXIT_ANSWERS = 0, EXIT_NO_ANSWERS = 1 };
enum { EXIT_NOT_JUDGED = 2 }; /* with --fail-if, 1 would say that a condition is met */
enum { PROBLEMS_SHOWN = 5 };

/* Profiles on their way into an analysis. */
struct intake {
    struct analysis *analysis;
    struct story *story;
    struct builds builds;
    const char *profile; /* that is being read */
    uint64_t records, problems;
    uint64_t pid;    /* 0: all processes */
    uint64_t of_pid; /* points that the process visited */
};

static int add_latency_of_process(struct intake *intake, const struct profile_record *record)
{
    struct profile_record part = {.type = PROFILE_LATENCY};
    if (record->process_latency.pid != intake->pid)
        return 0;
    intake->of_pid++;
    part.latency.name = record->process_latency.name;
    part.latency.arrivals = record->process_latency.arrivals;
    part.latency.departures = record->process_latency.departures;
    part.latency.difference = record->process_latency.difference;
    part.latency.elapsed_ns = record->process_latency.elapsed_ns;
    return analysis_add(intake->analysis, &part);
}

/* Of a tree's points, one process's part; the time of a throughput point's is the window's. */
static int add_record_of_process(struct intake *intake, const struct profile_record *record)
{
    struct profile_record part = {.type = PROFILE_THROUGHPUT};
    if (record->type == PROFILE_THROUGHPUT || record->type == PROFILE_LATENCY)
        return 0;
    if (record->type == PROFILE_PROCESS_LATENCY)
        return add_latency_of_process(intake, record);
    if (record->type != PROFILE_PROCESS_POINT)
        return analysis_add(intake->analysis, record);
    if (record->process_point.pid != intake->pid)
        return 0;
    intake->of_pid++;
    part.throughput.name = record->process_point.name;
    part.throughput.delta = record->process_point.delta;
    return analysis_add(intake->analysis, &part);
}

static int on_record(void *context, const struct profile_record *record)
{
    struct intake *intake = context;
    intake->records++;
    int code = builds_add(&intake->builds, intake->profile, record);
    if (code == 0)
        code = story_add(intake->story, record);
    if (code < 0)
        return code;
    return intake->pid ? add_record_of_process(intake, record) : analysis_add(intake->analysis, record);
}

static void on_problem(void *context, const struct profile_problem *problem)
{
    struct intake *intake = context;
    if (intake->problems++ >= PROBLEMS_SHOWN)
        return;
    problem_print("coz report", problem);
}

static int read_profile(const char *path, struct intake *intake)
{
    struct profile_visitor visitor = {on_record, on_problem, intake};
    struct coz_error error;
    intake->profile = path;
    uint64_t records = intake->records, problems = intake->problems;
    int code = profile_read(path, &visitor, &error);
    /* What one file ends with does not go on in the next. */
    if (code == 0)
        code = analysis_finish(intake->analysis);
    else
        fprintf(stderr, "coz report: %s\n", error.text);
    if (code == 0 && intake->records == records && intake->problems > problems)
        fprintf(stderr, "coz report: %s is no profile: none of its lines could be used.\n", path);
    if (code == -ENOENT)
        fputs("Make a profile with `coz run --- PROGRAM ARGUMENTS`, or name one that exists.\n", stderr);
    if (code == -EISDIR)
        fputs("Name the profile in it, as `coz run --output` was told it.\n", stderr);
    return code;
}

static int read_profiles(const struct report_command *command, struct intake *intake)
{
    intake->analysis = analysis_new();
    intake->story = story_new();
    int code = intake->analysis && intake->story ? 0 : -ENOMEM;
    for (int i = 0; i < command->profile_count && code == 0; i++)
        code = read_profile(command->profiles[i], intake);
    if (code == -ENOMEM)
        fputs("coz report: out of memory\n", stderr);
    if (intake->problems > PROBLEMS_SHOWN)
        fprintf(stderr, "coz report: ... and %" PRIu64 " more lines that could not be used.\n",
                intake->problems - PROBLEMS_SHOWN);
    return code;
}

/* What is true of one build need not be of another: says which there are. */
static int refuse_mixture(const struct builds *builds)
{
    mixture_print("coz report", builds);
    fputs("Report on a profile of one build alone (`coz run -o OTHER` begins one), or mix them with --mix.\n",
          stderr);
    return EXIT_NO_ANSWERS;
}

/* In the format that was asked for; 0 or a negative errno. */
static int print_format(FILE *out, struct intake *intake, const struct report_command *command,
                        struct coz_error *error)
{
    const struct report_options *options = &command->options;
    struct analysis *analysis = intake->analysis;
    const struct page_options page = {.title = "coz", .without_source = command->without_source};
    switch (command->format) {
    case REPORT_JSON:
        return report_json(out, analysis, options, error);
    case REPORT_HTML:
        return report_html(out, analysis, options, &page, error);
    case REPORT_MARKDOWN:
        report_markdown(out, analysis, options);
        break;
    case REPORT_CSV:
        report_csv(out, analysis, options);
        break;
    case REPORT_TEXT:
        if (report_answers(analysis, options) > 0 || analysis_windows(analysis) > 0)
            report_text(out, analysis, options);
        break;
    }
    return 0;
}

static int print_report(struct intake *intake, struct report_command *command)
{
    struct coz_error error;
    bool is_text = command->format == REPORT_TEXT && !command->output;
    command->options.story = intake->story;
    size_t answers = report_answers(intake->analysis, &command->options);
    const struct output output = {command->output, command->profiles, command->profile_count,
                                  command->format == REPORT_HTML};
    FILE *out = output_open(&output, &error);
    int code = out ? print_format(out, intake, command, &error) : -EIO;
    if (out && answers == 0)
        report_explain(is_text ? out : stderr, intake->analysis, &command->options);
    if (out && output_close(out, &output, code, &error) < 0)
        code = -EIO;
    if (code < 0) {
        fprintf(stderr, "coz report: %s\n", error.text);
        return EXIT_NO_ANSWERS;
    }
    return answers > 0 ? EXIT_ANSWERS : EXIT_NO_ANSWERS;
}

/* What --fail-if makes of the exit status. */
static int judge_conditions(struct intake *intake, struct conditions *conditions)
{
    struct coz_error error;
    const struct analysis_result *results;
    size_t count = analysis_results(intake->analysis, &results);
    for (size_t i = 0; i < conditions->count; i++) {
        if (condition_judge_results(&conditions->items[i], results, count, &error) < 0) {
            fprintf(stderr, "coz report: %s\n", error.text);
            return EXIT_NOT_JUDGED;
        }
    }
    conditions_print(conditions, "coz report");
    return conditions_status(conditions->items, conditions->count);
}

int cmd_report(int argc, char **argv)
{
    struct report_command command;
    int status = report_options_parse(&command, argc, argv);
    if (status >= 0) {
        conditions_release(&command.conditions);
        return status;
    }
    bool is_judged = command.conditions.count > 0;
    struct intake intake = {.pid = command.pid};
    if (read_profiles(&command, &intake) < 0) {
        status = is_judged ? EXIT_NOT_JUDGED : EXIT_NO_ANSWERS;
    } else if (intake.builds.count > 1 && !command.mixes_builds) {
        status = refuse_mixture(&intake.builds);
        status = is_judged ? EXIT_NOT_JUDGED : status;
    } else {
        if (intake.pid && !intake.of_pid)
            fprintf(stderr,
                    "coz report: no window has visits of process %" PRIu64
                    "; profiles of several processes list theirs in records of type `process`.\n",
                    intake.pid);
        status = print_report(&intake, &command);
        if (is_judged)
            status = judge_conditions(&intake, &command.conditions);
    }
    conditions_release(&command.conditions);
    builds_release(&intake.builds);
    story_free(intake.story);
    analysis_free(intake.analysis);
    return status;
}
