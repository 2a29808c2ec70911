#include "cli/options/usage.h"

#include <stdio.h>

static char name[32];

void usage_begin(char **argv, const char *command)
{
    snprintf(name, sizeof name, "coz %s", command);
    argv[0] = name;
}

int usage_refuse(void)
{
    fprintf(stderr, "Try `%s --help`.\n", name);
    return EXIT_WRONG_USAGE;
}

int usage_say(const char *sentence)
{
    fprintf(stderr, "%s: %s\n", name, sentence);
    return usage_refuse();
}

int usage_complain(const char *option, const char *value, const char *remedy)
{
    fprintf(stderr, "%s: %s %s: %s\n", name, option, value, remedy);
    return usage_refuse();
}
