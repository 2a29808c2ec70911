/* coz: the command. */
#include "base/nearest_word.h"
#include "cli/advice/commands.h"
#include "cli/commands.h"
#include "cli/points/cmd_points.h"
#include "cli/regions/cmd_regions.h"
#include "cli/verify/cmd_verify.h"
#include "experiment/session/launch.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *what;
} commands[] = {
    {"run", cmd_run, "profile a program"},
    {"doctor", cmd_doctor, "find out whether that will work, and what stands in the way"},
    {"report", cmd_report, "rank what a profile found"},
    {"plot", cmd_plot, "show that in a browser, while it is measured too"},
    {"view", cmd_plot, "the same"},
    {"compare", cmd_compare, "tell what changed from one profile to another"},
    {"merge", cmd_merge, "put several profiles into one"},
    {"verify", cmd_verify, "compare two builds: what a change really gained, beside what was promised"},
    {"regions", cmd_regions, "measure named regions by whole runs: if this took 10 % less"},
    {"explain", cmd_explain, "have a language model explain a line, by what its profile says"},
    {"suggest-points", cmd_suggest_points, "have one propose progress points for your sources"},
    {"points", cmd_points, "list what could be a progress point of a program"},
    {"lines", cmd_lines, "list the lines of a program that can be targeted"},
    {"selftest", cmd_selftest, "find out whether profiles made on this machine can be trusted"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void print_usage(FILE *out)
{
    fputs("coz tells which line, made faster, makes the program faster, and by how much.\n\n"
          "Usage: coz COMMAND [OPTIONS]\n\n",
          out);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "  coz %-14s %s\n", commands[i].name, commands[i].what);
    fputs("\n`coz COMMAND --help` tells a command's options, `coz --version` which coz this is.\n"
          "First steps:  coz run --- ./program arguments...   then   coz report\n",
          out);
}

static int refuse_command(const char *name)
{
    const char *names[COMMANDS + 1] = {NULL};
    for (size_t i = 0; i < COMMANDS; i++)
        names[i] = commands[i].name;
    const char *nearest = nearest_word(name, names);
    fprintf(stderr, "coz: unknown command '%s'\n", name);
    if (nearest)
        fprintf(stderr, "Did you mean `coz %s`?\n", nearest);
    else
        fputs("`coz --help` tells the commands.\n", stderr);
    return 2;
}

/* What we open must not become somebody's standard stream; the program we start finds them closed, as it
 * would without us. */
static void occupy_standard_streams(void)
{
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", O_RDWR | O_CLOEXEC) < 0)
            return;
}

int main(int argc, char **argv)
{
    occupy_standard_streams();
    launch_remember_signals();
    const char *name = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        print_usage(stdout);
        return 0;
    }
    if (strcmp(name, "--version") == 0) {
        puts("coz " COZ_VERSION);
        return 0;
    }
    if (argc > 1)
        return refuse_command(name);
    print_usage(stderr);
    return 2;
}
