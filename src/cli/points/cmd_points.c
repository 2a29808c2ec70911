#include "cli/points/cmd_points.h"

#include "cli/options/usage.h"
#include "debuginfo/debuginfo.h"
#include "experiment/points/calls.h"
#include "experiment/points/imports.h"
#include "experiment/session/launch.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char usage[] =
    "Usage: coz points [OPTIONS] PROGRAM\n"
    "\n"
    "Lists what could be a progress point of PROGRAM: what `coz run -p` may name. It does not run it;\n"
    "`coz run` without any point lists which calls look like units of work.\n"
    "\n"
    "      --calls                instead all calls of libc that can be one; without a PROGRAM\n"
    "  -h, --help                 this text\n"
    "\n"
    "Exit status: 0, or 2 when PROGRAM cannot be read.\n";

enum { WIDTH = 78 };

/* Names one after the other, the lines as wide as a page. */
struct list {
    int column;
};

static void put_name(struct list *list, const char *name)
{
    int length = (int)strlen(name);
    if (list->column && list->column + 1 + length > WIDTH) {
        putchar('\n');
        list->column = 0;
    }
    list->column += printf("%s%s", list->column ? " " : "    ", name);
}

static void end_list(const struct list *list, const char *otherwise)
{
    if (!list->column)
        printf("    %s", otherwise);
    putchar('\n');
}

static int list_calls(void)
{
    struct list list = {0};
    puts("Calls of libc (-p call:NAME):");
    for (unsigned call = 0; call < SEGMENT_CALL_COUNT; call++)
        put_name(&list, call_name(call));
    end_list(&list, "none");
    return 0;
}

/* Those that its libraries make are not told. */
static void put_calls(const struct imports *imports)
{
    struct list list = {0};
    puts("Calls of libc that it makes itself (-p call:NAME, or call:NAME@FILE:LINE):");
    for (unsigned call = 0; call < SEGMENT_CALL_COUNT; call++)
        if (imports->calls[call])
            put_name(&list, call_name(call));
    end_list(&list, imports->is_static ? "none: it is static, and cannot be profiled so"
                                       : "none; its libraries may (`coz points --calls` lists all)");
}

static void put_lines(const char *program)
{
    const struct scope scope = {0};
    const struct debuginfo_options options = {.granularity = GRANULARITY_LINE, .cached = true};
    struct site_set sites;
    struct debuginfo info = {0};
    site_set_init(&sites, 0);
    puts("Lines, by their samples (-p FILE:LINE@sampled):");
    if (debuginfo_load_sites_as(program, &scope, options, &sites, &info, NULL) == 0 &&
        info.status == DEBUGINFO_OK)
        printf("    %" PRIu32 " in scope; `coz lines %s` lists them\n", sites.count - 1, program);
    else
        puts("    none: it has no debug information (compile with -g)");
    debuginfo_release(&info);
    site_set_release(&sites);
}

static int list_points(const char *name)
{
    char program[PATH_MAX];
    struct imports imports;
    struct coz_error err = {""};
    if (launch_find_program(name, program, &err) || imports_read(&imports, program, &err)) {
        fprintf(stderr, "coz points: %s\n", err.text);
        return EXIT_WRONG_USAGE;
    }
    puts("Points of its own (coz.h), which need no -p:");
    puts(imports.announces ? "    there are; a run tells their names" : "    none");
    putchar('\n');
    put_calls(&imports);
    putchar('\n');
    put_lines(program);
    return 0;
}

int cmd_points(int argc, char **argv)
{
    static const struct option options[] = {
        {"calls", no_argument, NULL, 'c'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    bool calls = false;
    usage_begin(argv, "points");
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (option == 'h') {
            fputs(usage, stdout);
            return EXIT_HELP;
        }
        if (option != 'c')
            return usage_refuse();
        calls = true;
    }
    if (calls && optind == argc)
        return list_calls();
    if (calls || optind + 1 != argc) {
        fputs("coz points: give one program, as in `coz points ./server`, or --calls alone\n", stderr);
        return usage_refuse();
    }
    return list_points(argv[optind]);
}
