#include "cli/run_options.h"

#include "cli/option_value.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum {
    OPT_GRANULARITY = 256,
    OPT_FIXED_LINE,
    OPT_FIXED_FUNCTION,
    OPT_FIXED_CALLSITE,
    OPT_FIXED_SPEEDUP,
    OPT_END_TO_END,
    OPT_DURATION,
    OPT_RUNS,
    OPT_UNTIL_CI,
    OPT_SEED,
    OPT_PERIOD,
    OPT_SAMPLER,
    OPT_FOLLOW,
    OPT_FORMAT,
    OPT_LATE
};

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"binary-scope", required_argument, NULL, 'b'},
    {"source-scope", required_argument, NULL, 's'},
    {"granularity", required_argument, NULL, OPT_GRANULARITY},
    {"fixed-line", required_argument, NULL, OPT_FIXED_LINE},
    {"fixed-function", required_argument, NULL, OPT_FIXED_FUNCTION},
    {"late", no_argument, NULL, OPT_LATE},
    {"fixed-callsite", required_argument, NULL, OPT_FIXED_CALLSITE},
    {"fixed-speedup", required_argument, NULL, OPT_FIXED_SPEEDUP},
    {"end-to-end", no_argument, NULL, OPT_END_TO_END},
    {"duration", required_argument, NULL, OPT_DURATION},
    {"runs", required_argument, NULL, OPT_RUNS},
    {"until-ci", required_argument, NULL, OPT_UNTIL_CI},
    {"seed", required_argument, NULL, OPT_SEED},
    {"period", required_argument, NULL, OPT_PERIOD},
    {"sampler", required_argument, NULL, OPT_SAMPLER},
    {"follow", required_argument, NULL, OPT_FOLLOW},
    {"profile-format", required_argument, NULL, OPT_FORMAT},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static const char usage[] =
    "usage: coz run [OPTIONS] --- PROGRAM [ARGUMENTS...]      (-- will do too)\n"
    "\n"
    "Runs the program, and finds out which of its lines, or functions, are worth making faster.\n"
    "The program needs progress points (see coz.h) and debug information (-g); for functions its symbols "
    "do.\n"
    "\n"
    "  -o, --output FILE          where to write the profile (default profile.jsonl; appends)\n"
    "  -s, --source-scope GLOB    only lines of these sources are targets; % matches anything; repeatable\n"
    "  -b, --binary-scope GLOB    programs and libraries that hold targets; MAIN is the program; repeatable\n"
    "      --granularity WHAT     what a target is: line (default), function (with all that it calls; the\n"
    "                             default for programs without lines), or callsite (a line, called from\n"
    "                             another)\n"
    "      --fixed-line FILE:LINE only this target; repeatable\n"
    "      --fixed-function NAME  only this function, or all of that name; repeatable; the last part of the\n"
    "                             name will do, and it may leave out the parameters (ns::Class::method)\n"
    "      --late                 the named functions may come later, with generated code or a library: "
    "wait\n"
    "      --fixed-callsite 'FILE:LINE <- FILE:LINE'\n"
    "                             only this line where it is called from that one; repeatable\n"
    "      --fixed-speedup N      only this speedup, in percent; a range is FROM-TO:STEP; repeatable;\n"
    "                             below zero the line is made slower\n"
    "      --end-to-end           the whole run is one experiment; run it many times (--runs)\n"
    "      --duration SECONDS     end the program after that long, all runs together\n"
    "      --runs N               run a program that ends again, N times at most; all of it goes into one\n"
    "                             profile. A run that fails is the last\n"
    "      --until-ci WIDTH       end when the leaders are known well enough: when their 95 % intervals are\n"
    "                             at most WIDTH percent points wide, from the lower to the upper end, as\n"
    "                             far as chance makes them so. The leaders of a progress point are the\n"
    "                             three lines whose intervals reach highest, and that may so be the best.\n"
    "                             Each must rest on 5 windows or more at every speedup. A program that\n"
    "                             ends before is run again (unless --runs says otherwise: 1000 times at\n"
    "                             most); earlier runs in the profile count\n"
    "      --seed N               for the choice of experiments (default: from the clock)\n"
    "      --period US            CPU time between samples, in microseconds (default 500)\n"
    "      --sampler perf|timer   how to sample (default: timer)\n"
    "      --follow all|fork|none which of its processes to profile: all, not what its children execute, or\n"
    "                             only the first one (default all)\n"
    "      --profile-format jsonl|coz   coz: the original's older tab-separated form\n"
    "  -v, --verbose              tell more\n"
    "  -h, --help\n";

