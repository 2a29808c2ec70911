/* coz lines: which lines of a program can be targets, and where their code is. */
#include "cli/commands.h"
#include "cli/lines/listings.h"
#include "cli/options/usage.h"

#include "debuginfo/debuginfo.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { NEAREST_SHOWN = 5, SOURCES_SHOWN = 10 };

static const char usage[] =
    "Usage: coz lines [OPTIONS] PROGRAM [FILE:LINE...]\n"
    "       coz lines --functions [OPTIONS] PROGRAM [NAME...]\n"
    "       coz lines --inlined [OPTIONS] PROGRAM [FILE:LINE|0xADDRESS...]\n"
    "\n"
    "Lists the lines of PROGRAM that can be targeted, with the addresses of their code, by file.\n"
    "With FILE:LINE only that line; when it has no code, the nearest lines that have.\n"
    "FILE may be the last part of the path: src/a.c or a.c.\n"
    "\n"
    "  -s, --source-scope PATTERN  only sources that match; repeatable; shell globs, % stands for\n"
    "                              anything (default: all sources but system headers)\n"
    "  -f, --functions             the functions instead of the lines; NAME may be the last part of one's\n"
    "                              name, and leave out its parameters: shapes::Stack<int>::push, or push\n"
    "  -i, --inlined               the code instead, with the functions that it belongs to: where it is\n"
    "                              inlined, into which, and where those were (not cut by the scope)\n"
    "  -h, --help                  this text\n"
    "\n"
    "Code that was inlined from outside the scope counts for the line that it was inlined into.\n"
    "\n"
    "Environment:\n"
    "  COZ_DEBUG_FILE_DIRECTORY    folders with separate debug information, by colons; /usr/lib/debug is\n"
    "                              always looked into\n"
    "  DEBUGINFOD_URLS             servers to fetch debug information from (default: none is asked)\n"
    "\n"
    "Exit status: 0 when there are such lines, 1 when there are none, 2 when PROGRAM cannot be read.\n";

/* A row for the listing: sorted by file, line, address. */
struct entry {
    const struct site *site;
    struct site_row row;
};

struct listing {
    const char *program;
    struct site_set sites;
    struct debuginfo info;
    struct entry *entries;
};

static int compare_entries(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int files = a->site->file == b->site->file ? 0 : strcmp(a->site->file, b->site->file);
    if (files)
        return files;
    if (a->site->line != b->site->line)
        return a->site->line < b->site->line ? -1 : 1;
    return (a->row.start > b->row.start) - (a->row.start < b->row.start);
}

/* Where the shell would find the program: as it is named, or in PATH. */
static const char *find_program(const char *name, char *buffer, size_t size)
{
    const char *path = getenv("PATH");
    if (strchr(name, '/') || access(name, F_OK) == 0 || !path)
        return name;
    for (; *path; path += *path == ':') {
        int length = (int)strcspn(path, ":");
        int used = snprintf(buffer, size, "%.*s/%s", length, path, name);
        if (used > 0 && (size_t)used < size && access(buffer, X_OK) == 0)
            return buffer;
        path += length;
    }
    return name;
}

/* Prints the line that the entry at index belongs to; returns the index of the next line's first entry. */
static size_t print_line(const struct listing *listing, size_t index)
{
    const struct site *site = listing->entries[index].site;
    printf("%7" PRIu32 " ", site->line);
    for (; index < listing->info.row_count && listing->entries[index].site == site; index++)
        printf(" %#" PRIx32 "-%#" PRIx32, listing->entries[index].row.start, listing->entries[index].row.end);
    putchar('\n');
    return index;
}

static int print_all(const struct listing *listing)
{
    size_t lines = 0, files = 0;
    const char *file = NULL;
    for (size_t i = 0; i < listing->info.row_count; lines++) {
        if (listing->entries[i].site->file != file) {
            file = listing->entries[i].site->file;
            printf("%s%s\n", files++ ? "\n" : "", file);
        }
        i = print_line(listing, i);
    }
    printf("\n%zu %s of %zu %s can be targeted.\n", lines, lines == 1 ? "line" : "lines", files,
           files == 1 ? "file" : "files");
    return LINES_FOUND;
}

static void print_site(const struct listing *listing, const struct site *site)
{
    size_t i = 0;
    while (i < listing->info.row_count && listing->entries[i].site != site)
        i++;
    if (i == listing->info.row_count)
        return;
    puts(site->file);
    print_line(listing, i);
}

/* The lines around the one that was asked for, nearest being the closest of them. */
static void print_nearest(const struct listing *listing, const struct site *nearest)
{
    size_t count = listing->info.row_count, first = 0, shown = 0;
    while (first < count && listing->entries[first].site != nearest)
        first++;
    /* A step back is to the first entry of the line before, if that is in the same file. */
    for (int back = 0; back < NEAREST_SHOWN / 2 && first > 0; back++) {
        const struct site *before = listing->entries[first - 1].site;
        if (before->file != nearest->file)
            break;
        while (first > 0 && listing->entries[first - 1].site == before)
            first--;
    }
    puts(nearest->file);
    while (first < count && shown++ < NEAREST_SHOWN && listing->entries[first].site->file == nearest->file)
        first = print_line(listing, first);
}

/* Explains why no line of the file can be a target. */
static void explain_no_file(const struct listing *listing, const char *file_line)
{
    int length = (int)(strrchr(file_line, ':') - file_line);
    for (size_t i = 0; i < listing->info.source_count; i++) {
        const char *source = listing->info.sources[i];
        size_t size = strlen(source);
        if (size < (size_t)length || memcmp(source + size - length, file_line, (size_t)length) != 0)
            continue;
        if (size > (size_t)length && source[size - (size_t)length - 1] != '/')
            continue;
        fprintf(stderr, "coz lines: %s has no code that is in scope (to take all of it in: -s '%s')\n",
                source, source);
        return;
    }
    fprintf(stderr,
            "coz lines: %s has no code from a file %.*s; `coz lines %s` lists the files that it has.\n",
            listing->program, length, file_line, listing->program);
}

