#include "experiment/breakpoints/place.h"

#include "debuginfo/places/line_entries.h"
#include "debuginfo/places/probes.h"
#include "debuginfo/places/return_entries.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* What is found in one file, and what is told when it is in none. */
struct finding {
    const struct break_place *place;
    struct entry_list entries;
    struct line_entries lines;
    struct return_entries returns; /* and the function's, also where it is the entries that are wanted */
    struct near_names probes;
    bool has_provider;
    bool no_memory;
};

static void finding_release(struct finding *finding)
{
    entry_list_release(&finding->entries);
    entry_list_release(&finding->lines.list);
    entry_list_release(&finding->returns.list);
    entry_list_release(&finding->returns.function.list);
}

static size_t distance_of(const char *a, const char *b)
{
    size_t same = 0;
    while (a[same] && a[same] == b[same])
        same++;
    return 1000 - (same < 1000 ? same : 1000);
}

/* What the source calls a-b is a__b in the note; people write either. */
static bool is_probes_name(const char *noted, const char *wanted)
{
    for (; *wanted; wanted++) {
        size_t length = *wanted == '-' ? 2 : 1;
        if (strncmp(noted, *wanted == '-' ? "__" : wanted, length) != 0)
            return *wanted == '-' && strcmp(noted, wanted) == 0;
        noted += length;
    }
    return *noted == '\0';
}

static void look_at_probe(void *context, const struct probe *probe)
{
    struct finding *finding = context;
    const struct break_place *place = finding->place;
    char name[NEAR_NAME];
    bool is_providers = strcmp(probe->provider, place->provider) == 0;
    snprintf(name, sizeof name, "usdt:%s:%s", probe->provider, probe->name);
    /* Those of the provider that was named come first. */
    near_names_note(&finding->probes, name,
                    distance_of(probe->name, place->name) + (is_providers ? 0 : 2000));
    finding->has_provider |= is_providers;
    if (is_providers && is_probes_name(probe->name, place->name))
        finding->no_memory |= !entry_list_add(&finding->entries, probe->at);
}

static struct entry_list *look_in_file(struct finding *finding, struct elf_file *elf)
{
    const struct break_place *place = finding->place;
    switch (place->kind) {
    case BREAK_LINE:
        finding->no_memory |= line_entries_find(elf, place->file, place->line, &finding->lines) != 0;
        return &finding->lines.list;
    case BREAK_FUNCTION:
        finding->no_memory |= function_entries_find(elf, place->name, &finding->returns.function) != 0;
        return &finding->returns.function.list;
    case BREAK_RETURN:
        finding->no_memory |= return_entries_find(elf, place->name, &finding->returns) != 0;
        return &finding->returns.list;
    case BREAK_PROBE:
        break;
    }
    probes_list(elf, look_at_probe, finding);
    return &finding->entries;
}

/* ---- what is told */

static int tell_no_line(const struct finding *finding, const char *program, struct coz_error *err)
{
    const struct break_place *place = finding->place;
    const struct line_entries *lines = &finding->lines;
    if (!lines->has_lines)
        return error_set(err, EINVAL,
                         "%.150s has no debug information for its lines: compile with -g, or name a function",
                         program);
    if (!lines->has_file)
        return error_set(
            err, EINVAL,
            "no source of that name has code in %.150s or its libraries (`coz lines %.100s` lists what there is)",
            program, program);
    if (lines->below && lines->above)
        return error_set(err, EINVAL,
                         "no code begins at line %u; the nearest lines that have some are %u and %u",
                         place->line, lines->below, lines->above);
    return error_set(err, EINVAL, "no code begins at line %u; the nearest line that has some is %u",
                     place->line, lines->below ? lines->below : lines->above);
}

