#include "cli/report_options.h"

#include "cli/option_value.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum { GO_ON = -1, EXIT_HELP = 0, EXIT_WRONG_USAGE = 2 };
enum { OPT_PID = 256, OPT_MIX, OPT_NO_SOURCE, OPT_FAIL_IF };

/* A page can be searched, so that it holds all lines unless it is told otherwise. */
#define TOP_NOT_SAID SIZE_MAX

static const char usage[] =
    "Usage: coz report [OPTIONS] [PROFILE...]\n"
    "\n"
    "Ranks what `coz run` measured: by how much the program gets faster when a line does.\n"
    "Reads profile.jsonl when no PROFILE is named, standard input for -; several are taken together.\n"
    "\n"
    "  -f, --format FORMAT  text (default), json, csv, html: a page for a browser, or md: Markdown\n"
    "  -o, --output FILE    write it there (default: standard output)\n"
    "      --no-source      html: the page holds no lines of the sources\n"
    "  -p, --point NAME     only what concerns this progress point (default: all points)\n"
    "      --pid PID        only what this process of the tree did (default: all together)\n"
    "      --mix            take runs of different programs, or of different builds of one, together\n"
    "  -n, --top N          at most N lines for each point (default: 20, html: 0; 0: no limit)\n"
    "  -a, --all            also lines without enough data, and all that is left out\n"
    "      --fail-if COND   end with status 1 if that is sure, as `worker.c:88 impact > 20%`; repeatable\n"
    "  -h, --help           this text\n"
    "\n"
    "x % faster means that it takes x % less time: 50 % faster is half of the time.\n"
    "\n"
    "Environment:\n"
    "  COLUMNS              the width of the table on a terminal (default: the terminal's; 100 elsewhere)\n"
    "  NO_COLOR             when it is set, there are no colours\n"
    "  TERM                 the same when it is `dumb`\n"
    "  LC_ALL, LC_CTYPE, LANG\n"
    "                       the curves are drawn in blocks where one of these says UTF-8, else in ASCII\n"
    "\n"
    "Exit status: 0 when there are answers, 1 when there are none or a profile cannot be used, 2 for wrong\n"
    "usage. With --fail-if: 0 when no condition is met, 1 when one is, 2 also when a profile cannot be used, and 3\n"
    "when there is not enough data to tell.\n";

static const struct option long_options[] = {{"format", required_argument, NULL, 'f'},
                                             {"point", required_argument, NULL, 'p'},
                                             {"top", required_argument, NULL, 'n'},
                                             {"all", no_argument, NULL, 'a'},
                                             {"pid", required_argument, NULL, OPT_PID},
                                             {"mix", no_argument, NULL, OPT_MIX},
                                             {"fail-if", required_argument, NULL, OPT_FAIL_IF},
                                             {"output", required_argument, NULL, 'o'},
                                             {"no-source", no_argument, NULL, OPT_NO_SOURCE},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

static int refuse_usage(void)
{
    fputs("Try `coz report --help`.\n", stderr);
    return EXIT_WRONG_USAGE;
}

/* A whole number and nothing else. */
static bool read_whole(const char *text, uint64_t *number)
{
    char *end;
    errno = 0;
    *number = strtoull(text, &end, 10);
    return *text >= '0' && *text <= '9' && !*end && !errno;
}

static int parse_format(enum report_format *format, const char *text)
{
    int word = option_word(text, (const char *const[]){"text", "json", "csv", "html", "md", NULL});
    if (word < 0) {
        fprintf(stderr, "coz report: there is no format `%s`; there are text, json, csv, html and md.\n",
                text);
        return refuse_usage();
    }
    *format = (enum report_format)word;
    return GO_ON;
}

static int parse_one(struct report_command *command, int option)
{
    uint64_t number;
    switch (option) {
    case 'f':
        return parse_format(&command->format, optarg);
    case 'p':
        command->options.point = optarg;
        return GO_ON;
    case 'n':
        if (!read_whole(optarg, &number)) {
            fprintf(stderr, "coz report: --top wants a whole number, not `%s`.\n", optarg);
            return refuse_usage();
        }
        command->options.top = number;
        return GO_ON;
    case OPT_PID:
        if (!read_whole(optarg, &command->pid) || command->pid == 0) {
            fprintf(stderr, "coz report: --pid wants a process number, not `%s`.\n", optarg);
            return refuse_usage();
        }
        return GO_ON;
    case 'o':
        command->output = optarg;
        return GO_ON;
    case OPT_FAIL_IF:
        return conditions_add(&command->conditions, "coz report", optarg) ? GO_ON : refuse_usage();
    case OPT_NO_SOURCE:
        command->without_source = true;
        return GO_ON;
    case OPT_MIX:
        command->mixes_builds = true;
        return GO_ON;
    case 'a':
        command->options.all = true;
        return GO_ON;
    case 'h':
        fputs(usage, stdout);
        return EXIT_HELP;
    default:
        return refuse_usage();
    }
}

int report_options_parse(struct report_command *command, int argc, char **argv)
{
    static char default_path[] = "profile.jsonl", *default_paths[] = {default_path};
    static char name[] = "coz report"; /* getopt's complaints begin with it */
    *command = (struct report_command){.format = REPORT_TEXT};
    report_options_init(&command->options, stdout);
    size_t usual_top = command->options.top;
    command->options.top = TOP_NOT_SAID;
    argv[0] = name;
    for (int option, rc; (option = getopt_long(argc, argv, "f:o:p:n:ah", long_options, NULL)) != -1;)
        if ((rc = parse_one(command, option)) >= 0)
            return rc;
    if (command->options.top == TOP_NOT_SAID)
        command->options.top = command->format == REPORT_HTML ? 0 : usual_top;
    command->profiles = optind < argc ? argv + optind : default_paths;
    command->profile_count = optind < argc ? argc - optind : 1;
    return GO_ON;
}
