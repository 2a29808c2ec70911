#include "stats/answers/story.h"

#include "base/array.h"
#include "stats/input/names.h"
#include "stats/input/target_key.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stretch {
    size_t run;
    uint32_t target; /* its number among the names */
    uint64_t start_ns, length_ns, windows;
    uint64_t began_ns, ended_ns, real_ns, stolen_ns; /* in real time; 0: unknown */
};

struct story {
    struct story_run *runs;
    size_t run_count, run_capacity;
    struct stretch *stretches;
    size_t stretch_count, stretch_capacity;
    struct names targets;        /* keys (target_key.h) */
    struct names sources;        /* paths */
    struct story_source *hashes; /* of the sources, by their number; owned */
    size_t hash_capacity;
};

struct story *story_new(void)
{
    return calloc(1, sizeof(struct story));
}

static void release_run(struct story_run *run)
{
    for (size_t i = 0; i < run->remark_count; i++) {
        free(run->remarks[i].text);
        free(run->remarks[i].remedy);
    }
    free(run->remarks);
    free(run->program);
    free(run->sampler);
    free(run->granularity);
    free(run->model);
    free(run->slices);
}

void story_free(struct story *story)
{
    if (!story)
        return;
    for (size_t i = 0; i < story->run_count; i++)
        release_run(&story->runs[i]);
    for (size_t i = 0; i < story->hash_capacity; i++) {
        free(story->hashes[i].sha256);
        free(story->hashes[i].md5);
    }
    free(story->hashes);
    free(story->runs);
    free(story->stretches);
    names_release(&story->targets);
    names_release(&story->sources);
    free(story);
}

/* *copy is of what may be absent. */
static int copy_text(char **copy, const char *text)
{
    *copy = text ? strdup(text) : NULL;
    return text && !*copy ? -ENOMEM : 0;
}

static struct story_run *begin_run(struct story *story)
{
    if (story->run_count == story->run_capacity) {
        struct story_run *more = array_grown(story->runs, &story->run_capacity, sizeof *more);
        if (!more)
            return NULL;
        story->runs = more;
    }
    struct story_run *run = &story->runs[story->run_count++];
    *run = (struct story_run){.load = NAN, .others = NAN, .stolen = NAN};
    return run;
}

static int add_startup(struct story *story, const struct profile_record *record)
{
    struct story_run *run = begin_run(story);
    if (!run)
        return -ENOMEM;
    run->time_ns = record->startup.time_ns;
    int code = copy_text(&run->program, record->startup.program);
    if (code == 0)
        code = copy_text(&run->sampler, record->startup.sampler);
    if (code == 0)
        code = copy_text(&run->granularity, record->startup.granularity);
    if (code == 0)
        code = copy_text(&run->model, record->startup.model);
    run->cores = record->startup.cores;
    run->allowed = record->startup.allowed ? record->startup.allowed : run->cores;
    if (run->cores)
        run->load = record->startup.load;
    return code;
}

static struct stretch *begin_stretch(struct story *story)
{
    if (story->stretch_count == story->stretch_capacity) {
        struct stretch *more = array_grown(story->stretches, &story->stretch_capacity, sizeof *more);
        if (!more)
            return NULL;
        story->stretches = more;
    }
    return &story->stretches[story->stretch_count++];
}

static long find_target(struct story *story, const struct profile_record *record)
{
    return target_key_add(&story->targets, record->experiment.kind, record->experiment.selected);
}

/* A profile whose beginning is lost has windows before any run begins. */
static struct story_run *current_run(struct story *story)
{
    return story->run_count > 0 ? &story->runs[story->run_count - 1] : begin_run(story);
}

/* When a window was, in real time, and what part of that was stolen. */
static int add_course(struct story_run *run, uint64_t began_ns, uint64_t real_ns, uint64_t stolen_ns)
{
    if (!began_ns)
        return 0;
    if (!run->slices)
        run->slices = calloc(1, sizeof *run->slices);
    if (!run->slices)
        return -ENOMEM;
    slices_add(run->slices, began_ns, real_ns, stolen_ns);
    return 0;
}

static int add_window(struct story *story, const struct profile_record *record)
{
    long target = find_target(story, record);
    struct story_run *run = current_run(story);
    if (target < 0 || !run)
        return -ENOMEM;
    uint64_t real = record->experiment.duration_ns + record->experiment.delay_ns;
    uint64_t length = real + record->experiment.settled_ns, began = record->experiment.began_ns;
    struct stretch *last = story->stretch_count > 0 ? &story->stretches[story->stretch_count - 1] : NULL;
    if (!last || last->run != story->run_count - 1 || last->target != (uint32_t)target) {
        last = begin_stretch(story);
        if (!last)
            return -ENOMEM;
        *last = (struct stretch){.run = story->run_count - 1,
                                 .target = (uint32_t)target,
                                 .start_ns = run->tried_ns,
                                 .began_ns = began};
    }
    last->length_ns += length;
    last->windows++;
    last->real_ns += real;
    last->stolen_ns += record->experiment.stolen_ns;
    last->ended_ns = began ? began + real : 0;
    run->tried_ns += length;
    run->windows++;
    return add_course(run, began, real, record->experiment.stolen_ns);
}

