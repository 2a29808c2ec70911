#include "cli/verify/options.h"

#include "cli/options/option_value.h"
#include "cli/options/usage.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <unistd.h>

enum {
    OPT_BEFORE = 256,
    OPT_AFTER,
    OPT_AFTER_LINE,
    OPT_ROUNDS,
    OPT_SECONDS,
    OPT_SEED,
    OPT_LEDGER,
    OPT_NO_LEDGER
};

static const char usage[] =
    "Usage: coz verify --before 'COMMAND' --after 'COMMAND' [OPTIONS] [PROFILE]\n"
    "\n"
    "Runs both builds of a program in turn, and tells what its progress really gained, how much faster the\n"
    "line became, and what PROFILE (profile.jsonl, if there is one) had promised for that much.\n"
    "\n"
    "In each round each build runs twice, in an order that is drawn anew: natively, with nothing but the\n"
    "visits of its progress points counted; and sampled, to see what the line costs. A program that does\n"
    "not end by itself is ended (SIGTERM). What the programs print to standard output is dropped.\n"
    "\n"
    "      --before 'COMMAND'     the program as it was, with its arguments; in words, as a shell reads them\n"
    "      --after 'COMMAND'      the program as it is now\n"
    "  -l, --line LINE            the line of the old build (FILE:LINE), or function, that was changed; or\n"
    "                             several, LINE+LINE, if PROFILE tried them at once\n"
    "                             (default: what PROFILE ranks first, if it improves)\n"
    "      --after-line LINE      the same in the new build (default: found by function and text)\n"
    "  -p, --point NAME           the progress point (default: the one of PROFILE's answer, or the busiest)\n"
    "      --rounds N             so many rounds, 3 at least (default: 8)\n"
    "      --seconds S            all runs together last so long, about (default: 60)\n"
    "  -s, --source-scope GLOB    only lines of these sources, as of coz run; repeatable\n"
    "  -b, --binary-scope GLOB    programs and libraries that hold them, as of coz run; repeatable\n"
    "      --ledger FILE          add what comes of it to this file (default: coz-verified.jsonl beside\n"
    "                             PROFILE), from which `coz report` tells it\n"
    "      --no-ledger            do not\n"
    "      --seed N               repeat the order of the runs\n"
    "  -h, --help                 this text\n"
    "\n"
    "x % faster means that it takes x % less time. Intervals are 95 % sure, by a bootstrap over the rounds.\n"
    "\n"
    "Exit status: 0 when progress gained, and as much as PROFILE promised, if it did: both intervals allow\n"
    "for the same; 1 when no gain is shown, or less than promised; 2 for wrong usage; 3 when it could not be\n"
    "measured.\n";