static int complain(const char *option, const char *value, const char *remedy)
{
    fprintf(stderr, "coz run: %s %s: %s\n", option, value, remedy);
    return 2;
}

static int parse_positive(const char *option, const char *text, double *number)
{
    if (!option_number(text, number) || *number <= 0)
        return complain(option, text, "must be a number above 0");
    return -1;
}

static int parse_runs(struct series_options *series, const char *text)
{
    double number;
    int rc = parse_positive("--runs", text, &number);
    if (rc < 0 && (number != (unsigned)number || number > 1e6))
        return complain("--runs", text, "must be a whole number, a million at most");
    series->runs = rc < 0 ? (unsigned)number : 0;
    return rc;
}

static int parse_width(struct series_options *series, const char *text)
{
    int rc = parse_positive("--until-ci", text, &series->until_width);
    if (rc < 0 && series->until_width > 200)
        return complain("--until-ci", text, "is wider than any answer; it is in percent points, 5 for one");
    return rc;
}

static int parse_granularity(struct session_options *session, const char *text)
{
    int kind = option_word(text, (const char *const[]){"line", "function", "callsite", NULL});
    if (kind < 0)
        return complain("--granularity", text, "must be line, function or callsite");
    session->granularity = (enum granularity)kind;
    session->granularity_is_given = true;
    return -1;
}

static bool is_well_formed(enum granularity kind, const char *name)
{
    return kind == GRANULARITY_FUNCTION ? *name != '\0' : strrchr(name, ':') != NULL;
}

/* All of one kind, and that is then the granularity. */
static int add_fixed(struct run_options *options, enum granularity kind, const char *name)
{
    static const char *const names[] = {"--fixed-line", "--fixed-function", "--fixed-callsite"};
    static const char *const forms[] = {"must be FILE:LINE, 64 times at most",
                                        "must be a name, 64 times at most",
                                        "must be 'FILE:LINE <- FILE:LINE', 64 times at most"};
    struct fixed_targets *fixed = &options->series.session.fixed;
    if (fixed->count == FIXED_MOST || !is_well_formed(kind, name))
        return complain(names[kind], name, forms[kind]);
    if (fixed->count > 0 && options->fixed_kind != kind)
        return complain(names[kind], name, "a run has targets of one kind only");
    options->fixed_kind = kind;
    fixed->names[fixed->count++] = name;
    return -1;
}

/* Named targets say what the granularity is. */
static int settle_granularity(struct run_options *options)
{
    struct session_options *session = &options->series.session;
    if (session->fixed.late && (session->fixed.count == 0 || options->fixed_kind != GRANULARITY_FUNCTION))
        return complain("--late", "alone", "it is for --fixed-function");
    if (session->fixed.late && session->end_to_end)
        return complain("--late", "with --end-to-end", "a whole run cannot wait for its target");
    if (session->fixed.count == 0)
        return -1;
    if (session->granularity_is_given && session->granularity != options->fixed_kind)
        return complain("--granularity", "with targets of another kind", "leave one of them out");
    session->granularity = options->fixed_kind;
    return -1;
}

