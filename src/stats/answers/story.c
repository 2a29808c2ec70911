#include "stats/answers/story.h"

#include "base/array.h"
#include "stats/input/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct stretch {
    size_t run;
    uint32_t target; /* its number among the names */
    uint64_t start_ns, length_ns, windows;
};

struct story {
    struct story_run *runs;
    size_t run_count, run_capacity;
    struct stretch *stretches;
    size_t stretch_count, stretch_capacity;
    struct names targets; /* "kind\037location" */
};

struct story *story_new(void)
{
    return calloc(1, sizeof(struct story));
}

void story_free(struct story *story)
{
    if (!story)
        return;
    for (size_t i = 0; i < story->run_count; i++) {
        free(story->runs[i].program);
        free(story->runs[i].sampler);
        free(story->runs[i].granularity);
    }
    free(story->runs);
    free(story->stretches);
    names_release(&story->targets);
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
    *run = (struct story_run){0};
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
    char *key;
    if (asprintf(&key, "%s\037%s", record->experiment.kind ? record->experiment.kind : "line",
                 record->experiment.selected) < 0)
        return -1;
    long id = names_add(&story->targets, key);
    free(key);
    return id;
}

static int add_window(struct story *story, const struct profile_record *record)
{
    long target = find_target(story, record);
    /* A profile whose beginning is lost has windows before any run begins. */
    struct story_run *run = story->run_count > 0 ? &story->runs[story->run_count - 1] : begin_run(story);
    if (target < 0 || !run)
        return -ENOMEM;
    uint64_t length =
        record->experiment.duration_ns + record->experiment.delay_ns + record->experiment.settled_ns;
    struct stretch *last = story->stretch_count > 0 ? &story->stretches[story->stretch_count - 1] : NULL;
    if (!last || last->run != story->run_count - 1 || last->target != (uint32_t)target) {
        last = begin_stretch(story);
        if (!last)
            return -ENOMEM;
        *last = (struct stretch){story->run_count - 1, (uint32_t)target, run->tried_ns, 0, 0};
    }
    last->length_ns += length;
    last->windows++;
    run->tried_ns += length;
    run->windows++;
    return 0;
}

int story_add(struct story *story, const struct profile_record *record)
{
    if (record->type == PROFILE_STARTUP)
        return add_startup(story, record);
    if (record->type == PROFILE_EXPERIMENT)
        return add_window(story, record);
    if (record->type == PROFILE_RUNTIME && story->run_count > 0)
        story->runs[story->run_count - 1].runtime_ns = record->runtime.time_ns;
    return 0;
}

size_t story_runs(const struct story *story, const struct story_run **runs)
{
    *runs = story->runs;
    return story->run_count;
}

static void name_piece(const struct story *story, struct story_piece *piece, uint32_t target)
{
    static const char *const kinds[] = {"line", "function", "callsite", "region", "wait"};
    const char *key = story->targets.text[target], *end = strchr(key, '\037');
    piece->location = end + 1;
    piece->kind = "target";
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strlen(kinds[i]) == (size_t)(end - key) && memcmp(kinds[i], key, (size_t)(end - key)) == 0)
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
        *piece = (struct story_piece){.run = first->run, .start_ns = first->start_ns};
        for (length = 0;
             length < step && i + length < story->stretch_count && first[length].run == first->run;
             length++) {
            piece->length_ns += first[length].length_ns;
            piece->windows += first[length].windows;
        }
        name_piece(story, piece, find_chief(first, length));
    }
    return count;
}
