#include "cli/advice/suggest_options.h"

#include "cli/options/usage.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPT_KIND = 256, OPT_HINT, OPT_MOST, OPT_INCLUDE, OPT_EXCLUDE, OPT_APPLY };
enum { POINTS_USUAL = 5, POINTS_MOST = 50 };

static const char usage[] =
    "Usage: coz suggest-points [OPTIONS] PATH...\n"
    "\n"
    "Has a language model propose where progress points belong in these sources of C or C++ (folders are searched),\n"
    "and shows it as a diff: of what compiles, as far as that can be tried. Before anything leaves this machine it\n"
    "is said how much goes where, and asked; so it is before a file is changed.\n"
    "\n"
    "      --kind KIND      throughput (default): COZ_PROGRESS_NAMED; or latency: COZ_BEGIN and COZ_END\n"
    "      --hint TEXT      what you know: \"a unit of work is one HTTP request\"\n"
    "      --max-points N   at most N points, or pairs (default: 5)\n"
    "      --include GLOB   only files whose path matches this; repeatable\n"
    "      --exclude GLOB   no file whose path matches this; repeatable\n"
    "      --apply          change the files without asking again\n" ASKING_USAGE
    "  -h, --help           this text\n"
    "\n"
    "Environment:\n" ASKING_ENVIRONMENT
    "  CC, CXX              the compilers that it is tried with, by the flags in compile_commands.json if there is\n"
    "                       one: cc and c++ unless set\n"
    "\n"
    "Exit status: 0 when points were proposed (or only shown what would be sent), 1 when not, 2 for wrong usage.\n";

static const struct option long_options[] = {ASKING_LONG_OPTIONS,
                                             {"kind", required_argument, NULL, OPT_KIND},
                                             {"hint", required_argument, NULL, OPT_HINT},
                                             {"max-points", required_argument, NULL, OPT_MOST},
                                             {"include", required_argument, NULL, OPT_INCLUDE},
                                             {"exclude", required_argument, NULL, OPT_EXCLUDE},
                                             {"apply", no_argument, NULL, OPT_APPLY},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

static int parse_kind(struct suggest_command *command, const char *text)
{
    bool is_latency = strcmp(text, "latency") == 0;
    if (!is_latency && strcmp(text, "throughput") != 0) {
        fprintf(stderr, "coz suggest-points: --kind wants throughput or latency, not `%s`.\n", text);
        return usage_refuse();
    }
    command->request.kind = is_latency ? POINTS_LATENCY : POINTS_THROUGHPUT;
    return GO_ON;
}

static int parse_one(struct suggest_command *command, int option, size_t room)
{
    switch (option) {
    case OPT_KIND:
        return parse_kind(command, optarg);
    case OPT_HINT:
        command->request.hint = optarg;
        return GO_ON;
    case OPT_MOST:
        if (!asking_whole(optarg, POINTS_MOST, &command->request.most)) {
            fprintf(stderr, "coz suggest-points: --max-points wants a number from 1 to %d, not `%s`.\n",
                    POINTS_MOST, optarg);
            return usage_refuse();
        }
        return GO_ON;
    case OPT_INCLUDE:
        command->globs[command->choice.include_count++] = optarg;
        return GO_ON;
    case OPT_EXCLUDE:
        command->globs[room + command->choice.exclude_count++] = optarg;
        return GO_ON;
    case OPT_APPLY:
        command->applies = true;
        return GO_ON;
    case 'h':
        fputs(usage, stdout);
        return EXIT_HELP;
    case '?':
        return usage_refuse();
    default:
        return asking_option(&command->asking, option, optarg) ? GO_ON : usage_refuse();
    }
}

int suggest_options_parse(struct suggest_command *command, int argc, char **argv)
{
    size_t room = (size_t)argc;
    *command = (struct suggest_command){.asking.command = "coz suggest-points", .request.most = POINTS_USUAL};
    usage_begin(argv, "suggest-points");
    command->globs = calloc(2 * room, sizeof *command->globs);
    if (!command->globs) {
        fputs("coz suggest-points: out of memory\n", stderr);
        return EXIT_WRONG_USAGE;
    }
    command->choice.includes = command->globs;
    command->choice.excludes = command->globs + room;
    for (int option, rc; (option = getopt_long(argc, argv, "yh", long_options, NULL)) != -1;)
        if ((rc = parse_one(command, option, room)) >= 0)
            return rc;
    command->choice.paths = argv + optind;
    command->choice.path_count = (size_t)(argc - optind);
    if (optind < argc)
        return GO_ON;
    fputs("coz suggest-points: name the sources, as in `coz suggest-points src/server.c` or `... src/`.\n",
          stderr);
    return usage_refuse();
}

void suggest_options_release(struct suggest_command *command)
{
    free(command->globs);
}
