#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char directory[64];

static void remove_directory(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", directory);
    if (system(command) != 0)
        perror(command);
}

const char *fuzz_directory(void)
{
    if (directory[0])
        return directory;
    /* Nothing may be asked over the network for a name that the fuzzer made up. */
    unsetenv("DEBUGINFOD_URLS");
    strcpy(directory, access("/dev/shm", W_OK) == 0 ? "/dev/shm/coz-fuzz-XXXXXX" : "/tmp/coz-fuzz-XXXXXX");
    if (!mkdtemp(directory)) {
        perror(directory);
        exit(1);
    }
    atexit(remove_directory);
    return directory;
}

const char *fuzz_write(const char *name, const uint8_t *data, size_t size)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/%s", fuzz_directory(), name);
    FILE *file = fopen(path, "w");
    if (!file || (size && fwrite(data, 1, size, file) != size) || fclose(file) != 0) {
        perror(path);
        exit(1);
    }
    return path;
}

static void demand(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
}

/* Rows name sites, or where whole stacks were read nodes that name them. */
static void check_rows(const struct debuginfo *info, const struct site_set *sites)
{
    size_t limit = info->nodes ? info->node_count : sites->count;
    for (size_t i = 0; i < info->row_count; i++) {
        const struct site_row *row = &info->rows[i];
        demand(row->start < row->end, "a row is not empty");
        demand(i == 0 || info->rows[i - 1].end <= row->start, "rows are sorted and do not overlap");
        demand(row->site > 0 && row->site < limit, "a row has a site");
        demand(info->nodes || sites->sites[row->site].line > 0, "a site has a line");
    }
    for (size_t i = 1; i < info->node_count; i++) {
        demand(info->nodes[i].outer < i, "a node lies in one before it");
        demand(info->nodes[i].site < sites->count, "a node has a site");
    }
    demand(strlen(info->warnings) < sizeof info->warnings, "warnings end");
    for (size_t i = 0; i < info->source_count; i++)
        demand(info->sources[i][0] != '\0', "a source has a name");
}

static void check_unwind(const struct debuginfo *info)
{
    for (size_t i = 0; i < info->unwind_count; i++) {
        demand(i == 0 || info->unwind[i - 1].start < info->unwind[i].start, "unwind rows are sorted");
        demand(info->unwind[i].kind <= UNWIND_SIGNAL, "an unwind row is of a known kind");
    }
}

/* "/%" takes system headers in, which a bare "%" does not. */
static const char *patterns[] = {"/%", "%.%"};
const struct scope fuzz_scope = {.sources = patterns, .source_count = 2};

static void read_sites(const char *path, struct debuginfo_options options)
{
    struct debuginfo info = {0};
    struct coz_error error;
    struct site_set sites;
    site_set_init(&sites, 0);
    if (debuginfo_load_sites_as(path, &fuzz_scope, options, &sites, &info, &error) == 0)
        check_rows(&info, &sites);
    debuginfo_release(&info);
    site_set_release(&sites);
}

void fuzz_read_tables(const char *path, struct debuginfo_options options)
{
    struct debuginfo info = {0};
    struct coz_error error;
    for (int kind = GRANULARITY_LINE; kind <= GRANULARITY_CALLSITE; kind++) {
        options.granularity = (enum granularity)kind;
        read_sites(path, options);
    }
    if (debuginfo_load_unwind(path, options, &info, &error) == 0)
        check_unwind(&info);
    debuginfo_release(&info);
}
