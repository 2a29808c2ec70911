#include "cli/run_options.h"

#include "cli/options/option_value.h"
#include "cli/options/usage.h"
#include "cli/run/environment.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum {
    OPT_TARGET = 256,
    OPT_EXCLUDE,
    OPT_GRANULARITY,
    OPT_FIXED_LINE,
    OPT_FIXED_FUNCTION,
    OPT_FIXED_CALLSITE,
    OPT_FIXED_SPEEDUP,
    OPT_END_TO_END,
    OPT_AUTO_POINT,
    OPT_MIX,
    OPT_DURATION,
    OPT_RUNS,
    OPT_UNTIL_CI,
    OPT_SEED,
    OPT_PERIOD,
    OPT_SAMPLER,
    OPT_FOLLOW,
    OPT_FORMAT,
    OPT_LATE,
    OPT_LIVE,
    OPT_NO_BROWSER
};

static const struct option long_options[] = {
    {"output", required_argument, NULL, 'o'},
    {"binary-scope", required_argument, NULL, 'b'},
    {"source-scope", required_argument, NULL, 's'},
    {"target", required_argument, NULL, OPT_TARGET},
    {"exclude", required_argument, NULL, OPT_EXCLUDE},
    {"granularity", required_argument, NULL, OPT_GRANULARITY},
    {"fixed-line", required_argument, NULL, OPT_FIXED_LINE},
    {"fixed-function", required_argument, NULL, OPT_FIXED_FUNCTION},
    {"late", no_argument, NULL, OPT_LATE},
    {"fixed-callsite", required_argument, NULL, OPT_FIXED_CALLSITE},
    {"fixed-speedup", required_argument, NULL, OPT_FIXED_SPEEDUP},
    {"point", required_argument, NULL, 'p'},
    {"progress", required_argument, NULL, 'p'},
    {"auto-point", no_argument, NULL, OPT_AUTO_POINT},
    {"end-to-end", no_argument, NULL, OPT_END_TO_END},
    {"mix", no_argument, NULL, OPT_MIX},
    {"duration", required_argument, NULL, OPT_DURATION},
    {"runs", required_argument, NULL, OPT_RUNS},
    {"until-ci", required_argument, NULL, OPT_UNTIL_CI},
    {"seed", required_argument, NULL, OPT_SEED},
    {"period", required_argument, NULL, OPT_PERIOD},
    {"sampler", required_argument, NULL, OPT_SAMPLER},
    {"follow", required_argument, NULL, OPT_FOLLOW},
    {"profile-format", required_argument, NULL, OPT_FORMAT},
    {"live", optional_argument, NULL, OPT_LIVE},
    {"no-browser", no_argument, NULL, OPT_NO_BROWSER},
    {"verbose", no_argument, NULL, 'v'},
    {"quiet", no_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static int parse_positive(const char *option, const char *text, double *number)
{
    if (!option_number(text, number) || *number <= 0)
        return usage_complain(option, text, "must be a number above 0");
    return GO_ON;
}

static int parse_runs(struct series_options *series, const char *text)
{
    double number;
    int rc = parse_positive("--runs", text, &number);
    if (rc < 0 && (number != (unsigned)number || number > 1e6))
        return usage_complain("--runs", text, "must be a whole number, a million at most");
    series->runs = rc < 0 ? (unsigned)number : 0;
    return rc;
}

static int parse_width(struct series_options *series, const char *text)
{
    int rc = parse_positive("--until-ci", text, &series->until_width);
    if (rc < 0 && series->until_width > 200)
        return usage_complain("--until-ci", text,
                              "is wider than any answer; it is in percent points, 5 for one");
    return rc;
}

static int add_point(struct run_options *options, const char *text)
{
    struct session_options *session = &options->series.session;
    struct point_spec *spec = &options->points[session->point_count];
    struct coz_error err = {""};
    for (size_t i = 0; i < session->point_count; i++)
        if (strcmp(options->points[i].text, text) == 0)
            return usage_complain("-p", text, "is there already");
    if (session->point_count == RUN_POINTS)
        return usage_complain("-p", text, "too many progress points (32 at most)");
    if (point_spec_parse(text, spec, &err))
        return usage_complain("-p", text, err.text);
    if (spec->at.kind == PLACE_EXIT)
        session->end_to_end = options->series.whole_runs = true;
    else
        session->point_count++;
    return GO_ON;
}

static int parse_one(struct run_options *options, int option)
{
    struct session_options *session = &options->series.session;
    double number;
    int rc, word;
    switch (option) {
    case 'o':
        session->output = optarg;
        session->output_is_given = true;
        return GO_ON;
    case 'b':
        if (session->scope.binary_count == sizeof options->binaries / sizeof *options->binaries)
            return usage_complain("-b", optarg, "too many patterns (64 at most)");
        options->binaries[session->scope.binary_count++] = optarg;
        return GO_ON;
    case 's':
        if (session->scope.source_count == sizeof options->sources / sizeof *options->sources)
            return usage_complain("-s", optarg, "too many patterns (64 at most)");
        options->sources[session->scope.source_count++] = optarg;
        return GO_ON;
    case OPT_TARGET:
        return target_options_add(session, optarg);
    case OPT_EXCLUDE:
        return target_options_exclude(session, &options->excluded, optarg);
    case OPT_GRANULARITY:
        return target_options_granularity(session, "--granularity", optarg);
    case OPT_FIXED_LINE:
        return target_options_add_fixed(session, "--fixed-line", PART_LINE, optarg);
    case OPT_FIXED_FUNCTION:
        return target_options_add_fixed(session, "--fixed-function", PART_FUNCTION, optarg);
    case OPT_LATE:
        session->fixed.late = true;
        return GO_ON;
    case OPT_FIXED_CALLSITE:
        return target_options_add_fixed(session, "--fixed-callsite", PART_CALLSITE, optarg);
    case OPT_FIXED_SPEEDUP:
        if (!option_speedups(optarg, session->speedups, &session->speedup_count, SESSION_SPEEDUPS))
            return usage_complain("--fixed-speedup", optarg,
                                  "must be percent up to 100, or a range like 0-50:10");
        return GO_ON;
    case 'p':
        return add_point(options, optarg);
    case OPT_AUTO_POINT:
        session->auto_point = true;
        return GO_ON;
    case OPT_END_TO_END:
        session->end_to_end = true;
        return GO_ON;
    case OPT_MIX:
        session->mixes_builds = true;
        return GO_ON;
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
            return usage_complain("--period", optarg, "must be between 50 and 100000 microseconds");
        session->period_ns = rc < 0 ? (uint64_t)(number * 1000) : 0;
        return rc;
    case OPT_SAMPLER:
        session->sampler = option_sampler(optarg);
        return session->sampler == SAMPLER_NONE ? usage_complain("--sampler", optarg, "must be perf or timer")
                                                : GO_ON;
    case OPT_FOLLOW:
        /* In the order of enum segment_follow. */
        if ((word = option_word(optarg, (const char *const[]){"all", "fork", "none", NULL})) < 0)
            return usage_complain("--follow", optarg, "must be all, fork or none");
        session->follow = (enum segment_follow)word;
        return GO_ON;
    case OPT_FORMAT:
        if ((word = option_word(optarg, (const char *const[]){"jsonl", "coz", NULL})) < 0)
            return usage_complain("--profile-format", optarg, "must be jsonl or coz");
        session->format = word ? PROFILE_TAB_SEPARATED : PROFILE_JSON_LINES;
        return GO_ON;
    case OPT_LIVE:
        options->is_live = true;
        if (optarg && !option_port(optarg, &options->live_port))
            return usage_complain("--live", optarg, "must be a port, a whole number up to 65535, or nothing");
        return GO_ON;
    case OPT_NO_BROWSER:
        options->opens_browser = false;
        return GO_ON;
    case 'v':
        options->verbose = true;
        return GO_ON;
    case 'q':
        options->quiet = true;
        return GO_ON;
    case 'h':
        fputs(options->command->usage, stdout);
        return EXIT_HELP;
    default:
        return usage_refuse();
    }
}

int run_options_parse(struct run_options *options, const struct run_command *command, int argc, char **argv)
{
    static const int default_speedups[] = {250, 500, 750, 1000};
    memset(options, 0, sizeof *options);
    options->command = command;
    options->series.session.output = "profile.jsonl";
    options->series.session.period_ns = 500000;
    options->opens_browser = true;
    /* The original's separator is ---; getopt knows --. */
    int end = argc;
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "---") == 0) {
            end = i;
            break;
        }
    usage_begin(argv, command->name);
    int option, rc;
    while ((option = getopt_long(end, argv, "+o:b:s:p:qvh", long_options, NULL)) != -1)
        if ((rc = parse_one(options, option)) >= 0)
            return rc;
    struct scope_room room = {options->binaries, options->sources,
                              sizeof options->binaries / sizeof *options->binaries};
    if ((rc = environment_take(&options->series.session, &room)) >= 0)
        return rc;
    if ((rc = target_options_finish(&options->series.session)) >= 0)
        return rc;
    if (options->series.session.end_to_end && options->series.session.point_count)
        return usage_complain("-p", options->points[0].text,
                              "where whole runs are the unit (exit), nothing within them is; leave one out");
    if (optind < end && end < argc) {
        fprintf(stderr, "coz %s: '%s' before --- is not an option.\n", command->name, argv[optind]);
        return usage_refuse();
    }
    if (options->series.session.auto_point &&
        (options->series.session.end_to_end || options->series.session.point_count))
        return usage_complain("--auto-point", "with -p", "it is for when there is no progress point");
    options->program = argv + (end < argc ? end + 1 : optind);
    if (!*options->program && command->needs_program) {
        fputs("coz run: There is no program to run. Give it after three dashes: coz run --- ./program\n",
              stderr);
        return usage_refuse();
    }
    struct session_options *session = &options->series.session;
    session->scope.binaries = options->binaries;
    session->scope.sources = options->sources;
    session->points = options->points;
    session->scope.excluded_binaries = options->excluded.binaries;
    session->scope.excluded_sources = options->excluded.sources;
    session->scope.excluded_functions = options->excluded.functions;
    if (session->speedup_count == 0)
        for (size_t i = 0; i < sizeof default_speedups / sizeof *default_speedups; i++)
            session->speedups[session->speedup_count++] = default_speedups[i];
    return GO_ON;
}
