/* What a session knows for the diagnosis. */
#include "experiment/session/session_parts.h"

#include "base/clock.h"
#include "experiment/facts/program_file.h"
#include "shared/module_slots.h"

#include <stdio.h>
#include <string.h>

/* ---- the program's file ---- */

static enum file_code code_of(const struct session *session)
{
    const struct debuginfo *info = &session->info;
    bool fell_back;
    enum granularity granularity = session_granularity(session, &fell_back);
    if (!session->watching.is_read || granularity == GRANULARITY_THREAD)
        return CODE_UNKNOWN; /* threads need none */
    if (info->status == DEBUGINFO_OUT_OF_SCOPE)
        return CODE_OUT_OF_SCOPE;
    if (info->status == DEBUGINFO_NO_LINES && !session->options.granularity_is_given)
        return CODE_BARE;
    if (info->status == DEBUGINFO_NO_LINES)
        return granularity == GRANULARITY_FUNCTION ? CODE_NOTHING : CODE_NO_LINES;
    if (granularity == GRANULARITY_FUNCTION && !info->has_names)
        return CODE_STRIPPED;
    return fell_back ? CODE_FUNCTIONS : CODE_LINES;
}

static void add_file(struct session *session, struct file_facts *file)
{
    const struct scope *scope = &session->options.scope;
    file->path = session->program;
    file->kind = session->watching.kind;
    file->code = code_of(session);
    file->sources = (const char *const *)session->info.sources;
    file->source_count = session->info.source_count;
    file->has_source_scope = scope->source_count > 0;
    file->has_binary_scope = scope->binary_count > 0;
}

/* ---- where its samples fell ---- */

