/* coz report: what the windows of one or several profiles say. */
#include "cli/commands.h"
#include "cli/option_value.h"

#include "profile/reader.h"
#include "report/report.h"
#include "stats/answers/analysis.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXIT_ANSWERS = 0, EXIT_NO_ANSWERS = 1, EXIT_USAGE = 2 };
enum { PROBLEMS_SHOWN = 5 };

static const char usage[] =
    "Usage: coz report [options] [PROFILE...]\n"
    "\n"
    "Ranks what `coz run` measured: by how much the program gets faster when a line does.\n"
    "Reads profile.jsonl when no PROFILE is named, standard input for -; several are taken together.\n"
    "\n"
    "  -f, --format FORMAT  text (default), json, or csv\n"
    "  -p, --point NAME     only what concerns this progress point\n"
    "      --pid PID        only what this process of the tree did; all together unless said\n"
    "  -n, --top N          at most N lines for each point (default: 20; 0: no limit)\n"
    "  -a, --all            also lines without enough data, and all that is left out\n"
    "  -h, --help           this text\n"
    "\n"
    "Exit status: 0 when there are answers, 1 when there are none, 2 for wrong usage.\n";

enum format { FORMAT_TEXT, FORMAT_JSON, FORMAT_CSV };

enum { OPT_PID = 256 };

struct reading {
    struct analysis *analysis;
    uint64_t records;
    uint64_t problems;
    uint64_t pid;    /* 0: all processes */
    uint64_t of_pid; /* points that the process visited */
};

static int on_latency_of_process(struct reading *reading, const struct profile_record *record)
{
    struct profile_record part = {.type = PROFILE_LATENCY};
    if (record->process_latency.pid != reading->pid)
        return 0;
    reading->of_pid++;
    part.latency.name = record->process_latency.name;
    part.latency.arrivals = record->process_latency.arrivals;
    part.latency.departures = record->process_latency.departures;
    part.latency.difference = record->process_latency.difference;
    part.latency.elapsed_ns = record->process_latency.elapsed_ns;
    return analysis_add(reading->analysis, &part);
}

/* Of a tree's points, one process's part; the time of a throughput point's is the window's. */
static int on_record_of_process(struct reading *reading, const struct profile_record *record)
{
    struct profile_record part = {.type = PROFILE_THROUGHPUT};
    if (record->type == PROFILE_THROUGHPUT || record->type == PROFILE_LATENCY)
        return 0;
    if (record->type == PROFILE_PROCESS_LATENCY)
        return on_latency_of_process(reading, record);
    if (record->type != PROFILE_PROCESS_POINT)
        return analysis_add(reading->analysis, record);
    if (record->process_point.pid != reading->pid)
        return 0;
    reading->of_pid++;
    part.throughput.name = record->process_point.name;
    part.throughput.delta = record->process_point.delta;
    return analysis_add(reading->analysis, &part);
}

static int on_record(void *context, const struct profile_record *record)
{
    struct reading *reading = context;
    reading->records++;
    return reading->pid ? on_record_of_process(reading, record) : analysis_add(reading->analysis, record);
}

static void on_problem(void *context, const struct profile_problem *problem)
{
    struct reading *reading = context;
    if (reading->problems++ >= PROBLEMS_SHOWN)
        return;
    fprintf(stderr, "coz report: %s:%zu:", problem->path, problem->line);
    if (problem->column > 0)
        fprintf(stderr, "%zu:", problem->column);
    /* The words may quote the line, which may hold anything. */
    putc(' ', stderr);
    for (const char *c = problem->what; *c; c++)
        putc((unsigned char)*c < 0x20 || *c == 0x7f ? '?' : *c, stderr);
    putc('\n', stderr);
}

static int usage_error(void)
{
    fputs("Try `coz report --help`.\n", stderr);
    return EXIT_USAGE;
}

