/* coz report: what the windows of one or several profiles say. */
#include "base/error.h"
#include "cli/commands.h"
#include "cli/report/output.h"
#include "cli/report/problems.h"
#include "cli/report/reading.h"
#include "cli/report_options.h"

#include "profile/verified.h"
#include "report/page/html.h"
#include "report/prompt/prompt.h"
#include "report/report.h"
#include "report/target/came_true.h"
#include "report/target/target.h"
#include "report/waits/waits.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_ANSWERS = 0, EXIT_NO_ANSWERS = 1 };
enum { EXIT_NOT_JUDGED = 2 }; /* with --fail-if, 1 would say that a condition is met */

/* What is true of one build need not be of another: says which there are. */
static int refuse_mixture(const struct builds *builds)
{
    mixture_print("coz report", builds);
    fputs("Report on a profile of one build alone (`coz run -o OTHER` begins one), or mix them with --mix.\n",
          stderr);
    return EXIT_NO_ANSWERS;
}

/* In the format that was asked for; 0 or a negative errno. */
static int print_format(FILE *out, const struct intake *intake, const struct report_command *command,
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
    case REPORT_PROMPT:
        report_prompt(out, analysis, options);
        break;
    case REPORT_CSV:
        report_csv(out, analysis, options);
        break;
    case REPORT_TEXT:
        if (report_answers(analysis, options) > 0 || analysis_windows(analysis) > 0)
            report_text(out, analysis, options);
        put_came_true(out, NULL, options);
        break;
    }
    return 0;
}

/* All of one target. */
static int print_target(const struct intake *intake, struct report_command *command)
{
    struct coz_error error;
    const struct output output = {command->output, command->profiles, command->profile_count, false};
    intake_lend(intake, &command->options);
    FILE *out = output_open(&output, &error);
    int code = -EIO;
    if (out && command->format == REPORT_PROMPT)
        code = report_prompt_target(out, intake->analysis, &command->options, command->line, NULL, &error) < 0
                   ? -EIO
                   : 1;
    else if (out)
        code =
            report_target(out, intake->analysis, &command->options, command->line, command->windows, &error);
    int closed = out ? output_close(out, &output, code < 0 ? code : 0, &error) : -EIO;
    if (code < 0 || closed < 0) {
        fprintf(stderr, "coz report: %s\n", error.text);
        return EXIT_NO_ANSWERS;
    }
    return code > 0 ? EXIT_ANSWERS : EXIT_NO_ANSWERS;
}

static int print_report(const struct intake *intake, struct report_command *command)
{
    struct coz_error error;
    bool is_text = command->format == REPORT_TEXT && !command->output;
    intake_lend(intake, &command->options);
    size_t answers = report_answers(intake->analysis, &command->options);
    const struct output output = {command->output, command->profiles, command->profile_count,
                                  command->format == REPORT_HTML};
    FILE *out = output_open(&output, &error);
    int code = out ? print_format(out, intake, command, &error) : -EIO;
    if (out && answers == 0)
        report_explain(is_text ? out : stderr, intake->analysis, &command->options);
    if (out && is_text && analysis_windows(intake->analysis) == 0)
        report_remarks(out, &command->options);
    if (out && output_close(out, &output, code, &error) < 0)
        code = -EIO;
    if (code < 0) {
        fprintf(stderr, "coz report: %s\n", error.text);
        return EXIT_NO_ANSWERS;
    }
    return answers > 0 ? EXIT_ANSWERS : EXIT_NO_ANSWERS;
}

/* What threads waited for. */
static int print_waits(const struct intake *intake, const struct report_command *command)
{
    struct coz_error error;
    const struct output output = {command->output, command->profiles, command->profile_count, false};
    FILE *out = output_open(&output, &error);
    bool any = out && report_waits(out, intake->waiting, &command->options);
    if (!out || output_close(out, &output, 0, &error) < 0) {
        fprintf(stderr, "coz report: %s\n", error.text);
        return EXIT_NO_ANSWERS;
    }
    return any ? EXIT_ANSWERS : EXIT_NO_ANSWERS;
}

/* What --fail-if makes of the exit status. */
static int judge_conditions(const struct intake *intake, struct conditions *conditions)
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

/* Beside each profile there may be one of what was verified. */
static void find_ledgers(struct report_command *command)
{
    char **ledgers = calloc((size_t)command->profile_count, sizeof *ledgers);
    size_t count = 0;
    for (int i = 0; ledgers && i < command->profile_count; i++) {
        ledgers[count] = verified_path(command->profiles[i]);
        bool is_new = ledgers[count] != NULL;
        for (size_t j = 0; is_new && j < count; j++)
            is_new = strcmp(ledgers[j], ledgers[count]) != 0;
        if (is_new)
            count++;
        else
            free(ledgers[count]);
    }
    command->ledgers = ledgers;
    command->options.ledgers = ledgers;
    command->options.ledger_count = count;
}

static void release_ledgers(struct report_command *command)
{
    for (size_t i = 0; i < command->options.ledger_count; i++)
        free(command->ledgers[i]);
    free(command->ledgers);
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
    struct reading reading = {.command = "coz report", .intake.pid = command.pid};
    const struct intake *intake = &reading.intake;
    if (reading_take(&reading, command.profiles, command.profile_count) < 0) {
        status = is_judged ? EXIT_NOT_JUDGED : EXIT_NO_ANSWERS;
    } else if (intake->builds.count > 1 && !command.mixes_builds) {
        status = refuse_mixture(&intake->builds);
        status = is_judged ? EXIT_NOT_JUDGED : status;
    } else {
        if (intake->pid && !intake->of_pid)
            fprintf(stderr,
                    "coz report: no window has visits of process %" PRIu64
                    "; profiles of several processes list theirs in records of type `process`.\n",
                    intake->pid);
        find_ledgers(&command);
        status = command.waits                                            ? print_waits(intake, &command)
                 : command.line && analysis_windows(intake->analysis) > 0 ? print_target(intake, &command)
                                                                          : print_report(intake, &command);
        if (is_judged)
            status = judge_conditions(intake, &command.conditions);
    }
    release_ledgers(&command);
    conditions_release(&command.conditions);
    intake_release(&reading.intake);
    return status;
}