/* Libraries that come with the system: nobody expects to see their lines. */
static bool is_system_library(const char *path)
{
    static const char *const places[] = {"/lib/", "/lib64/", "/usr/lib/", "/usr/lib64/"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        if (strncmp(path, places[i], strlen(places[i])) == 0)
            return true;
    return false;
}

static void add_module(struct session *session, const struct segment_module *module, struct code_facts *code)
{
    bool is_program = atomic_load(&module->is_executable);
    uint64_t samples = atomic_load(&module->samples);
    if (strcmp(module->path, SEGMENT_VDSO) == 0) {
        code->clock_samples = samples;
    } else if (scope_has_binary(&session->options.scope, module->path, is_program)) {
        code->modules_in_scope++;
        code->modules_with_code += atomic_load(&module->row_count) > 0;
    } else if (samples > code->module_samples) {
        snprintf(session->watching.module, sizeof session->watching.module, "%.*s", SEGMENT_MODULE_PATH - 1,
                 module->path);
        code->module = session->watching.module;
        code->module_samples = samples;
        code->module_is_system = is_system_library(module->path);
    }
}

static const char *name_target(struct session *session, uint32_t site, char *text, size_t size)
{
    return site && site < target_count(&session->names) ? target_name(&session->names, site, text, size)
                                                        : NULL;
}

static void add_leader(struct session *session, struct code_facts *code)
{
    const struct segment *segment = session->owner.segment;
    uint32_t count = target_count(&session->names), best = 0, end;
    for (uint32_t from = 1; from < count && segment_next_counted(&session->owner, &from, &end); from = end)
        for (uint32_t site = from; site < end && site < count; site++)
            if (atomic_load(&segment->sites[site].count) > code->leader_samples) {
                code->leader_samples = atomic_load(&segment->sites[site].count);
                best = site;
            }
    code->leader = name_target(session, best, session->watching.leader, sizeof session->watching.leader);
}

static void add_spins(struct session *session, struct code_facts *code)
{
    const struct segment_spins *spins = &session->owner.segment->spins;
    uint32_t best = 0;
    for (int i = 0; i < SEGMENT_SPINS; i++)
        if (atomic_load(&spins->sites[i].count) > code->spinner_samples) {
            code->spinner_samples = atomic_load(&spins->sites[i].count);
            best = atomic_load(&spins->sites[i].site);
        }
    code->spins = atomic_load(&spins->samples);
    code->spinner = name_target(session, best, session->watching.spinner, sizeof session->watching.spinner);
}

static void add_code(struct session *session, struct code_facts *code)
{
    const struct segment *segment = session->owner.segment;
    code->samples = atomic_load(&segment->samples);
    code->in_scope = atomic_load(&segment->in_scope);
    if (segment->granularity == GRANULARITY_THREAD)
        code->in_scope = code->samples; /* threads of other names are no matter of code */
    for (int i = 0; i < SEGMENT_MODULES; i++) {
        const struct segment_module *module = &segment->modules[i];
        if (!module_slot_is_taken(module))
            break;
        if (atomic_load(&module->state) == MODULE_KNOWN)
            add_module(session, module, code);
    }
    add_leader(session, code);
    add_spins(session, code);
}

/* ---- its progress points ---- */

static bool counts_work(const struct segment_point *point)
{
    uint32_t type = segment_point_type(point);
    return type == POINT_THROUGHPUT || type == POINT_END;
}

void session_watch_points(struct session *session, uint64_t now)
{
    const struct segment *segment = session->owner.segment;
    struct session_watching *watching = &session->watching;
    if (watching->points_since_ns || !session->progress.points_reached)
        return;
    watching->points_since_ns = now;
    for (int i = 0; i < SEGMENT_POINTS; i++)
        watching->first_counts[i] = atomic_load(&segment->points[i].count);
}

static bool is_header(const char *name, size_t length)
{
    static const char *const endings[] = {".h", ".hh", ".hpp", ".hxx", ".h++", ".inl", ".ipp", ".tcc"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t size = strlen(endings[i]);
        if (length > size && strncmp(name + length - size, endings[i], size) == 0)
            return true;
    }
    return false;
}

/* The program's rows, unless the tree has spoilt what says where they are. */
static const struct site_row *program_rows(const struct session *session, uint32_t *count)
{
    const struct segment *segment = session->owner.segment;
    const struct segment_module *program = &segment->modules[0];
    uint64_t offset = atomic_load(&program->rows_offset);
    *count = atomic_load(&program->row_count);
    bool are_of_lines = *count && !atomic_load(&program->node_count);
    bool are_inside =
        offset <= segment->mapped_size && *count <= (segment->mapped_size - offset) / sizeof(struct site_row);
    return are_of_lines && are_inside ? (const struct site_row *)((const char *)segment + offset) : NULL;
}

/* In how many functions of the program the line's code is. */
static unsigned count_users(struct session *session, uint32_t site)
{
    enum { MOST = 256 };
    uint32_t addresses[MOST], count = 0, row_count;
    const struct site_row *rows = program_rows(session, &row_count);
    if (!rows)
        return 0;
    for (uint32_t i = 0; i < row_count && count < MOST; i++)
        if (rows[i].site == site)
            addresses[count++] = rows[i].start;
    return count ? program_file_count_functions(session->program, addresses, count) : 0;
}

/* A point without a name is called by its place, of which the file is as the compiler was told it. */
static void look_for_shared(struct session *session, const struct segment_point *point)
{
    const char *colon = strrchr(point->name, ':');
    uint32_t nearest, site;
    if (!colon || !is_header(point->name, (size_t)(colon - point->name)))
        return;
    const char *name = strncmp(point->name, "./", 2) == 0 ? point->name + 2 : point->name;
    site = site_find(&session->sites, name, &nearest);
    unsigned users = site ? count_users(session, site) : 0;
    if (users > session->watching.users) {
        session->watching.users = users;
        snprintf(session->watching.shared, sizeof session->watching.shared, "%s", point->name);
    }
}

static void add_points(struct session *session, struct point_facts *points, uint64_t now)
{
    struct segment *segment = session->owner.segment;
    struct session_watching *watching = &session->watching;
    uint64_t most = 0;
    points_count(segment, &points->known, &points->reached);
    if (watching->points_since_ns)
        points->watched_s = (double)clock_passed_ns(watching->points_since_ns, now) * 1e-9;
    for (int i = 0; i < SEGMENT_POINTS && segment_point_is_taken(&segment->points[i]); i++) {
        const struct segment_point *point = &segment->points[i];
        uint64_t count = counts_work(point) ? atomic_load(&point->count) : 0;
        points->of_latency |= count && segment_point_type(point) == POINT_END;
        if (count && !watching->looked_for_shared[i]) {
            watching->looked_for_shared[i] = true;
            look_for_shared(session, point);
        }
        if (count > most) {
            most = count;
            points->name = point->name;
            points->visits_s =
                points->watched_s > 0 ? (double)(count - watching->first_counts[i]) / points->watched_s : 0;
        }
    }
    points->users = watching->users;
    points->shared = watching->users ? watching->shared : NULL;
}

/* ---- all of it ---- */

void session_facts(struct session *session, struct facts *facts)
{
    uint64_t now = session->ending.over_ns ? session->ending.over_ns : clock_wall_ns();
    bool has_begun = session->started_ns > 0;
    *facts = (struct facts){0};
    add_file(session, &facts->file);
    facts->machine.perf_was_asked = session->options.sampler == SAMPLER_PERF;
    facts->machine.perf_errno = (int)atomic_load(&session->owner.segment->perf_errno);
    facts->run.is_whole = session->options.end_to_end;
    facts->run.runs = 1;
    if (!has_begun)
        return;
    facts->run.elapsed_s = (double)clock_passed_ns(session->started_ns, now) * 1e-9;
    facts->run.has_ended = session->has_ended;
    facts->run.processes = atomic_load(&session->owner.segment->processes);
    facts->run.windows = session->schedule.results.windows;
    const struct targets *targets = session_targets(session);
    facts->run.lacks_target = targets->only_fixed && !targets->fixed_count;
    facts->run.looks = session->watching.looks.seen;
    add_code(session, &facts->run.code);
    add_points(session, &facts->run.points, now);
    if (!facts->run.points.reached && !session->watching.has_points)
        session->watching.has_points = program_file_has_points(session->program);
    facts->file.has_points = session->watching.has_points;
    if (!session->has_ended)
        watch_look(&session->watching.machine, session->owner.segment, now, &session->watching.of_machine);
    struct machine_facts *machine = &session->watching.of_machine;
    machine->perf_was_asked = facts->machine.perf_was_asked;
    machine->perf_errno = facts->machine.perf_errno;
    facts->machine = *machine;
}
