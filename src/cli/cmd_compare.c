/* coz compare: what changed from one profile to another. */
#include "cli/commands.h"
#include "cli/compare/options.h"
#include "cli/report/output.h"
#include "cli/report/problems.h"
#include "cli/report/reading.h"

#include "report/compare/comparing.h"
#include "report/page/html.h"

#include <errno.h>
#include <stdio.h>

enum { EXIT_COMPARED = 0, EXIT_UNUSABLE = 2, EXIT_TOO_LITTLE = 3 };

/* One profile on its way in. */
struct profiled {
    struct reading reading;
    struct compare_side side;
};

static int read_profile(struct profiled *profiled, char *const *profile,
                        const struct compare_command *command)
{
    struct reading *reading = &profiled->reading;
    *reading = (struct reading){.command = "coz compare", .side = &profiled->side};
    int code = reading_take(reading, profile, 1);
    if (code == 0 && reading->intake.builds.count > 1 && !command->mixes_builds) {
        mixture_print("coz compare", &reading->intake.builds);
        fputs(
            "Each of the two profiles is to be of one build (`coz run -o OTHER` begins one); or mix them with"
            " --mix.\n",
            stderr);
        code = -EINVAL;
    }
    if (code == 0 && reading->intake.records == 0) {
        if (reading->problems == 0)
            fprintf(stderr, "coz compare: %s is no profile: there is nothing in it.\n", *profile);
        code = -EINVAL;
    }
    return code;
}

/* The page of the newer one, with the other beside it. */
static int print_page(FILE *out, const struct compare_report *report, struct profiled *after,
                      const struct compare_command *command, struct coz_error *error)
{
    const struct intake *intake = &after->reading.intake;
    struct report_options options = command->options;
    intake_lend(intake, &options);
    const struct page_options page = {.title = "coz", .compared = report};
    return report_html(out, intake->analysis, &options, &page, error);
}

static int print_format(FILE *out, const struct compare_report *report, struct profiled *after,
                        const struct compare_command *command, struct coz_error *error)
{
    switch (command->format) {
    case COMPARE_JSON:
        return compare_json(out, report, &command->options, error);
    case COMPARE_HTML:
        return print_page(out, report, after, command, error);
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

static int print_comparison(const struct compare_report *report, struct profiled *after,
                            struct compare_command *command)
{
    struct coz_error error;
    const struct output output = {command->output, command->profiles, 2, command->format == COMPARE_HTML};
    FILE *out = output_open(&output, &error);
    int code = out ? print_format(out, report, after, command, &error) : -EIO;
    if (out && output_close(out, &output, code, &error) < 0)
        code = -EIO;
    if (code < 0)
        fprintf(stderr, "coz compare: %s\n", error.text);
    return code;
}

static int compare(struct profiled *profiles, struct compare_command *command)
{
    struct comparison comparison;
    struct coz_error error = {"out of memory"};
    struct conditions *conditions = &command->conditions;
    int code = comparison_make(&comparison, &profiles[0].side, &profiles[1].side);
    if (code == 0)
        code = judge(conditions, &comparison, &error);
    const struct compare_report report = {
        &profiles[0].side, &profiles[1].side, {command->profiles[0], command->profiles[1]},
        &comparison,       conditions->items, conditions->count};
    int status = EXIT_UNUSABLE;
    if (code < 0)
        fprintf(stderr, "coz compare: %s\n", error.text);
    else if (print_comparison(&report, &profiles[1], command) == 0)
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
    struct profiled profiles[2] = {{.side = {0}}};
    int status = compare_options_parse(&command, argc, argv);
    bool usable = status < 0;
    for (int i = 0; i < 2 && usable; i++)
        usable = read_profile(&profiles[i], &command.profiles[i], &command) == 0;
    if (status < 0)
        status = usable ? compare(profiles, &command) : EXIT_UNUSABLE;
    for (int i = 0; i < 2; i++) {
        side_release(&profiles[i].side);
        intake_release(&profiles[i].reading.intake);
    }
    conditions_release(&command.conditions);
    return status;
}
