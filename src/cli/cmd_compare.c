/* coz compare: what changed from one profile to another. */
#include "cli/commands.h"
#include "cli/compare/options.h"
#include "cli/report/output.h"
#include "cli/report/problems.h"

#include "report/compare/comparing.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

enum { EXIT_COMPARED = 0, EXIT_UNUSABLE = 2, EXIT_TOO_LITTLE = 3 };
enum { PROBLEMS_SHOWN = 5 };

/* One profile on its way in. */
struct intake {
    struct compare_side side;
    struct builds builds;
    const char *profile;
    uint64_t records, problems;
};

static int on_record(void *context, const struct profile_record *record)
{
    struct intake *intake = context;
    intake->records++;
    int code = builds_add(&intake->builds, intake->profile, record);
    return code ? code : side_add(&intake->side, record);
}

static void on_problem(void *context, const struct profile_problem *problem)
{
    struct intake *intake = context;
    if (intake->problems++ < PROBLEMS_SHOWN)
        problem_print("coz compare", problem);
}

static int read_profile(struct intake *intake, const struct compare_command *command)
{
    struct profile_visitor visitor = {on_record, on_problem, intake};
    struct coz_error error = {""};
    int code = side_begin(&intake->side);
    if (code == 0)
        code = profile_read(intake->profile, &visitor, &error);
    if (code == 0)
        code = side_end_file(&intake->side);
    if (code < 0) {
        fprintf(stderr, "coz compare: %s\n", *error.text ? error.text : "out of memory");
        return code;
    }
    if (intake->problems > PROBLEMS_SHOWN)
        fprintf(stderr, "coz compare: ... and %" PRIu64 " more lines that could not be used.\n",
                intake->problems - PROBLEMS_SHOWN);
    if (intake->records == 0) {
        fprintf(stderr, "coz compare: %s is no profile: none of its lines could be used.\n", intake->profile);
        return -EINVAL;
    }
    if (intake->builds.count > 1 && !command->mixes_builds) {
        mixture_print("coz compare", &intake->builds);
        fputs(
            "Each of the two profiles is to be of one build (`coz run -o OTHER` begins one); or mix them with"
            " --mix.\n",
            stderr);
        return -EINVAL;
    }
    return 0;
}

static int print_format(FILE *out, const struct compare_report *report, const struct compare_command *command,
                        struct coz_error *error)
{
    switch (command->format) {
    case COMPARE_JSON:
        return compare_json(out, report, &command->options, error);
    case COMPARE_MARKDOWN:
        compare_markdown(out, report, &command->options);
        break;
    case COMPARE_CSV:
        compare_csv(out, report, &command->options);
        break;
    case COMPARE_TEXT:
        compare_text(out, report, &command->options);
        break;
    }
    return 0;
}

static int judge(struct conditions *conditions, const struct comparison *comparison, struct coz_error *error)
{
    int code = 0;
    for (size_t i = 0; i < conditions->count && code == 0; i++)
        code = condition_judge(&conditions->items[i], comparison, error);
    return code;
}

static int print_comparison(const struct compare_report *report, struct compare_command *command)
{
    struct coz_error error;
    const struct output output = {command->output, command->profiles, 2, false};
    FILE *out = output_open(&output, &error);
    int code = out ? print_format(out, report, command, &error) : -EIO;
    if (out && output_close(out, &output, code, &error) < 0)
        code = -EIO;
    if (code < 0)
        fprintf(stderr, "coz compare: %s\n", error.text);
    return code;
}

static int compare(const struct intake *intakes, struct compare_command *command)
{
    struct comparison comparison;
    struct coz_error error = {"out of memory"};
    struct conditions *conditions = &command->conditions;
    int code = comparison_make(&comparison, &intakes[0].side, &intakes[1].side);
    if (code == 0)
        code = judge(conditions, &comparison, &error);
    const struct compare_report report = {
        &intakes[0].side, &intakes[1].side,  {command->profiles[0], command->profiles[1]},
        &comparison,      conditions->items, conditions->count};
    int status = EXIT_UNUSABLE;
    if (code < 0)
        fprintf(stderr, "coz compare: %s\n", error.text);
    else if (print_comparison(&report, command) == 0)
        status = conditions->count > 0 ? conditions_status(conditions->items, conditions->count)
                 : compare_has_answers(&comparison, &command->options) ? EXIT_COMPARED
                                                                       : EXIT_TOO_LITTLE;
    if (status == EXIT_TOO_LITTLE && conditions->count == 0)
        fputs(
            "coz compare: Nothing could be compared: the profiles have no progress point in common that was\n"
            "visited in three blocks of windows of each. Let the program run longer.\n",
            stderr);
    if (command->format != COMPARE_TEXT || command->output)
        conditions_print(conditions, "coz compare");
    comparison_release(&comparison);
    return status;
}

int cmd_compare(int argc, char **argv)
{
    struct compare_command command;
    struct intake intakes[2] = {{.records = 0}};
    int status = compare_options_parse(&command, argc, argv);
    bool usable = status < 0;
    for (int i = 0; i < 2 && usable; i++) {
        intakes[i].profile = command.profiles[i];
        usable = read_profile(&intakes[i], &command) == 0;
    }
    if (status < 0)
        status = usable ? compare(intakes, &command) : EXIT_UNUSABLE;
    for (int i = 0; i < 2; i++) {
        builds_release(&intakes[i].builds);
        side_release(&intakes[i].side);
    }
    conditions_release(&command.conditions);
    return status;
}