static int tell_no_function(const struct finding *finding, const char *program, struct coz_error *err)
{
    const struct function_entries *functions = &finding->returns.function;
    char near[3 * NEAR_NAME + 10];
    near_names_text(&functions->near, near, sizeof near);
    if (functions->is_chosen_at_start)
        return error_set(err, EINVAL,
                         "which code %.150s has is chosen as the program starts; name that code's function",
                         functions->name);
    if (functions->names)
        return error_set(err, EINVAL, "no code of %.150s is left in %.150s: the compiler did without it",
                         functions->name, program);
    if (*near)
        return error_set(err, EINVAL,
                         "no such function in %.100s or its libraries; the nearest names: %.300s", program,
                         near);
    return error_set(
        err, EINVAL,
        "no such function in %.150s or its libraries (`coz lines --functions` lists a program's; one without symbols has none)",
        program);
}

/* Where a function returns is not known, and why. */
static int tell_no_return(const struct finding *finding, const char *program, struct coz_error *err)
{
    static const char remedy[] = "what enters it leaves it: take the function itself, or a line at its end";
    const struct return_entries *returns = &finding->returns;
    unsigned long long address = returns->address;
    switch (returns->obstacle) {
    case RETURNS_ARE_KNOWN:
        break;
    case RETURNS_OF_COPIES:
        return error_set(err, EINVAL, "%.100s was inlined, and a copy does not return; %s",
                         returns->function.name, remedy);
    case RETURNS_OF_OTHERS:
        return error_set(err, EINVAL, "where functions return is known on x86-64 only; %s", remedy);
    case RETURNS_UNREADABLE:
        return error_set(err, EINVAL, "the code of %.100s cannot be read at 0x%llx; %s",
                         returns->function.name, address, remedy);
    case RETURNS_PERHAPS:
        return error_set(err, EINVAL,
                         "by its jump at 0x%llx %.100s may leave, or go on, which is not known; %s", address,
                         returns->function.name, remedy);
    case RETURNS_NEVER:
        return error_set(err, EINVAL, "%.100s has no code by which it returns; take the function itself",
                         returns->function.name);
    }
    return tell_no_function(finding, program, err);
}

static int tell_no_probe(const struct finding *finding, const char *program, struct coz_error *err)
{
    char near[3 * NEAR_NAME + 10];
    near_names_text(&finding->probes, near, sizeof near);
    if (*near)
        return error_set(err, EINVAL, "no such probe in %.100s or its libraries; there are %.330s", program,
                         near);
    return error_set(err, EINVAL, "neither %.150s nor its libraries have static probes", program);
}

static int tell_nothing(const struct finding *finding, const char *program, struct coz_error *err)
{
    switch (finding->place->kind) {
    case BREAK_LINE:
        return tell_no_line(finding, program, err);
    case BREAK_FUNCTION:
        return tell_no_function(finding, program, err);
    case BREAK_RETURN:
        return tell_no_return(finding, program, err);
    case BREAK_PROBE:
        break;
    }
    return tell_no_probe(finding, program, err);
}

/* ---- setting them */

static int tell_too_many(const struct finding *finding, size_t wanted, size_t left, struct coz_error *err)
{
    char copies[60] = "";
    size_t inlined = finding->returns.function.inlined;
    if (finding->place->kind == BREAK_RETURN)
        snprintf(copies, sizeof copies, " at which it returns (its entry is one)");
    else if (inlined)
        snprintf(copies, sizeof copies, " (%zu inlined copies among them)", inlined);
    return error_set(
        err, ENOSPC,
        "that is %zu addresses%s, and of the processor's 4 breakpoints %zu are left; a static probe or a call "
        "(call:NAME), or a line of a function that is not inlined, needs fewer, and FILE:LINE@sampled none",
        wanted, copies, left);
}

