#include "cli/plot/plot_options.h"

#include "cli/options/default_profile.h"
#include "cli/options/option_value.h"
#include "cli/options/usage.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPT_NO_BROWSER = 256, OPT_STAY, OPT_LIVE, OPT_MIX, OPT_NO_SOURCE, OPT_TEXT };

static const char usage[] =
    "Usage: coz plot [OPTIONS] [PROFILE...]      (`coz view` is the same)\n"
    "\n"
    "Shows in a browser what `coz run` measured: curves, the source, what to choose. While the profile is\n"
    "being written, the page follows it. Reads profile.jsonl when no PROFILE is named, standard input for -;\n"
    "each of several has a page of its own, and more can be dropped onto the page.\n"
    "\n"
    "Only this machine can reach the page, and only at the address that is printed.\n"
    "\n"
    "  -i, --input PROFILE  the same as PROFILE\n"
    "      --text           print it here: the same as `coz report`\n"
    "      --verbose        the original's; there is nothing to add\n"
    "      --live           wait for the profile if it is not there yet\n"
    "      --port N         listen at that port (default: one that is free)\n"
    "      --no-browser     only print the address. Without a display that is all that is done in any case\n"
    "      --stay           go on when the last page is closed (default: end 5 seconds later)\n"
    "      --no-source      the page holds no lines of the sources\n"
    "      --mix            take runs of different programs, or of different builds of one, together\n"
    "  -h, --help           this text\n"
    "\n"
    "Environment:\n"
    "  DISPLAY, WAYLAND_DISPLAY\n"
    "                       when neither is set, no browser is opened\n"
    "  COZ_PROVIDER, COZ_MODEL, and the providers' own\n"
    "                       whom \"Explain this line\" asks, when it is pressed: see `coz explain --help`\n"
    "\n"
    "Ctrl-C ends it. Exit status: 0, 1 when there is nothing to show or no server, 2 for wrong usage.\n";

static const struct option long_options[] = {{"input", required_argument, NULL, 'i'},
                                             {"live", no_argument, NULL, OPT_LIVE},
                                             {"port", required_argument, NULL, 'p'},
                                             {"no-browser", no_argument, NULL, OPT_NO_BROWSER},
                                             {"stay", no_argument, NULL, OPT_STAY},
                                             {"no-source", no_argument, NULL, OPT_NO_SOURCE},
                                             {"mix", no_argument, NULL, OPT_MIX},
                                             {"text", no_argument, NULL, OPT_TEXT},
                                             {"verbose", no_argument, NULL, 'v'},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

static int parse_one(struct plot_command *command, int option)
{
    struct serve_options *serve = &command->serve;
    switch (option) {
    case 'i':
        serve->profiles[serve->profile_count++] = optarg;
        return GO_ON;
    case OPT_LIVE:
        serve->view.awaits = true;
        return GO_ON;
    case 'p':
        if (option_port(optarg, &serve->port))
            return GO_ON;
        fprintf(stderr, "coz plot: --port wants a whole number up to 65535, not `%s`.\n", optarg);
        return usage_refuse();
    case OPT_NO_BROWSER:
        command->opens_browser = false;
        return GO_ON;
    case OPT_STAY:
        serve->stays = true;
        return GO_ON;
    case OPT_NO_SOURCE:
        serve->view.without_source = true;
        return GO_ON;
    case OPT_MIX:
        serve->view.mixes_builds = true;
        return GO_ON;
    case OPT_TEXT:
        command->is_text = true;
        return GO_ON;
    case 'v':
        fputs("coz plot: --verbose has nothing to add: what goes wrong is said in any case\n", stderr);
        return GO_ON;
    case 'h':
        fputs(usage, stdout);
        return EXIT_HELP;
    default:
        return usage_refuse();
    }
}

int plot_options_parse(struct plot_command *command, int argc, char **argv)
{
    struct serve_options *serve = &command->serve;
    *command = (struct plot_command){.opens_browser = true};
    usage_begin(argv, "plot");
    serve->profiles = calloc((size_t)argc + 1, sizeof *serve->profiles);
    if (!serve->profiles) {
        fputs("coz plot: out of memory\n", stderr);
        return EXIT_WRONG_USAGE;
    }
    for (int option, rc; (option = getopt_long(argc, argv, "i:vh", long_options, NULL)) != -1;)
        if ((rc = parse_one(command, option)) >= 0)
            return rc;
    for (int i = optind; i < argc; i++)
        serve->profiles[serve->profile_count++] = argv[i];
    if (serve->profile_count == 0)
        serve->profiles[serve->profile_count++] = default_profile("coz plot");
    return GO_ON;
}

void plot_options_release(struct plot_command *command)
{
    free(command->serve.profiles);
}
