/* coz selftest: can this machine be trusted? */
#include "base/signals.h"
#include "cli/commands.h"
#include "cli/options/option_value.h"
#include "cli/options/usage.h"
#include "cli/selftest_words.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { EXIT_TRUSTED = 0, EXIT_NOT_TRUSTED = 1, EXIT_CANNOT = 126 };
enum { OPT_SAMPLER = 256 };

static const double default_seconds = 55, least_seconds = 4, most_seconds = 3600;

static const char usage[] =
    "Usage: coz selftest [OPTIONS]\n"
    "\n"
    "Profiles five small programs whose answers are known, and says what the profiles said beside what is\n"
    "true: what a line is worth when it takes half of its time. The truth is measured as well, by really\n"
    "cutting the line's work. So it tells whether profiles made on this machine, as it is now, can be trusted.\n"
    "\n"
    "  serial    one thread, two lines\n"
    "  forkjoin  two threads, and one waits for both\n"
    "  lock      two threads that hold a lock three quarters of the time\n"
    "  handover  two threads that wait for each other's turn\n"
    "  company   two threads that wait for each other, beside two that only sleep and wake\n"
    "\n"
    "An answer is right when it is within 5 points of the truth, and its 95 % interval at most 20 points wide.\n"
    "\n"
    "  -t, --seconds N           how long it may take, about (default 55, at least 4)\n"
    "      --sampler perf|timer  how to sample (default: timer)\n"
    "  -f, --format FORMAT       text (default) or json\n"
    "  -h, --help                this text\n"
    "\n"
    "Environment:\n"
    "  TMPDIR                    where to put the programs (default: /tmp, or another place that may hold programs)\n"
    "\n"
    "Exit status: 0 when all answers are right, 1 when not, 2 for wrong usage, 126 when it cannot be done,\n"
    "128 and the signal's number when it is interrupted.\n";

static volatile sig_atomic_t interrupts, last_signal;

static void on_signal(int number)
{
    interrupts = interrupts + 1;
    last_signal = number;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    signals_catch((const int[]){SIGINT, SIGTERM, SIGHUP, SIGQUIT}, 4, &action);
}

static int parse_one(int option, struct selftest_options *options, bool *json)
{
    int word;
    switch (option) {
    case 't':
        if (!option_number(optarg, &options->seconds) || options->seconds < least_seconds ||
            options->seconds > most_seconds)
            return usage_complain("--seconds", optarg, "must be a number from 4 to 3600");
        return GO_ON;
    case OPT_SAMPLER:
        options->sampler = option_sampler(optarg);
        return options->sampler == SAMPLER_NONE ? usage_complain("--sampler", optarg, "must be perf or timer")
                                                : GO_ON;
    case 'f':
        if ((word = option_word(optarg, (const char *const[]){"text", "json", NULL})) < 0)
            return usage_complain("--format", optarg, "must be text or json");
        *json = word == 1;
        return GO_ON;
    case 'h':
        fputs(usage, stdout);
        return EXIT_TRUSTED;
    default:
        return usage_refuse();
    }
}

/* Returns GO_ON, or the exit status. */
static int parse_options(int argc, char **argv, struct selftest_options *options, bool *json)
{
    static const struct option long_options[] = {{"seconds", required_argument, NULL, 't'},
                                                 {"sampler", required_argument, NULL, OPT_SAMPLER},
                                                 {"format", required_argument, NULL, 'f'},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {NULL, 0, NULL, 0}};
    usage_begin(argv, "selftest");
    for (int option, rc; (option = getopt_long(argc, argv, "t:f:h", long_options, NULL)) != -1;)
        if ((rc = parse_one(option, options, json)) >= 0)
            return rc;
    return optind < argc ? usage_complain("the argument", argv[optind], "only options are taken") : GO_ON;
}

static void on_progress(const char *program, unsigned number)
{
    if (isatty(STDERR_FILENO))
        fprintf(stderr, "\r\033[Kcoz: %s (%u of %d)", program, number, SELFTEST_PROGRAMS);
    fflush(stderr);
}

int cmd_selftest(int argc, char **argv)
{
    struct selftest_options options = {
        .seconds = default_seconds, .interrupts = &interrupts, .progress = on_progress};
    struct selftest selftest;
    struct coz_error err = {""};
    bool json = false;
    int rc = parse_options(argc, argv, &options, &json);
    if (rc >= 0)
        return rc;
    catch_signals();
    rc = selftest_run(&selftest, &options, &err);
    if (isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    if (rc == -EINTR && last_signal)
        return 128 + (int)last_signal;
    if (rc) {
        fprintf(stderr, "coz selftest: %s\n", err.text);
        return EXIT_CANNOT;
    }
    if (json)
        selftest_json(stdout, &selftest);
    else
        selftest_text(stdout, &selftest);
    return selftest.trusted ? EXIT_TRUSTED : EXIT_NOT_TRUSTED;
}
