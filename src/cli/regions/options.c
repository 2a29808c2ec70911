#include "cli/regions/options.h"

#include "base/clock.h"
#include "cli/options/option_value.h"
#include "cli/options/usage.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

enum {
    ITERATIONS = 10,
    MOST = 1000000,
    OPT_METHOD = 256,
    OPT_CSV,
    OPT_JSON,
    OPT_WARM_UPS,
    OPT_SEED,
    OPT_KEEP,
    OPT_NO_PROFILE
};

static const char usage[] =
    "Usage: coz regions [OPTIONS] -- PROGRAM [ARGUMENTS...]\n"
    "\n"
    "Runs a program again and again, which marks regions of its code with COZ_REGION_BEGIN and COZ_REGION_END\n"
    "(coz.h) and ends by itself, and tells how much longer it runs when a region takes 10 % more time, and how\n"
    "much shorter when it takes 10 % less. No debug information is needed. A table is printed after each iteration,\n"
    "which is a run for each region and percentage, in shuffled order; <coz_regions.h> tells what is in it, and\n"
    "what the methods do.\n"
    "\n"
    "  -n, --iterations N    so many iterations (default: 10)\n"
    "      --method METHOD   full: other threads wait for their overlap with the region; simple: all other\n"
    "                        regions are slowed, and compared with slowing all (default: full)\n"
    "  -p, --percent P       instead of +10, +5, -5, -10, -15 and -20; from -90 to 1000; repeatable\n"
    "  -o, --output FILE     add it to this profile, for `coz report` (default: regions.jsonl)\n"
    "      --no-profile      write none\n"
    "      --csv FILE        the table for other programs, written anew after each iteration\n"
    "      --json FILE       the same as JSON\n"
    "      --warm-ups N      runs before the first iteration, which find the regions (default: 1)\n"
    "      --keep-output     do not drop what the program prints to standard output\n"
    "      --seed N          repeat the order of the runs\n"
    "  -q, --quiet           no table and no progress\n"
    "  -h, --help            this text\n"
    "\n"
    "Exit status: 0 when an iteration or more was measured, 1 when none was, 2 for wrong usage.\n";

static const struct option long_options[] = {
    {"iterations", required_argument, NULL, 'n'},
    {"method", required_argument, NULL, OPT_METHOD},
    {"percent", required_argument, NULL, 'p'},
    {"output", required_argument, NULL, 'o'},
    {"no-profile", no_argument, NULL, OPT_NO_PROFILE},
    {"csv", required_argument, NULL, OPT_CSV},
    {"json", required_argument, NULL, OPT_JSON},
    {"warm-ups", required_argument, NULL, OPT_WARM_UPS},
    {"keep-output", no_argument, NULL, OPT_KEEP},
    {"seed", required_argument, NULL, OPT_SEED},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static int set_count(const char *option, unsigned *count)
{
    uint64_t number;
    if (!option_whole(optarg, &number) || number < 1 || number > MOST)
        return usage_complain(option, optarg, "must be a whole number from 1 to a million");
    *count = (unsigned)number;
    return GO_ON;
}

static int add_percent(struct regions_command *command)
{
    double percent;
    if (!option_number(optarg, &percent) || percent < -90 || percent > 1000 || percent == 0)
        return usage_complain("--percent", optarg, "must be a number from -90 to 1000, and not 0");
    if (command->percent_count == REGIONS_PERCENTS)
        return usage_complain("--percent", optarg, "there are too many (64 at most)");
    for (size_t i = 0; i < command->percent_count; i++)
        if (command->percents[i] == percent)
            return GO_ON;
    command->percents[command->percent_count++] = percent;
    return GO_ON;
}

static int parse_one(struct regions_command *command, int option)
{
    static const char *const methods[] = {"full", "simple", NULL};
    struct campaign_options *campaign = &command->campaign;
    switch (option) {
    case 'n':
        return set_count("--iterations", &campaign->iterations);
    case OPT_WARM_UPS:
        return set_count("--warm-ups", &campaign->warm_ups);
    case OPT_METHOD:
        if (option_word(optarg, methods) < 0)
            return usage_complain("--method", optarg, "must be full or simple");
        command->is_simple = option_word(optarg, methods) == 1;
        return GO_ON;
    case 'p':
        return add_percent(command);
    case 'o':
        command->profile = optarg;
        return GO_ON;
    case OPT_NO_PROFILE:
        command->profile = NULL;
        return GO_ON;
    case OPT_CSV:
        campaign->csv = optarg;
        return GO_ON;
    case OPT_JSON:
        campaign->json = optarg;
        return GO_ON;
    case OPT_KEEP:
        command->keeps_output = true;
        return GO_ON;
    case OPT_SEED:
        if (!option_whole(optarg, &campaign->seed) || campaign->seed == 0)
            return usage_complain("--seed", optarg, "must be a whole number above 0");
        return GO_ON;
    case 'q':
        campaign->is_quiet = true;
        return GO_ON;
    case 'h':
        fputs(usage, stdout);
        return EXIT_HELP;
    default:
        return usage_refuse();
    }
}

/* `coz run` has three dashes before the program, and these are no option here either. */
static void accept_three_dashes(int argc, char **argv)
{
    static char two[] = "--";
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "---") == 0) {
            argv[i] = two;
            return;
        }
}

int regions_options_parse(struct regions_command *command, int argc, char **argv)
{
    static const double usual[] = {10, 5, -5, -10, -15, -20};
    *command = (struct regions_command){.profile = "regions.jsonl"};
    command->campaign = (struct campaign_options){
        .iterations = ITERATIONS, .warm_ups = 1, .seed = clock_wall_ns(), .out = stderr, .call = "run"};
    usage_begin(argv, "regions");
    accept_three_dashes(argc, argv);
    for (int option; (option = getopt_long(argc, argv, "+n:p:o:qh", long_options, NULL)) != -1;) {
        int code = parse_one(command, option);
        if (code != GO_ON)
            return code;
    }
    if (optind == argc) {
        fputs("coz regions: no program is named: coz regions [OPTIONS] -- PROGRAM [ARGUMENTS...]\n", stderr);
        return usage_refuse();
    }
    if (command->percent_count == 0) {
        memcpy(command->percents, usual, sizeof usual);
        command->percent_count = sizeof usual / sizeof *usual;
    }
    command->program = argv + optind;
    return GO_ON;
}
