/* coz: the command. */
#include "cli/commands.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

static const struct command {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *what;
} commands[] = {
    {"run", cmd_run, "profile a program"},
    {"report", cmd_report, "rank what a profile found"},
    {"lines", cmd_lines, "list the lines of a program that can be targeted"},
    {"selftest", cmd_selftest, "find out whether profiles made on this machine can be trusted"},
};

enum { COMMANDS = sizeof commands / sizeof *commands };

static void usage(FILE *out)
{
    fputs("coz tells which line, made faster, makes the program faster, and by how much.\n\n"
          "usage: coz COMMAND [OPTIONS]\n\n",
          out);
    for (size_t i = 0; i < COMMANDS; i++)
        fprintf(out, "  coz %-8s %s\n", commands[i].name, commands[i].what);
    fputs("\ncoz COMMAND --help tells a command's options.\n"
          "First steps:  coz run --- ./program arguments...   then   coz report\n",
          out);
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
    const char *name = argc > 1 ? argv[1] : "";
    for (size_t i = 0; i < COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return commands[i].run(argc - 1, argv + 1);
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0) {
        usage(stdout);
        return 0;
    }
    if (strcmp(name, "--version") == 0) {
        puts("coz " COZ_VERSION);
        return 0;
    }
    if (*name)
        fprintf(stderr, "coz: '%s' is no command\n\n", name);
    usage(stderr);
    return 2;
}