static int add_discarded(struct story *story, const struct profile_record *record)
{
    struct story_run *run = current_run(story);
    if (!run)
        return -ENOMEM;
    run->discarded++;
    return add_course(run, record->discarded.began_ns, record->discarded.real_ns,
                      record->discarded.stolen_ns);
}

static int add_remark(struct story *story, const struct profile_record *record)
{
    struct story_run *run = current_run(story);
    if (!run)
        return -ENOMEM;
    if (run->remark_count == run->remark_capacity) {
        struct story_remark *more = array_grown(run->remarks, &run->remark_capacity, sizeof *more);
        if (!more)
            return -ENOMEM;
        run->remarks = more;
    }
    struct story_remark *remark = &run->remarks[run->remark_count++];
    *remark = (struct story_remark){.at_ns = record->remark.at_ns};
    int code = copy_text(&remark->text, record->remark.text);
    return code ? code : copy_text(&remark->remedy, record->remark.remedy);
}

static void end_run(struct story *story, const struct profile_record *record)
{
    if (story->run_count == 0)
        return;
    struct story_run *run = &story->runs[story->run_count - 1];
    run->runtime_ns = record->runtime.time_ns;
    if (run->cores) {
        run->others = record->runtime.others;
        run->stolen = record->runtime.stolen;
    }
}

/* *hash is owned. */
static int add_hash(char **hash, const char *told)
{
    if (!told)
        return 0;
    if (!*hash)
        return copy_text(hash, told);
    if (strcmp(*hash, told) != 0)
        **hash = '\0';
    return 0;
}

static int add_source(struct story *story, const struct profile_record *record)
{
    long id = names_add(&story->sources, record->source.path);
    struct story_source *hashes =
        id < 0 ? NULL : array_zeroed(story->hashes, &story->hash_capacity, (size_t)id + 1, sizeof *hashes);
    if (!hashes)
        return -ENOMEM;
    story->hashes = hashes;
    int code = add_hash(&hashes[id].sha256, record->source.sha256);
    return code ? code : add_hash(&hashes[id].md5, record->source.md5);
}

struct story_source story_source(const struct story *story, const char *path)
{
    long id = names_find(&story->sources, path);
    return id < 0 ? (struct story_source){NULL, NULL} : story->hashes[id];
}

int story_add(struct story *story, const struct profile_record *record)
{
    if (record->type == PROFILE_STARTUP)
        return add_startup(story, record);
    if (record->type == PROFILE_EXPERIMENT)
        return add_window(story, record);
    if (record->type == PROFILE_DISCARDED)
        return add_discarded(story, record);
    if (record->type == PROFILE_SOURCE)
        return add_source(story, record);
    if (record->type == PROFILE_REMARK)
        return add_remark(story, record);
    if (record->type == PROFILE_RUNTIME)
        end_run(story, record);
    return 0;
}

size_t story_runs(const struct story *story, const struct story_run **runs)
{
    *runs = story->runs;
    return story->run_count;
}

static void name_piece(const struct story *story, struct story_piece *piece, uint32_t target)
{
    static const char *const kinds[] = {"line",   "function", "callsite", "file",
                                        "thread", "together", "region",   "wait"};
    const char *key = story->targets.text[target];
    size_t length = target_key_kind_length(key);
    piece->location = key + length + 1;
    piece->kind = "target";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strlen(kinds[i]) == length && memcmp(kinds[i], key, length) == 0)
            piece->kind = kinds[i];
}

/* The first `count` stretches are those of one piece: which target had most of its time? */
static uint32_t find_chief(const struct stretch *stretches, size_t count)
{
    uint64_t most = 0;
    uint32_t chief = stretches[0].target;
    for (size_t i = 0; i < count; i++) {
        uint64_t of_target = 0;
        for (size_t j = i; j < count; j++)
            if (stretches[j].target == stretches[i].target)
                of_target += stretches[j].length_ns;
        if (of_target > most) {
            most = of_target;
            chief = stretches[i].target;
        }
    }
    return chief;
}

size_t story_pieces(const struct story *story, struct story_piece *pieces, size_t most)
{
    size_t room = most > story->run_count ? most - story->run_count : 1, count = 0;
    size_t step = (story->stretch_count + room - 1) / room; /* and each run may end with a shorter one */
    for (size_t i = 0, length; i < story->stretch_count && count < most; i += length) {
        const struct stretch *first = &story->stretches[i];
        struct story_piece *piece = &pieces[count++];
        *piece = (struct story_piece){
            .run = first->run, .start_ns = first->start_ns, .began_ns = first->began_ns, .stolen = NAN};
        uint64_t real = 0, stolen = 0, ended = 0;
        for (length = 0;
             length < step && i + length < story->stretch_count && first[length].run == first->run;
             length++) {
            piece->length_ns += first[length].length_ns;
            piece->windows += first[length].windows;
            real += first[length].real_ns;
            stolen += first[length].stolen_ns;
            ended = first[length].ended_ns;
        }
        if (piece->began_ns && ended > piece->began_ns) {
            piece->lasted_ns = ended - piece->began_ns;
            piece->stolen = (double)stolen / (double)real;
        }
        name_piece(story, piece, find_chief(first, length));
    }
    return count;
}
