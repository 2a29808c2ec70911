#include "experiment/points/publish.h"

#include "experiment/breakpoints/place.h"
#include "experiment/breakpoints/trap.h"
#include "experiment/points/code.h"
#include "shared/point_slots.h"

#include <errno.h>

/* Tells the runtime that this call, in that code, visits that point. The bit comes last. */
static int add_call(struct segment *segment, unsigned call, uint32_t type, const char *name,
                    struct segment_code caller)
{
    struct segment_point *point = point_slot_of(segment, type, name);
    uint32_t count = atomic_load(&segment->call_point_count);
    if (!point || count == SEGMENT_CALL_POINTS)
        return -ENOSPC;
    segment->call_points[count] =
        (struct segment_call_point){call, (uint32_t)(point - segment->points), caller};
    atomic_store(&segment->call_point_count, count + 1);
    atomic_fetch_or(&segment->due.calls[call / 64], 1ull << call % 64);
    return 0;
}

int points_add_call(struct segment *segment, unsigned call, const char *name, struct coz_error *err)
{
    int rc = add_call(segment, call, POINT_THROUGHPUT, name, (struct segment_code){0});
    return rc ? error_set(err, -rc, "there is no room for another progress point") : 0;
}

static int publish_call(struct segment_owner *owner, const char *program, const struct place_spec *place,
                        uint32_t type, const char *name, struct coz_error *err)
{
    struct segment_code caller = {0};
    int rc = place->line ? code_of_line(owner, program, place->file, place->line, &caller, err) : 0;
    if (rc == 0 && add_call(owner->segment, place->call, type, name, caller))
        rc = error_set(err, EINVAL, "there is no room for another progress point");
    return rc;
}

static int publish_sampled(struct segment_owner *owner, const char *program, const struct place_spec *place,
                           const char *name, struct coz_error *err)
{
    struct segment *segment = owner->segment;
    struct segment_sampled_point sampled = {0};
    uint32_t count = atomic_load(&segment->sampled_point_count);
    int rc = code_of_line(owner, program, place->file, place->line, &sampled.code, err);
    if (rc)
        return rc;
    const struct segment_point *point = point_slot_of(segment, POINT_THROUGHPUT, name);
    if (!point || count == SEGMENT_SAMPLED_POINTS)
        return error_set(err, EINVAL, "there is no room for another point of samples (%d at most)",
                         SEGMENT_SAMPLED_POINTS);
    sampled.point = (uint32_t)(point - segment->points);
    segment->sampled_points[count] = sampled;
    atomic_store(&segment->sampled_point_count, count + 1);
    return 0;
}

/* Where the program's files are looked through, once for all points. */
struct publishing {
    struct segment_owner *owner;
    const char *program;
    struct program_files files; /* filled when the first breakpoint is asked for */
};

static int begin_breakpoints(struct publishing *publishing, struct coz_error *err)
{
    if (publishing->files.count)
        return 0;
    int rc = trap_measure(&publishing->owner->segment->breakpoints.cost_ns, err);
    return rc ? rc : program_files_list(&publishing->files, publishing->program, err);
}

static int publish_breakpoint(struct publishing *publishing, const struct place_spec *place, uint32_t type,
                              const char *name, struct coz_error *err)
{
    static const enum break_kind kinds[] = {[PLACE_LINE] = BREAK_LINE,
                                            [PLACE_FUNCTION] = BREAK_FUNCTION,
                                            [PLACE_RETURN] = BREAK_RETURN,
                                            [PLACE_USDT] = BREAK_PROBE};
    struct segment *segment = publishing->owner->segment;
    struct break_place wanted = {kinds[place->kind], place->file, place->provider, place->name, place->line};
    int rc = begin_breakpoints(publishing, err);
    struct segment_point *point = rc ? NULL : point_slot_of(segment, type, name);
    if (rc == 0 && !point)
        rc = error_set(err, ENOSPC, "there is no room for another progress point");
    return rc ? rc
              : break_place_set(segment, &publishing->files, &wanted, (uint32_t)(point - segment->points),
                                err);
}

static int publish_place(struct publishing *publishing, const struct place_spec *place, uint32_t type,
                         const char *name, struct coz_error *err)
{
    switch (place->kind) {
    case PLACE_CALL:
        return publish_call(publishing->owner, publishing->program, place, type, name, err);
    case PLACE_EXIT: /* nothing within the run */
        return 0;
    case PLACE_LINE:
    case PLACE_FUNCTION:
    case PLACE_RETURN:
    case PLACE_USDT:
        return publish_breakpoint(publishing, place, type, name, err);
    case PLACE_SAMPLED:
        return publish_sampled(publishing->owner, publishing->program, place, name, err);
    }
    return error_set(err, EINVAL, "there are no points of this kind");
}

static int publish_spec(struct publishing *publishing, const struct point_spec *spec, struct coz_error *err)
{
    if (!spec->is_latency)
        return publish_place(publishing, &spec->at, POINT_THROUGHPUT, spec->text, err);
    int rc = publish_place(publishing, &spec->at, POINT_BEGIN, spec->text, err);
    return rc ? rc : publish_place(publishing, &spec->end, POINT_END, spec->text, err);
}

int points_publish(struct segment_owner *owner, const char *program, const struct point_spec *specs,
                   size_t count, struct coz_error *err)
{
    struct publishing publishing = {.owner = owner, .program = program};
    struct coz_error why = {""};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < count; i++)
        if (publish_spec(&publishing, &specs[i], &why))
            rc = error_set(err, EINVAL, "-p %.200s: %.300s", specs[i].text, why.text);
    break_places_finish(owner->segment);
    program_files_release(&publishing.files);
    return rc;
}
