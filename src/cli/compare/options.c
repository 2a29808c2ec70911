#include "cli/compare/options.h"

#include "cli/options/option_value.h"
#include "cli/options/usage.h"

#include <getopt.h>
#include <stdio.h>

enum { OPT_MIX = 256, OPT_FAIL_IF };

static const char usage[] =
    "Usage: coz compare [OPTIONS] OLD NEW\n"
    "\n"
    "What changed from one profile to another: how fast the program went where nothing was sped up, and what\n"
    "making each line faster is worth. Lines are found again after edits, by their function and what they say.\n"
    "Several runs in a profile are taken together (`coz merge` puts files together).\n"
    "\n"
    "  -f, --format FORMAT  text (default), json, csv, md: Markdown for a pull request, or html: the page of\n"
    "                       NEW, with OLD beside it\n"
    "  -o, --output FILE    write it there (default: standard output)\n"
    "  -p, --point NAME     only what concerns this progress point (default: all points)\n"
    "  -n, --top N          at most N lines for each point (default: 20; 0: no limit)\n"
    "  -a, --all            also lines without enough data, and all that only one profile has\n"
    "      --mix            take runs of different programs or builds in one profile together\n"
    "      --fail-if COND   end with status 1 if that is sure; repeatable. COND is one of\n"
    "                         rate < -5%                  the rate fell by more than 5 %\n"
    "                         latency > 5%                the latency grew by more than 5 %\n"
    "                         worker.c:88 impact > 20%    20 % of the program hang on that line now\n"
    "                         worker.c:88 change > 10%    its impact grew by more than 10 points\n"
    "                       with `of POINT` after the word for one point: rate of request < -5%\n"
    "  -h, --help           this text\n"
    "\n"
    "\"changed\" allows for how many rows are looked at: comparing a build with itself, at most 5 of 100\n"
    "comparisons say it anywhere. \"no change shown\": none of more than 5 % or points. Else: \"not enough\".\n"
    "\n"
    "Exit status: 0 when no condition is met, 1 when one is met surely, 2 for wrong usage or a profile that\n"
    "cannot be used, 3 when there is not enough data to tell.\n"
    "\n"
    "Environment: COLUMNS, NO_COLOR, TERM, LC_ALL, LC_CTYPE, LANG, as for `coz report`.\n";

static const struct option long_options[] = {{"format", required_argument, NULL, 'f'},
                                             {"output", required_argument, NULL, 'o'},
                                             {"point", required_argument, NULL, 'p'},
                                             {"top", required_argument, NULL, 'n'},
                                             {"all", no_argument, NULL, 'a'},
                                             {"mix", no_argument, NULL, OPT_MIX},
                                             {"help", no_argument, NULL, 'h'},
                                             {"fail-if", required_argument, NULL, OPT_FAIL_IF},
                                             {NULL, 0, NULL, 0}};

static int parse_format(enum compare_format *format, const char *text)
{
    int word = option_word(text, (const char *const[]){"text", "json", "md", "csv", "html", NULL});
    if (word < 0) {
        fprintf(stderr, "coz compare: there is no format `%s`; there are text, json, md, csv and html.\n",
                text);
        return usage_refuse();
    }
    *format = (enum compare_format)word;
    return GO_ON;
}

static int parse_top(size_t *top, const char *text)
{
    uint64_t number;
    if (!option_whole(text, &number)) {
        fprintf(stderr, "coz compare: --top wants a whole number, not `%s`.\n", text);
        return usage_refuse();
    }
    *top = number;
    return GO_ON;
}

static int parse_one(struct compare_command *command, int option)
{
    switch (option) {
    case 'f':
        return parse_format(&command->format, optarg);
    case 'o':
        command->output = optarg;
        return GO_ON;
    case 'p':
        command->options.point = optarg;
        return GO_ON;
    case 'n':
        return parse_top(&command->options.top, optarg);
    case 'a':
        command->options.all = true;
        return GO_ON;
    case OPT_MIX:
        command->mixes_builds = true;
        return GO_ON;
    case OPT_FAIL_IF:
        return conditions_add(&command->conditions, "coz compare", optarg) ? GO_ON : usage_refuse();
    case 'h':
        fputs(usage, stdout);
        return EXIT_HELP;
    default:
        return usage_refuse();
    }
}

int compare_options_parse(struct compare_command *command, int argc, char **argv)
{
    *command = (struct compare_command){.format = COMPARE_TEXT};
    report_options_init(&command->options, stdout);
    usage_begin(argv, "compare");
    for (int option, rc; (option = getopt_long(argc, argv, "f:o:p:n:ah", long_options, NULL)) != -1;)
        if ((rc = parse_one(command, option)) >= 0)
            return rc;
    if (argc - optind != 2) {
        fputs("coz compare: two profiles are to be named, the old one and the new one.\n", stderr);
        return usage_refuse();
    }
    command->profiles[0] = argv[optind];
    command->profiles[1] = argv[optind + 1];
    return GO_ON;
}