static const struct option long_options[] = {
    {"before", required_argument, NULL, OPT_BEFORE},
    {"after", required_argument, NULL, OPT_AFTER},
    {"line", required_argument, NULL, 'l'},
    {"after-line", required_argument, NULL, OPT_AFTER_LINE},
    {"point", required_argument, NULL, 'p'},
    {"rounds", required_argument, NULL, OPT_ROUNDS},
    {"seconds", required_argument, NULL, OPT_SECONDS},
    {"source-scope", required_argument, NULL, 's'},
    {"binary-scope", required_argument, NULL, 'b'},
    {"ledger", required_argument, NULL, OPT_LEDGER},
    {"no-ledger", no_argument, NULL, OPT_NO_LEDGER},
    {"seed", required_argument, NULL, OPT_SEED},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* Where each run would be shorter than that, hardly any program has begun. */
#define SECONDS_LEAST 0.25

static bool read_number(const char *text, double least, double most, double *number)
{
    return option_number(text, number) && *number >= least && *number <= most;
}

static int add_pattern(const char **patterns, size_t *count, const char *pattern)
{
    if (*count == 64)
        return usage_complain("--source-scope or --binary-scope", pattern, "too many patterns (64 at most)");
    patterns[(*count)++] = pattern;
    return GO_ON;
}

static int parse_one(struct verify_command *command, int option)
{
    struct verify_options *options = &command->options;
    double number;
    switch (option) {
    case OPT_BEFORE:
        command->before = optarg;
        return GO_ON;
    case OPT_AFTER:
        command->after = optarg;
        return GO_ON;
    case 'l':
        options->line = optarg;
        return GO_ON;
    case OPT_AFTER_LINE:
        options->after_line = optarg;
        return GO_ON;
    case 'p':
        options->point = optarg;
        return GO_ON;
    case OPT_ROUNDS:
        if (!read_number(optarg, VERIFY_ROUNDS_LEAST, VERIFY_ROUNDS_MOST, &number) || number != floor(number))
            return usage_complain("--rounds", optarg, "must be a whole number from 3 to 1000");
        options->rounds = (unsigned)number;
        return GO_ON;
    case OPT_SECONDS:
        if (!read_number(optarg, 1, 1e6, &options->seconds))
            return usage_complain("--seconds", optarg, "must be a number from 1 to a million");
        return GO_ON;
    case OPT_SEED:
        if (!read_number(optarg, 1, 1e15, &number))
            return usage_complain("--seed", optarg, "must be a number above 0");
        options->seed = (uint64_t)number;
        return GO_ON;
    case 's':
        return add_pattern(command->sources, &options->scope.source_count, optarg);
    case 'b':
        return add_pattern(command->binaries, &options->scope.binary_count, optarg);
    case OPT_LEDGER:
        command->ledger = optarg;
        return GO_ON;
    case OPT_NO_LEDGER:
        command->keeps = false;
        return GO_ON;
    case 'h':
        fputs(usage, stdout);
        return EXIT_HELP;
    default:
        return usage_refuse();
    }
}

/* As a shell takes it apart; but it runs one program, and nothing else. */
static int split_words(wordexp_t *words, const char *option, const char *text)
{
    int rc = wordexp(text, words, WRDE_NOCMD);
    if (rc == 0 && words->we_wordc > 0)
        return GO_ON;
    if (rc == WRDE_BADCHAR)
        return usage_complain(
            option, text, "is more than one program with its arguments; put it into a script, and name that");
    return usage_complain(option, text,
                          rc ? "cannot be read as words, for a quote is open or a command is run in it"
                             : "names no program");
}

static int take_commands(struct verify_command *command)
{
    if (!command->before || !command->after) {
        fputs("coz verify: There are two builds to compare: name them with --before and --after.\n", stderr);
        return usage_refuse();
    }
    int rc = split_words(&command->words[0], "--before", command->before);
    if (rc < 0)
        rc = split_words(&command->words[1], "--after", command->after);
    command->options.before = command->words[0].we_wordv;
    command->options.after = command->words[1].we_wordv;
    return rc;
}

int verify_options_parse(struct verify_command *command, int argc, char **argv)
{
    *command = (struct verify_command){.options = {.rounds = 8, .seconds = 60}, .keeps = true};
    struct verify_options *options = &command->options;
    options->scope.binaries = command->binaries;
    options->scope.sources = command->sources;
    usage_begin(argv, "verify");
    for (int option, rc; (option = getopt_long(argc, argv, "l:p:s:b:h", long_options, NULL)) != -1;)
        if ((rc = parse_one(command, option)) >= 0)
            return rc;
    if (argc - optind > 1)
        return usage_complain("PROFILE", argv[optind + 1], "there can be one only");
    if (options->seconds / options->rounds / 4 < SECONDS_LEAST) {
        fprintf(
            stderr,
            "coz verify: In %g seconds there is no room for four runs in each of %u rounds; give it %g or more, or fewer rounds.\n",
            options->seconds, options->rounds, 4 * SECONDS_LEAST * options->rounds);
        return usage_refuse();
    }
    if (optind < argc)
        options->profile = argv[optind];
    else if (access("profile.jsonl", F_OK) == 0)
        options->profile = "profile.jsonl";
    return take_commands(command);
}

void verify_options_release(struct verify_command *command)
{
    for (int i = 0; i < 2; i++)
        if (command->words[i].we_wordv)
            wordfree(&command->words[i]);
}