static int parse_one(struct run_options *options, int option)
{
    struct session_options *session = &options->series.session;
    double number;
    int rc, word;
    switch (option) {
    case 'o':
        session->output = optarg;
        return -1;
    case 'b':
        if (session->scope.binary_count == sizeof options->binaries / sizeof *options->binaries)
            return complain("-b", optarg, "too many patterns (64 at most)");
        options->binaries[session->scope.binary_count++] = optarg;
        return -1;
    case 's':
        if (session->scope.source_count == sizeof options->sources / sizeof *options->sources)
            return complain("-s", optarg, "too many patterns (64 at most)");
        options->sources[session->scope.source_count++] = optarg;
        return -1;
    case OPT_GRANULARITY:
        return parse_granularity(session, optarg);
    case OPT_FIXED_LINE:
        return add_fixed(options, GRANULARITY_LINE, optarg);
    case OPT_FIXED_FUNCTION:
        return add_fixed(options, GRANULARITY_FUNCTION, optarg);
    case OPT_LATE:
        session->fixed.late = true;
        return -1;
    case OPT_FIXED_CALLSITE:
        return add_fixed(options, GRANULARITY_CALLSITE, optarg);
    case OPT_FIXED_SPEEDUP:
        if (!option_speedups(optarg, session->speedups, &session->speedup_count, SESSION_SPEEDUPS))
            return complain("--fixed-speedup", optarg, "must be percent up to 100, or a range like 0-50:10");
        return -1;
    case OPT_END_TO_END:
        session->end_to_end = true;
        return -1;
    case OPT_DURATION:
        return parse_positive("--duration", optarg, &session->duration_s);
    case OPT_RUNS:
        return parse_runs(&options->series, optarg);
    case OPT_UNTIL_CI:
        return parse_width(&options->series, optarg);
    case OPT_SEED:
        rc = parse_positive("--seed", optarg, &number);
        session->seed = rc < 0 ? (uint64_t)number : 0;
        return rc;
    case OPT_PERIOD:
        rc = parse_positive("--period", optarg, &number);
        if (rc < 0 && (number < 50 || number > 100000))
            return complain("--period", optarg, "must be between 50 and 100000 microseconds");
        session->period_ns = rc < 0 ? (uint64_t)(number * 1000) : 0;
        return rc;
    case OPT_SAMPLER:
        session->sampler = option_sampler(optarg);
        return session->sampler == SAMPLER_NONE ? complain("--sampler", optarg, "must be perf or timer") : -1;
    case OPT_FOLLOW:
        /* In the order of enum segment_follow. */
        if ((word = option_word(optarg, (const char *const[]){"all", "fork", "none", NULL})) < 0)
            return complain("--follow", optarg, "must be all, fork or none");
        session->follow = (enum segment_follow)word;
        return -1;
    case OPT_FORMAT:
        if ((word = option_word(optarg, (const char *const[]){"jsonl", "coz", NULL})) < 0)
            return complain("--profile-format", optarg, "must be jsonl or coz");
        session->format = word ? PROFILE_TAB_SEPARATED : PROFILE_JSON_LINES;
        return -1;
    case 'v':
        options->verbose = true;
        return -1;
    case 'h':
        fputs(usage, stdout);
        return 0;
    default:
        fputs("coz run --help tells the options\n", stderr);
        return 2;
    }
}

int run_options_parse(struct run_options *options, int argc, char **argv)
{
    static const int default_speedups[] = {250, 500, 750, 1000};
    memset(options, 0, sizeof *options);
    options->series.session.output = "profile.jsonl";
    options->series.session.period_ns = 500000;
    /* The original's separator is ---; getopt knows --. */
    int end = argc;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "---") == 0) {
            end = i;
            break;
        }
    static char name[] = "coz run"; /* getopt's complaints begin with it */
    argv[0] = name;
    int option, rc;
    while ((option = getopt_long(end, argv, "+o:b:s:vh", long_options, NULL)) != -1)
        if ((rc = parse_one(options, option)) >= 0)
            return rc;
    if ((rc = settle_granularity(options)) >= 0)
        return rc;
    if (optind < end && end < argc)
        return complain("", argv[optind], "unexpected before ---");
    options->program = argv + (end < argc ? end + 1 : optind);
    if (!*options->program) {
        fputs("coz run: no program given: coz run [OPTIONS] --- PROGRAM [ARGUMENTS...]\n", stderr);
        return 2;
    }
    struct session_options *session = &options->series.session;
    session->scope.binaries = options->binaries;
    session->scope.sources = options->sources;
    if (session->speedup_count == 0)
        for (size_t i = 0; i < sizeof default_speedups / sizeof *default_speedups; i++)
            session->speedups[session->speedup_count++] = default_speedups[i];
    return -1;
}
