#include "report/json/runs.h"

#include "report/json/values.h"

#include <string.h>

enum { PIECES_MOST = 600, SLICED_MOST = 20, REMARKS_MOST = 40 };

/* How long each slice of the run is, and what share of each was stolen; null where no window tells. */
static json_t *slices_json(const struct slices *slices)
{
    json_t *shares = json_array();
    for (size_t i = 0; i < slices->count; i++)
        json_array_append_new(shares, make_rounded(slices->all[i].stolen_ns / slices->all[i].seen_ns));
    return json_pack("{s:I, s:o}", "length", (json_int_t)slices->length_ns, "shares", shares);
}

/* One of the words that a reader can expect. */
static const char *granularity_of(const char *raw)
{
    static const char *const words[] = {"function", "callsite", "file", "thread", "region"};
    for (size_t i = 0; raw && i < sizeof words / sizeof *words; i++)
        if (strcmp(raw, words[i]) == 0)
            return words[i];
    return "line";
}

static void set_machine(json_t *object, const struct story_run *run)
{
    json_object_set_new(object, "cores", run->cores ? json_integer((json_int_t)run->cores) : json_null());
    json_object_set_new(object, "allowed", run->cores ? json_integer((json_int_t)run->allowed) : json_null());
    json_object_set_new(object, "model", make_text(run->model));
    json_object_set_new(object, "load", make_number(run->load));
    json_object_set_new(object, "others", make_rounded(run->others));
    json_object_set_new(object, "stolen", make_rounded(run->stolen));
}

/* What is told of a run; null where its profile does not tell. */
static json_t *run_json(const struct story_run *run)
{
    return json_pack("{s:I, s:o, s:o, s:s, s:I, s:I, s:I}", "time", (json_int_t)run->time_ns, "program",
                     make_text(run->program), "sampler", make_text(run->sampler), "granularity",
                     granularity_of(run->granularity), "runtime", (json_int_t)run->runtime_ns, "tried",
                     (json_int_t)run->tried_ns, "windows", (json_int_t)run->windows);
}

static json_t *piece_json(const struct story_piece *piece)
{
    bool is_known = piece->lasted_ns > 0;
    return json_pack("{s:I, s:s, s:o, s:I, s:I, s:I, s:o, s:o, s:o}", "run", (json_int_t)piece->run, "kind",
                     piece->kind, "location", make_text(piece->location), "start",
                     (json_int_t)piece->start_ns, "length", (json_int_t)piece->length_ns, "windows",
                     (json_int_t)piece->windows, "began",
                     is_known ? json_integer((json_int_t)piece->began_ns) : json_null(), "lasted",
                     is_known ? json_integer((json_int_t)piece->lasted_ns) : json_null(), "stolen",
                     make_rounded(piece->stolen));
}

/* What the user was told of the run, and when, in nanoseconds since its start. A whole file of them is nobody's. */
static json_t *remarks_json(const struct story_run *run)
{
    json_t *array = json_array();
    for (size_t i = 0; i < run->remark_count && i < REMARKS_MOST; i++) {
        const struct story_remark *remark = &run->remarks[i];
        json_array_append_new(array, json_pack("{s:I, s:o, s:o}", "at", (json_int_t)remark->at_ns, "text",
                                               make_text(remark->text), "remedy", make_text(remark->remedy)));
    }
    return array;
}

void runs_set(json_t *root, const struct story *story)
{
    const struct story_run *runs;
    size_t count = story_runs(story, &runs);
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        json_t *run = run_json(&runs[i]);
        set_machine(run, &runs[i]);
        json_object_set_new(run, "discarded", json_integer((json_int_t)runs[i].discarded));
        json_object_set_new(run, "slices",
                            runs[i].slices && i < SLICED_MOST ? slices_json(runs[i].slices) : json_null());
        json_object_set_new(run, "remarks", remarks_json(&runs[i]));
        json_array_append_new(array, run);
    }
    json_object_set_new(root, "runs", array);

    struct story_piece pieces[PIECES_MOST];
    count = story_pieces(story, pieces, PIECES_MOST);
    array = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(array, piece_json(&pieces[i]));
    json_object_set_new(root, "tried", array);
}
