#include "cli/report_options.h"

#include "cli/options/default_profile.h"
#include "cli/options/option_value.h"
#include "cli/options/usage.h"
#include "report/prompt/prompt.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    OPT_PID = 256,
    OPT_MIX,
    OPT_NO_SOURCE,
    OPT_FAIL_IF,
    OPT_COLOUR,
    OPT_ASCII,
    OPT_SOURCE,
    OPT_WINDOWS,
    OPT_WAITS
};

enum { SOURCE_NOT_SAID = -1, SOURCE_BELOW = 1, SOURCE_AROUND = 9, SOURCE_MOST = 1000 };

/* A page can be searched, so that it holds all lines unless it is told otherwise. */
#define TOP_NOT_SAID SIZE_MAX

static const char usage[] =
    "Usage: coz report [OPTIONS] [LINE] [PROFILE...]\n"
    "\n"
    "Ranks what `coz run` measured: by how much the program gets faster when a line does.\n"
    "Reads profile.jsonl when no PROFILE is named, standard input for -; several are taken together.\n"
    "With LINE (worker.c:88, or a function's name) it draws the curve of that one, and tells all of it.\n"
    "\n"
    "  -f, --format FORMAT  text (default), json, csv, html: a page for a browser, md: Markdown, or\n"
    "                       prompt: a question for a language model, to be piped or pasted; nothing is sent\n"
    "  -o, --output FILE    write it there (default: standard output)\n"
    "  -l, --line LINE      the same as LINE, for one that is called like a file\n"
    "      --waits          what threads waited for, where, and who ended it\n"
    "      --windows        with LINE: single windows are drawn, too\n"
    "      --source N       N lines of the source below each leader (default: 1 on a terminal), or\n"
    "                       around LINE (default: 9)\n"
    "      --no-source      no lines of the sources, nor in a page\n"
    "  -p, --point NAME     only what concerns this progress point (default: all points)\n"
    "      --pid PID        only what this process of the tree did (default: all together)\n"
    "      --mix            take runs of different programs, or of different builds of one, together\n"
    "  -n, --top N          at most N lines for each point (default: 20, html: 0, prompt: 8; 0: no limit)\n"
    "  -a, --all            also lines without enough data, and all that is left out\n"
    "      --fail-if COND   end with status 1 if that is sure, as `worker.c:88 impact > 20%`; repeatable\n"
    "      --color WHEN     auto (default: on a terminal), always or never\n"
    "      --ascii          draw with plain characters even where the locale has more\n"
    "  -h, --help           this text\n"
    "\n"
    "x % faster means that it takes x % less time: 50 % faster is half of the time.\n"
    "\n"
    "Environment:\n"
    "  COLUMNS              how wide tables and curves are (default: as the terminal; 80 elsewhere)\n"
    "  NO_COLOR             when it is set, there are no colours unless --color says so\n"
    "  TERM                 the same when it is `dumb`; nor are there links then\n"
    "  LC_ALL, LC_CTYPE, LANG\n"
    "                       curves are drawn in ASCII unless one of these says UTF-8\n"
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
                                             {"color", required_argument, NULL, OPT_COLOUR},
                                             {"ascii", no_argument, NULL, OPT_ASCII},
                                             {"line", required_argument, NULL, 'l'},
                                             {"waits", no_argument, NULL, OPT_WAITS},
                                             {"windows", no_argument, NULL, OPT_WINDOWS},
                                             {"source", required_argument, NULL, OPT_SOURCE},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

static int parse_format(enum report_format *format, const char *text)
{
    int word = option_word(text, (const char *const[]){"text", "json", "csv", "html", "md", "prompt", NULL});
    if (word < 0) {
        fprintf(stderr,
                "coz report: there is no format `%s`; there are text, json, csv, html, md and prompt.\n",
                text);
        return usage_refuse();
    }
    *format = (enum report_format)word;
    return GO_ON;
}

static int parse_colour(enum report_colour *colour, const char *text)
{
    int word = option_word(text, (const char *const[]){"auto", "always", "never", NULL});
    if (word < 0) {
        fprintf(stderr, "coz report: --color wants auto, always or never, not `%s`.\n", text);
        return usage_refuse();
    }
    *colour = (enum report_colour)word;
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
        if (!option_whole(optarg, &number)) {
            fprintf(stderr, "coz report: --top wants a whole number, not `%s`.\n", optarg);
            return usage_refuse();
        }
        command->options.top = number;
        return GO_ON;
    case OPT_PID:
        if (!option_whole(optarg, &command->pid) || command->pid == 0) {
            fprintf(stderr, "coz report: --pid wants a process number, not `%s`.\n", optarg);
            return usage_refuse();
        }
        return GO_ON;
    case 'o':
        command->output = optarg;
        return GO_ON;
    case OPT_FAIL_IF:
        return conditions_add(&command->conditions, "coz report", optarg) ? GO_ON : usage_refuse();
    case OPT_NO_SOURCE:
        command->without_source = true;
        return GO_ON;
    case OPT_SOURCE:
        if (!option_whole(optarg, &number) || number > SOURCE_MOST) {
            fprintf(stderr, "coz report: --source wants a number of lines, %d at most, not `%s`.\n",
                    SOURCE_MOST, optarg);
            return usage_refuse();
        }
        command->options.source = (int)number;
        return GO_ON;
    case OPT_WAITS:
        command->waits = true;
        return GO_ON;
    case OPT_WINDOWS:
        command->windows = true;
        return GO_ON;
    case 'l':
        command->line = optarg;
        return GO_ON;
    case OPT_COLOUR:
        return parse_colour(&command->colour, optarg);
    case OPT_ASCII:
        command->ascii = true;
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
        return usage_refuse();
    }
}

