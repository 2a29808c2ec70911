/* coz explain: one line's numbers and source, and what a language model makes of them. */
#include "cli/advice/asking.h"
#include "cli/advice/commands.h"
#include "cli/options/usage.h"
#include "cli/report/problems.h"
#include "cli/report/reading.h"
#include "report/prompt/explain.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum { EXIT_ANSWERED = 0, EXIT_NOT_ANSWERED = 1 };
enum { OPT_MIX = 256, OPT_NO_SOURCE };

static const char usage[] =
    "Usage: coz explain [OPTIONS] LINE [PROFILE...]\n"
    "\n"
    "Has a language model explain LINE (worker.c:88, or a function's name) by what `coz run` measured of it and by\n"
    "the source around it. Before anything leaves this machine it is said how much goes where, and asked.\n"
    "Reads profile.jsonl when no PROFILE is named; several are taken together. Without a provider, let\n"
    "`coz report LINE --format prompt` print the question.\n"
    "\n" ASKING_USAGE "  -p, --point NAME     only what concerns this progress point (default: all points)\n"
    "      --no-source      send no lines of the source\n"
    "      --mix            take runs of different programs, or of different builds of one, together\n"
    "  -h, --help           this text\n"
    "\n"
    "Environment:\n" ASKING_ENVIRONMENT "\n"
    "Exit status: 0 when it was answered (or shown), 1 when not, 2 for wrong usage.\n";

static const struct option long_options[] = {ASKING_LONG_OPTIONS,
                                             {"point", required_argument, NULL, 'p'},
                                             {"no-source", no_argument, NULL, OPT_NO_SOURCE},
                                             {"mix", no_argument, NULL, OPT_MIX},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

struct command {
    struct asking asking;
    struct explain_options explain;
    bool mixes_builds;
    char **profiles;
    int profile_count;
};

static int parse_one(struct command *command, int option)
{
    switch (option) {
    case 'p':
        command->explain.point = optarg;
        return GO_ON;
    case OPT_NO_SOURCE:
        command->explain.without_source = true;
        return GO_ON;
    case OPT_MIX:
        command->mixes_builds = true;
        return GO_ON;
    case 'h':
        fputs(usage, stdout);
        return EXIT_ANSWERED;
    case '?':
        return usage_refuse();
    default:
        return asking_option(&command->asking, option, optarg) ? GO_ON : usage_refuse();
    }
}

static int parse_command(struct command *command, int argc, char **argv)
{
    static char default_path[] = "profile.jsonl", *default_paths[] = {default_path};
    usage_begin(argv, "explain");
    *command =
        (struct command){.asking.command = "coz explain", .profiles = default_paths, .profile_count = 1};
    for (int option, rc; (option = getopt_long(argc, argv, "p:yh", long_options, NULL)) != -1;)
        if ((rc = parse_one(command, option)) >= 0)
            return rc;
    if (optind == argc) {
        fputs("coz explain: say which line, as in `coz explain worker.c:88`; `coz report` ranks them.\n",
              stderr);
        return usage_refuse();
    }
    command->explain.wanted = argv[optind++];
    if (optind < argc) {
        command->profiles = argv + optind;
        command->profile_count = argc - optind;
    }
    return GO_ON;
}

/* Whether the answer's last line has ended. */
static int put_answer(void *context, const char *text, size_t size)
{
    char *last = context;
    fwrite(text, 1, size, stdout);
    *last = text[size - 1];
    return fflush(stdout) == 0 ? 0 : -EIO;
}

static int explain(struct command *command, const struct intake *intake)
{
    struct coz_error err;
    struct explain_question question;
    char last = '\n';
    const struct advice_sink sink = {.put = put_answer, .context = &last};
    command->explain.story = intake->story;
    int code = explain_question_make(&question, intake->analysis, &command->explain, &err);
    if (code < 0) {
        fprintf(stderr, "coz explain: %s\n", err.text);
        return EXIT_NOT_ANSWERED;
    }
    code = asking_ask(&command->asking, explain_system, question.text, question.what, &sink);
    if (last != '\n')
        putchar('\n');
    explain_question_release(&question);
    return code < 0 ? EXIT_NOT_ANSWERED : EXIT_ANSWERED;
}

int cmd_explain(int argc, char **argv)
{
    struct command command;
    struct reading reading = {.command = "coz explain"};
    int status = parse_command(&command, argc, argv);
    if (status >= 0)
        return status;
    if (reading_take(&reading, command.profiles, command.profile_count) < 0) {
        status = EXIT_NOT_ANSWERED;
    } else if (reading.intake.builds.count > 1 && !command.mixes_builds) {
        mixture_print("coz explain", &reading.intake.builds);
        fputs("Name a profile of one build alone, or mix them with --mix.\n", stderr);
        status = EXIT_NOT_ANSWERED;
    } else {
        status = explain(&command, &reading.intake);
    }
    intake_release(&reading.intake);
    return status;
}