/* Returns -1 to go on, or the exit status. */
static int parse_options(int argc, char **argv, struct report_options *options, enum format *format,
                         uint64_t *pid)
{
    static const struct option long_options[] = {{"format", required_argument, NULL, 'f'},
                                                 {"point", required_argument, NULL, 'p'},
                                                 {"top", required_argument, NULL, 'n'},
                                                 {"all", no_argument, NULL, 'a'},
                                                 {"pid", required_argument, NULL, OPT_PID},
                                                 {"help", no_argument, NULL, 'h'},
                                                 {NULL, 0, NULL, 0}};
    static const char *const formats[] = {"text", "json", "csv", NULL};
    for (int option; (option = getopt_long(argc, argv, "f:p:n:ah", long_options, NULL)) != -1;) {
        char *end;
        int word;
        switch (option) {
        case 'f':
            if ((word = option_word(optarg, formats)) < 0) {
                fprintf(stderr, "coz report: there is no format `%s`; there are text, json and csv.\n",
                        optarg);
                return usage_error();
            }
            *format = (enum format)word;
            break;
        case 'p':
            options->point = optarg;
            break;
        case 'n':
            errno = 0;
            options->top = strtoul(optarg, &end, 10);
            if (*optarg < '0' || *optarg > '9' || *end || errno) {
                fprintf(stderr, "coz report: --top wants a whole number, not `%s`.\n", optarg);
                return usage_error();
            }
            break;
        case OPT_PID:
            *pid = strtoull(optarg, &end, 10);
            if (!*pid || *end) {
                fprintf(stderr, "coz report: --pid wants a process number, not `%s`.\n", optarg);
                return usage_error();
            }
            break;
        case 'a':
            options->all = true;
            break;
        case 'h':
            fputs(usage, stdout);
            return EXIT_ANSWERS;
        default:
            return usage_error();
        }
    }
    return -1;
}

static int read_profile(const char *path, struct reading *reading)
{
    struct profile_visitor visitor = {on_record, on_problem, reading};
    struct coz_error error;
    int code = profile_read(path, &visitor, &error);
    /* What one file ends with does not go on in the next. */
    if (code == 0)
        code = analysis_finish(reading->analysis);
    else
        fprintf(stderr, "coz report: %s\n", error.text);
    if (code == -ENOENT)
        fputs("Make a profile with `coz run --- PROGRAM ARGUMENTS`, or name one that exists.\n", stderr);
    return code;
}

static int print(struct analysis *analysis, const struct report_options *options, enum format format)
{
    struct coz_error error;
    size_t answers = report_answers(analysis, options);
    if (format == FORMAT_JSON && report_json(stdout, analysis, options, &error) < 0) {
        fprintf(stderr, "coz report: %s\n", error.text);
        return EXIT_NO_ANSWERS;
    }
    if (format == FORMAT_CSV)
        report_csv(stdout, analysis, options);
    if (format == FORMAT_TEXT && (answers > 0 || analysis_windows(analysis) > 0))
        report_text(stdout, analysis, options);
    if (answers == 0)
        report_explain(format == FORMAT_TEXT ? stdout : stderr, analysis, options);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        fprintf(stderr, "coz report: cannot write: %s\n", strerror(errno));
        return EXIT_NO_ANSWERS;
    }
    return answers > 0 ? EXIT_ANSWERS : EXIT_NO_ANSWERS;
}

int cmd_report(int argc, char **argv)
{
    static char default_path[] = "profile.jsonl";
    char *default_paths[] = {default_path};
    struct report_options options;
    enum format format = FORMAT_TEXT;
    report_options_init(&options, stdout);
    struct reading reading = {.pid = 0};
    int status = parse_options(argc, argv, &options, &format, &reading.pid);
    if (status >= 0)
        return status;
    char **paths = optind < argc ? argv + optind : default_paths;
    int path_count = optind < argc ? argc - optind : 1;

    reading.analysis = analysis_new();
    int code = reading.analysis ? 0 : -ENOMEM;
    for (int i = 0; i < path_count && code == 0; i++)
        code = read_profile(paths[i], &reading);
    if (reading.problems > PROBLEMS_SHOWN)
        fprintf(stderr, "coz report: ... and %" PRIu64 " more lines that could not be used.\n",
                reading.problems - PROBLEMS_SHOWN);
    if (code == -ENOMEM)
        fputs("coz report: out of memory\n", stderr);
    if (reading.pid && !reading.of_pid && code == 0)
        fprintf(stderr,
                "coz report: no window has visits of process %" PRIu64
                "; profiles of several processes list theirs in records of type `process`.\n",
                reading.pid);
    status = code == 0 ? print(reading.analysis, &options, format) : EXIT_NO_ANSWERS;
    analysis_free(reading.analysis);
    return status;
}