static int set_breakpoints(struct segment *segment, const struct finding *finding,
                           const struct entry_list *entries, const char *path, uint32_t point,
                           struct coz_error *err)
{
    struct segment_breakpoints *all = &segment->breakpoints;
    uint32_t count = atomic_load(&all->count);
    struct stat status;
    if (stat(path, &status))
        return error_set(err, errno, "%.200s: %s", path, strerror(errno));
    if (entries->count > SEGMENT_BREAKPOINTS - count)
        return tell_too_many(finding, entries->count, SEGMENT_BREAKPOINTS - count, err);
    for (size_t i = 0; i < entries->count; i++)
        all->items[count + i] = (struct segment_breakpoint){.device = status.st_dev,
                                                            .inode = status.st_ino,
                                                            .address = entries->items[i].address,
                                                            .semaphore = entries->items[i].semaphore,
                                                            .point = point};
    atomic_store(&all->count, count + (uint32_t)entries->count);
    segment->points[point].is_breakpoint = 1;
    return 0;
}

/* What was found in one file is told of when no later one has the place, if it tells more. */
static bool knows_more(const struct finding *a, const struct finding *b)
{
    return a->lines.has_file > b->lines.has_file || a->returns.function.names > b->returns.function.names ||
           a->returns.function.near.count > b->returns.function.near.count ||
           a->probes.count > b->probes.count || a->has_provider > b->has_provider;
}

static int look_everywhere(struct segment *segment, const struct program_files *files, uint32_t point,
                           struct finding *best, struct coz_error *err)
{
    for (size_t i = 0; i < files->count; i++) {
        struct elf_file elf;
        struct coz_error why = {""};
        struct finding finding = {.place = best->place};
        int rc = elf_file_open(&elf, files->paths[i], &why);
        const struct entry_list *entries = rc == 0 ? look_in_file(&finding, &elf) : &finding.entries;
        elf_file_close(&elf);
        if (rc && i == 0)
            return error_set(err, -rc, "%.300s%s", why.text,
                             rc == -ENOEXEC ? ": of a script, profile the program that it runs" : "");
        if (finding.no_memory)
            rc = error_set(err, ENOMEM, "out of memory");
        else if (finding.returns.function.names > 1)
            rc = error_set(
                err, EINVAL,
                "that is the name of several functions in %.150s, one of which is %.150s; say more of it",
                files->paths[i], finding.returns.function.name);
        else if (entries->count)
            rc = set_breakpoints(segment, &finding, entries, files->paths[i], point, err);
        else
            rc = 1;
        if (rc == 1 && (i == 0 || knows_more(&finding, best))) {
            finding_release(best);
            *best = finding;
        } else {
            finding_release(&finding);
        }
        if (rc <= 0)
            return rc;
        /* What another file calls so is another function. */
        if (best->returns.function.is_chosen_at_start || best->returns.obstacle != RETURNS_ARE_KNOWN)
            return 1;
    }
    return 1;
}

int break_place_set(struct segment *segment, const struct program_files *files,
                    const struct break_place *place, uint32_t point, struct coz_error *err)
{
    struct finding best = {.place = place};
    int rc = look_everywhere(segment, files, point, &best, err);
    if (rc > 0)
        rc = tell_nothing(&best, files->paths[0], err);
    finding_release(&best);
    return rc;
}

static uint32_t count_of_point(const struct segment_breakpoints *all, uint32_t point)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < all->count; i++)
        count += all->items[i].point == point;
    return count;
}

void break_places_finish(struct segment *segment)
{
    struct segment_breakpoints *all = &segment->breakpoints;
    uint32_t left = SEGMENT_BREAKPOINTS - atomic_load(&all->count), most = 0;
    for (uint32_t i = 0; i < all->count; i++) {
        if (segment->points[all->items[i].point].type != POINT_THROUGHPUT)
            continue; /* ends of latencies take no edges */
        uint32_t count = count_of_point(all, all->items[i].point);
        most = count > most && count <= left ? count : most;
    }
    all->alarms = most;
    /* Who has alarms takes its edges itself. */
    for (uint32_t i = 0; i < all->count; i++) {
        struct segment_point *point = &segment->points[all->items[i].point];
        if (point->type == POINT_THROUGHPUT && count_of_point(all, all->items[i].point) <= most)
            atomic_store(&point->precise, 1);
    }
}