static int print_one(const struct listing *listing, const char *file_line)
{
    uint32_t nearest, id = site_find(&listing->sites, file_line, &nearest);
    if (id) {
        print_site(listing, &listing->sites.sites[id]);
        return LINES_FOUND;
    }
    if (nearest) {
        printf("%s has no code; the nearest lines that have:\n", file_line);
        print_nearest(listing, &listing->sites.sites[nearest]);
    } else {
        explain_no_file(listing, file_line);
    }
    return LINES_NOT_FOUND;
}

static int explain_nothing(const struct listing *listing, const struct scope *scope)
{
    const struct debuginfo *info = &listing->info;
    if (info->status == DEBUGINFO_NO_LINES) {
        fprintf(stderr, "coz lines: %s has no debug info: compile with -g\n", listing->program);
        return LINES_NOT_FOUND;
    }
    fprintf(stderr, "coz lines: no source of %s is in scope%s; it has code from:\n", listing->program,
            scope->source_count ? " (-s)" : "");
    for (size_t i = 0; i < info->source_count && i < SOURCES_SHOWN; i++)
        fprintf(stderr, "  %s\n", info->sources[i]);
    if (info->source_count > SOURCES_SHOWN)
        fprintf(stderr, "  and %zu more\n", info->source_count - SOURCES_SHOWN);
    return LINES_NOT_FOUND;
}

static int load_listing(struct listing *listing, const struct scope *scope)
{
    struct coz_error error;
    int result = debuginfo_load_sites(listing->program, scope, &listing->sites, &listing->info, &error);
    if (result == 0) {
        size_t count = listing->info.row_count;
        listing->entries = calloc(count ? count : 1, sizeof *listing->entries);
        if (!listing->entries)
            result = error_set(&error, ENOMEM, "out of memory");
    }
    if (result) {
        fprintf(stderr, "coz lines: %s\n", error.text);
        return result;
    }
    if (*listing->info.warnings)
        fprintf(stderr, "coz lines: some debug information was left out: %s\n", listing->info.warnings);
    for (size_t i = 0; i < listing->info.row_count; i++) {
        const struct site_row *row = &listing->info.rows[i];
        listing->entries[i] = (struct entry){.site = &listing->sites.sites[row->site], .row = *row};
    }
    if (listing->info.row_count > 0)
        qsort(listing->entries, listing->info.row_count, sizeof *listing->entries, compare_entries);
    return 0;
}

static int list_lines(const char *program, char **lines, const struct scope *scope)
{
    struct listing listing = {.program = program};
    int status = LINES_USAGE;
    site_set_init(&listing.sites, 0);
    if (load_listing(&listing, scope) == 0) {
        if (listing.info.status != DEBUGINFO_OK)
            status = explain_nothing(&listing, scope);
        else if (!*lines)
            status = print_all(&listing);
        else
            status = LINES_FOUND;
        for (; listing.info.status == DEBUGINFO_OK && *lines; lines++) {
            int one = print_one(&listing, *lines);
            status = one > status ? one : status;
        }
    }
    free(listing.entries);
    debuginfo_release(&listing.info);
    site_set_release(&listing.sites);
    return status;
}

static bool is_file_line(const char *text)
{
    const char *colon = strrchr(text, ':');
    return colon && colon > text && colon[1] && colon[1 + strspn(colon + 1, "0123456789")] == '\0';
}

static bool is_address(const char *text)
{
    return strncmp(text, "0x", 2) == 0 && text[2] &&
           text[2 + strspn(text + 2, "0123456789abcdefABCDEF")] == '\0';
}

int cmd_lines(int argc, char **argv)
{
    static const struct option options[] = {{"source-scope", required_argument, NULL, 's'},
                                            {"functions", no_argument, NULL, 'f'},
                                            {"inlined", no_argument, NULL, 'i'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    char buffer[PATH_MAX];
    struct scope scope = {.sources = calloc((size_t)argc + 1, sizeof *scope.sources)};
    usage_begin(argv, "lines");
    int status = -1, what = 0;
    for (int option; status < 0 && (option = getopt_long(argc, argv, "s:fih", options, NULL)) != -1;) {
        if (option == 's' && scope.sources) {
            scope.sources[scope.source_count++] = optarg;
        } else if (option == 'f' || option == 'i') {
            what = option;
        } else if (option == 'h') {
            fputs(usage, stdout);
            status = LINES_FOUND;
        } else {
            status = usage_refuse();
        }
    }
    if (status < 0 && optind == argc) {
        fputs("coz lines: There is no program to list the lines of: coz lines ./program\n", stderr);
        status = usage_refuse();
    }
    for (int i = optind + 1; status < 0 && i < argc; i++) {
        if (what != 'f' && !is_file_line(argv[i]) && !(what == 'i' && is_address(argv[i]))) {
            fprintf(stderr, "coz lines: '%s' is not FILE:LINE%s\n", argv[i],
                    what == 'i' ? " or 0xADDRESS" : "");
            status = usage_refuse();
        }
    }
    if (status < 0) {
        const char *program = find_program(argv[optind], buffer, sizeof buffer);
        char **places = argv + optind + 1;
        status = what == 'f'   ? lines_list_functions(program, places, &scope)
                 : what == 'i' ? lines_list_stacks(program, places, &scope)
                               : list_lines(program, places, &scope);
    }
    free(scope.sources);
    return status;
}
