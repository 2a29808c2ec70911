#include "cli/lines/listings.h"

#include "debuginfo/debuginfo.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MATCHES = 64 };

/* A function's piece of code. */
struct piece {
    uint32_t site;
    uint32_t start, end;
};

struct listing {
    const char *program;
    struct site_set sites;
    struct debuginfo info;
    struct piece *pieces;
    size_t count;
};

static const struct listing *sorted; /* qsort() has no context */

static int compare_functions(uint32_t a, uint32_t b)
{
    const struct site_set *sites = &sorted->sites;
    int files = strcmp(sites->declared[a], sites->declared[b]);
    return files ? files : strcmp(sites->sites[a].file, sites->sites[b].file);
}

static int compare_pieces(const void *left, const void *right)
{
    const struct piece *a = left, *b = right;
    int functions = a->site == b->site ? 0 : compare_functions(a->site, b->site);
    return functions ? functions : (a->start > b->start) - (a->start < b->start);
}

/* A row is code of all the functions on its stack. Returns how many pieces there are; writes them if there is
 * room. */
static size_t take_pieces(const struct debuginfo *info, struct piece *pieces)
{
    size_t count = 0;
    for (size_t i = 0; i < info->row_count; i++)
        for (uint32_t node = info->rows[i].site; node; node = info->nodes[node].outer) {
            struct piece piece = {info->nodes[node].site, info->rows[i].start, info->rows[i].end};
            if (piece.site && pieces)
                pieces[count] = piece;
            count += piece.site != 0;
        }
    return count;
}

static bool load_listing(struct listing *listing, const struct scope *scope)
{
    struct coz_error error;
    const struct debuginfo_options options = {.granularity = GRANULARITY_FUNCTION};
    if (debuginfo_load_sites_as(listing->program, scope, options, &listing->sites, &listing->info, &error)) {
        fprintf(stderr, "coz lines: %s\n", error.text);
        return false;
    }
    if (*listing->info.warnings)
        fprintf(stderr, "coz lines: some debug information was left out: %s\n", listing->info.warnings);
    listing->pieces = calloc(take_pieces(&listing->info, NULL) + 1, sizeof *listing->pieces);
    if (!listing->pieces) {
        fputs("coz lines: out of memory\n", stderr);
        return false;
    }
    listing->count = take_pieces(&listing->info, listing->pieces);
    sorted = listing;
    if (listing->count > 0)
        qsort(listing->pieces, listing->count, sizeof *listing->pieces, compare_pieces);
    return true;
}

/* Prints the function whose pieces begin there; returns the index of the next one's. */
static size_t print_function(const struct listing *listing, size_t at)
{
    uint32_t site = listing->pieces[at].site;
    printf("    %s ", listing->sites.sites[site].file);
    while (at < listing->count && listing->pieces[at].site == site) {
        struct piece joined = listing->pieces[at++];
        for (; at < listing->count && listing->pieces[at].site == site &&
               listing->pieces[at].start <= joined.end;
             at++)
            joined.end = listing->pieces[at].end > joined.end ? listing->pieces[at].end : joined.end;
        printf(" %#" PRIx32 "-%#" PRIx32, joined.start, joined.end);
    }
    putchar('\n');
    return at;
}

static void print_file(const char *file)
{
    puts(*file ? file : "(source not known)");
}

static void print_all(const struct listing *listing)
{
    size_t functions = 0;
    const char *file = NULL;
    for (size_t i = 0; i < listing->count; functions++) {
        const char *own = listing->sites.declared[listing->pieces[i].site];
        if (!file || strcmp(file, own) != 0) {
            if (file)
                putchar('\n');
            print_file(own);
        }
        file = own;
        i = print_function(listing, i);
    }
    printf("\n%zu %s can be targeted (coz run --granularity function).\n", functions,
           functions == 1 ? "function" : "functions");
}

static void print_one(const struct listing *listing, uint32_t site)
{
    size_t i = 0;
    while (i < listing->count && listing->pieces[i].site != site)
        i++;
    if (i == listing->count)
        return;
    print_file(listing->sites.declared[site]);
    print_function(listing, i);
}

static int print_named(const struct listing *listing, const char *name)
{
    uint32_t ids[MATCHES];
    size_t nearest, count = site_find_functions(&listing->sites, name, ids, MATCHES, &nearest);
    if (count == 0)
        printf("there is no function %s%s\n", name, nearest ? "; the nearest names:" : "");
    for (size_t i = 0; i < (count ? count : nearest) && i < MATCHES; i++)
        print_one(listing, ids[i]);
    if (count > MATCHES)
        printf("... and %zu more\n", count - MATCHES);
    return count ? LINES_FOUND : LINES_NOT_FOUND;
}

static int explain_nothing(const struct listing *listing, const struct scope *scope)
{
    if (listing->info.status == DEBUGINFO_NO_LINES)
        fprintf(stderr, "coz lines: %s has neither debug info nor symbols for its functions%s\n",
                listing->program,
                scope_has_sourceless(scope) ? ": compile with -g, or do not strip it"
                                            : " whose source is known (-s)");
    else
        fprintf(stderr, "coz lines: no function of %s is in scope%s\n", listing->program,
                scope->source_count ? " (-s)" : "");
    return LINES_NOT_FOUND;
}

int lines_list_functions(const char *program, char **names, const struct scope *scope)
{
    struct listing listing = {.program = program};
    int status = LINES_USAGE;
    site_set_init(&listing.sites, 0);
    if (load_listing(&listing, scope)) {
        status = LINES_FOUND;
        if (listing.count == 0)
            status = explain_nothing(&listing, scope);
        else if (!*names)
            print_all(&listing);
        for (; listing.count > 0 && *names; names++) {
            int one = print_named(&listing, *names);
            status = one > status ? one : status;
        }
    }
    free(listing.pieces);
    debuginfo_release(&listing.info);
    site_set_release(&listing.sites);
    return status;
}
