/* coz merge: several profiles in one. */
#include "cli/commands.h"
#include "cli/options/usage.h"
#include "cli/report/problems.h"

#include "profile/merge.h"

#include <getopt.h>
#include <stdio.h>

enum { EXIT_MERGED = 0, EXIT_NOT_MERGED = 1, OPT_MIX = 256 };

static const char usage[] =
    "Usage: coz merge -o OUT PROFILE...\n"
    "\n"
    "Puts the runs of several profiles, of many machines say, into one file. Nothing is lost, and each run keeps\n"
    "what is told of it. The profiles stay as they are.\n"
    "\n"
    "  -o, --output OUT  the new profile, which must not be there yet\n"
    "      --mix         also runs of different programs, or of different builds of one\n"
    "  -h, --help        this text\n"
    "\n"
    "Exit status: 0 when OUT holds all runs, 1 when a profile cannot be used (then there is no OUT), 2 for wrong\n"
    "usage.\n";

static const struct option long_options[] = {{"output", required_argument, NULL, 'o'},
                                             {"mix", no_argument, NULL, OPT_MIX},
                                             {"help", no_argument, NULL, 'h'},
                                             {NULL, 0, NULL, 0}};

static int merge_files(const char *output, char *const *paths, size_t count, bool mixes_builds)
{
    struct merge merge = {0};
    struct coz_error error;
    int status = EXIT_NOT_MERGED;
    if (merge_check(&merge, paths, count, &error) < 0) {
        fprintf(stderr, "coz merge: %s\n", error.text);
    } else if (merge.builds.count > 1 && !mixes_builds) {
        mixture_print("coz merge", &merge.builds);
        fputs("Merge profiles of one build, or mix them with --mix.\n", stderr);
    } else if (merge_write(&merge, output, &error) < 0) {
        fprintf(stderr, "coz merge: %s\n", error.text);
    } else {
        status = EXIT_MERGED;
    }
    merge_release(&merge);
    return status;
}

int cmd_merge(int argc, char **argv)
{
    const char *output = NULL;
    bool mixes_builds = false;
    usage_begin(argv, "merge");
    for (int option; (option = getopt_long(argc, argv, "o:h", long_options, NULL)) != -1;) {
        if (option == 'o') {
            output = optarg;
        } else if (option == OPT_MIX) {
            mixes_builds = true;
        } else if (option == 'h') {
            fputs(usage, stdout);
            return EXIT_MERGED;
        } else {
            return usage_refuse();
        }
    }
    if (!output || optind == argc) {
        fputs(output ? "coz merge: no profile is named.\n"
                     : "coz merge: name the new profile with --output.\n",
              stderr);
        return usage_refuse();
    }
    return merge_files(output, argv + optind, (size_t)(argc - optind), mixes_builds);
}
