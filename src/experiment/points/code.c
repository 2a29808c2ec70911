#include "experiment/points/code.h"

#include "debuginfo/debuginfo.h"
#include "shared/module_slots.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static int tell_nearest(const struct site_set *sites, uint32_t nearest, const char *program,
                        const char *wanted, struct coz_error *err)
{
    char name[300];
    if (nearest)
        return error_set(err, EINVAL, "no code at %.100s; the nearest line with code is %.200s", wanted,
                         site_name(sites, nearest, name, sizeof name));
    return error_set(err, EINVAL, "no code at %.100s in %.100s (`coz lines %.100s` lists what there is)",
                     wanted, program, program);
}

/* The pieces of the rows whose site is that line, in the tables. */
static int store_pieces(struct segment_owner *owner, const struct site_set *sites,
                        const struct debuginfo *info, const char *wanted, struct segment_code *code)
{
    struct segment_piece *pieces = calloc(info->row_count + 1, sizeof *pieces);
    if (!pieces)
        return -ENOMEM;
    for (size_t i = 0; i < info->row_count; i++) {
        const struct site *site = &sites->sites[info->rows[i].site];
        if (site_line_matches(site->file, site->line, wanted))
            pieces[code->count++] = (struct segment_piece){info->rows[i].start, info->rows[i].end};
    }
    if (code->count)
        code->offset = segment_store(owner, pieces, code->count * sizeof *pieces);
    free(pieces);
    return !code->count || code->offset ? 0 : -ENOMEM;
}

static int find_line(struct segment_owner *owner, const char *program, const char *wanted,
                     const struct site_set *sites, const struct debuginfo *info, struct segment_code *code,
                     struct coz_error *err)
{
    uint32_t nearest = 0;
    if (info->status == DEBUGINFO_NO_LINES)
        return error_set(err, EINVAL, "%.200s has no debug information for its lines: compile with -g",
                         program);
    if (!site_find(sites, wanted, &nearest))
        return tell_nearest(sites, nearest, program, wanted, err);
    struct module_file file = {program, true, MODULE_KNOWN};
    const struct segment_module *module = module_slot_of(owner->segment, file);
    if (!module || store_pieces(owner, sites, info, wanted, code))
        return error_set(err, ENOMEM, "no room for the code of %.100s", wanted);
    code->module = (uint32_t)(module - owner->segment->modules);
    return 0;
}

int code_of_line(struct segment_owner *owner, const char *program, const char *file, unsigned line,
                 struct segment_code *code, struct coz_error *err)
{
    const struct scope scope = {0};
    const struct debuginfo_options options = {.granularity = GRANULARITY_LINE, .cached = true};
    struct site_set sites;
    struct debuginfo info = {0};
    char wanted[SEGMENT_POINT_NAME + 16];
    snprintf(wanted, sizeof wanted, "%s:%u", file, line);
    *code = (struct segment_code){0};
    site_set_init(&sites, 0);
    int rc = debuginfo_load_sites_as(program, &scope, options, &sites, &info, err);
    if (rc == 0)
        rc = find_line(owner, program, wanted, &sites, &info, code, err);
    debuginfo_release(&info);
    site_set_release(&sites);
    return rc;
}