/* What is called like a profile, or is there, is one; all else, "worker.c:88" and "parse", is a line. */
static bool is_profile(const char *argument)
{
    static const char *const endings[] = {".jsonl", ".json", ".coz"};
    size_t length = strlen(argument);
    if (strcmp(argument, "-") == 0 || access(argument, F_OK) == 0)
        return true;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (length > strlen(endings[i]) && strcmp(argument + length - strlen(endings[i]), endings[i]) == 0)
            return true;
    const char *colon = strrchr(argument, ':');
    bool has_number = colon && colon[1] >= '0' && colon[1] <= '9';
    return !has_number && strchr(argument, '/') && !strstr(argument, "::");
}

/* Sorts the arguments: profiles come first in argv then. */
static int take_arguments(struct report_command *command, char **arguments, int count)
{
    command->profiles = arguments;
    for (int i = 0; i < count; i++) {
        if (is_profile(arguments[i])) {
            arguments[command->profile_count++] = arguments[i];
        } else if (command->line) {
            fprintf(
                stderr,
                "coz report: there is no file `%s`; if it is a line: one at a time, and `%s` was named before.\n",
                arguments[i], command->line);
            return usage_refuse();
        } else {
            command->line = arguments[i];
        }
    }
    if (command->line && command->format != REPORT_TEXT && command->format != REPORT_PROMPT) {
        fputs("coz report: a LINE is told as text or prompt; the other formats hold all lines.\n", stderr);
        return usage_refuse();
    }
    if (command->waits && (command->line || command->format != REPORT_TEXT)) {
        fputs("coz report: --waits is told as text, for the whole profile; JSON holds it with all else.\n",
              stderr);
        return usage_refuse();
    }
    if (command->windows && !command->line) {
        fputs(
            "coz report: --windows is for the curve of one LINE, as in `coz report worker.c:88 --windows`.\n",
            stderr);
        return usage_refuse();
    }
    return GO_ON;
}

/* What was said about the terminal, and what can be seen of it. A file that is written is none. */
static void look_at_terminal(struct report_command *command)
{
    struct report_options *options = &command->options, seen;
    report_options_init(&seen, command->output ? NULL : stdout);
    options->width = seen.width;
    options->wraps = seen.wraps;
    options->links = seen.links;
    options->utf8 = seen.utf8 && !command->ascii;
    options->colour = command->colour == COLOUR_ALWAYS || (command->colour == COLOUR_AUTO && seen.colour);
    bool is_prompt = command->format == REPORT_PROMPT;
    if (command->without_source)
        options->source = 0;
    else if (options->source == SOURCE_NOT_SAID && is_prompt)
        options->source = command->line ? PROMPT_SOURCE_AROUND : PROMPT_SOURCE_BELOW;
    else if (options->source == SOURCE_NOT_SAID)
        options->source = command->line ? SOURCE_AROUND : seen.wraps ? SOURCE_BELOW : 0;
    if (options->top == TOP_NOT_SAID)
        options->top = command->format == REPORT_HTML ? 0 : is_prompt ? PROMPT_TOP : seen.top;
}

int report_options_parse(struct report_command *command, int argc, char **argv)
{
    static char *default_paths[1];
    *command = (struct report_command){.format = REPORT_TEXT,
                                       .options = {.top = TOP_NOT_SAID, .source = SOURCE_NOT_SAID}};
    usage_begin(argv, "report");
    for (int option, rc; (option = getopt_long(argc, argv, "f:o:p:n:l:ah", long_options, NULL)) != -1;)
        if ((rc = parse_one(command, option)) >= 0)
            return rc;
    int rc = take_arguments(command, argv + optind, argc - optind);
    if (rc >= 0)
        return rc;
    if (command->profile_count == 0) {
        default_paths[0] = default_profile("coz report");
        command->profiles = default_paths;
        command->profile_count = 1;
    }
    look_at_terminal(command);
    return GO_ON;
}
