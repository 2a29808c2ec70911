#include "cli/points/cmd_points.h"

#include "base/array.h"
#include "cli/options/usage.h"
#include "debuginfo/debuginfo.h"
#include "debuginfo/places/probes.h"
#include "experiment/points/calls.h"
#include "experiment/points/imports.h"
#include "experiment/session/launch.h"

#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
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

enum { WIDTH = 78, FUNCTIONS_SHOWN = 40 };

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

/* What targets may be, of one kind. 0: there is no debug information, or not even a symbol table. */
static uint32_t load_sites(struct site_set *sites, const char *program, enum granularity granularity)
{
    const struct scope scope = {0};
    const struct debuginfo_options options = {.granularity = granularity, .cached = true};
    struct debuginfo info = {0};
    site_set_init(sites, 0);
    int code = debuginfo_load_sites_as(program, &scope, options, sites, &info, NULL);
    uint32_t count = code == 0 && info.status == DEBUGINFO_OK ? sites->count - 1 : 0;
    debuginfo_release(&info);
    return count;
}

static void put_lines(const char *program)
{
    struct site_set sites;
    uint32_t count = load_sites(&sites, program, GRANULARITY_LINE);
    puts("Lines, by a breakpoint (-p FILE:LINE), or by their samples (-p FILE:LINE@sampled):");
    if (count)
        printf("    %" PRIu32 " in scope; `coz lines %s` lists them\n", count, program);
    else
        puts("    none: it has no debug information (compile with -g)");
    site_set_release(&sites);
}

static void put_functions(const char *program)
{
    struct site_set sites;
    struct list list = {0};
    char name[NEAR_NAME];
    uint32_t count = load_sites(&sites, program, GRANULARITY_FUNCTION);
    puts("Functions, by a breakpoint where they are entered (-p FUNCTION):");
    for (uint32_t id = 1; id <= count && count <= FUNCTIONS_SHOWN; id++)
        put_name(&list, site_name(&sites, id, name, sizeof name));
    if (count > FUNCTIONS_SHOWN)
        printf("    %" PRIu32 "; `coz lines --functions %s` lists them\n", count, program);
    else
        end_list(&list, "none is known");
    site_set_release(&sites);
}

struct probe_names {
    char **names;
    size_t count, capacity;
};

static void note_probe(void *context, const struct probe *probe)
{
    struct probe_names *probes = context;
    char *name = NULL;
    if (probes->count == probes->capacity) {
        void *more = array_grown(probes->names, &probes->capacity, sizeof *probes->names);
        if (!more)
            return;
        probes->names = more;
    }
    if (asprintf(&name, "%s:%s", probe->provider, probe->name) >= 0)
        probes->names[probes->count++] = name;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* One probe may be at several addresses. */
static void put_probes(const char *program)
{
    struct probe_names probes = {NULL, 0, 0};
    struct elf_file elf;
    struct list list = {0};
    puts("Static probes (-p usdt:PROVIDER:NAME):");
    if (elf_file_open(&elf, program, NULL) == 0)
        probes_list(&elf, note_probe, &probes);
    elf_file_close(&elf);
    if (probes.count)
        qsort(probes.names, probes.count, sizeof *probes.names, compare_names);
    for (size_t i = 0; i < probes.count; i++)
        if (i == 0 || strcmp(probes.names[i], probes.names[i - 1]) != 0)
            put_name(&list, probes.names[i]);
    end_list(&list, "none; its libraries may have some");
    for (size_t i = 0; i < probes.count; i++)
        free(probes.names[i]);
    free(probes.names);
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
    put_probes(program);
    putchar('\n');
    put_functions(program);
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
