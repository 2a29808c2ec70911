#include "debuginfo/stacks/place_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debuginfo/lines/lines.h"
#include "debuginfo/stacks/functions.h"

bool place_names_init(struct place_names *names, struct debuginfo_place *places, size_t count)
{
    *names = (struct place_names){.places = places, .count = count, .lock = PTHREAD_MUTEX_INITIALIZER};
    bool ok = true;
    for (size_t i = 0; ok && i < count; i++)
        ok = range_list_add(&names->code, places[i].address, (uint64_t)places[i].address + 1);
    range_list_sort(&names->code);
    names->named_by = calloc(count + 1, sizeof *names->named_by);
    return ok && names->named_by;
}

void place_names_release(struct place_names *names)
{
    free(names->named_by);
    range_list_release(&names->code);
}

/* ---- what a unit says of its places ---- */

/* Of a place: its line, the frame there, and the one that has the wanted line. */
struct finding {
    uint32_t source, line;
    uint32_t entry, named;
    bool found;
};

struct search {
    struct place_names *names;
    const struct source_table *sources;
    struct finding *findings; /* of each place */
};

static size_t first_place(const struct place_names *names, uint32_t address)
{
    size_t low = 0, high = names->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (names->places[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Where two lines claim the same code the first one has it. */
static void note_lines(struct search *search, const struct line_range_list *lines)
{
    const struct place_names *names = search->names;
    for (size_t i = 0; i < lines->count; i++) {
        const struct line_range *line = &lines->items[i];
        for (size_t j = first_place(names, line->start);
             j < names->count && names->places[j].address < line->end; j++) {
            struct finding *finding = &search->findings[j];
            if (!finding->line)
                *finding = (struct finding){.source = line->source, .line = line->line, .found = true};
        }
    }
}

static bool note_entry(void *context, uint32_t start, uint32_t end, uint32_t entry)
{
    const struct search *search = context;
    const struct place_names *names = search->names;
    for (size_t i = first_place(names, start); i < names->count && names->places[i].address < end; i++) {
        search->findings[i].entry = entry;
        search->findings[i].found = true;
    }
    return true;
}

static bool is_line(const struct search *search, const struct debuginfo_place *place, uint32_t source,
                    uint32_t line)
{
    return line && line == place->line && place->file &&
           strcmp(search->sources->items[source].path, place->file) == 0;
}

/* The entry whose function has the place's line, else the outermost one. */
static uint32_t entry_of_line(const struct search *search, const struct frames *frames, size_t place)
{
    const struct debuginfo_place *wanted = &search->names->places[place];
    const struct finding *finding = &search->findings[place];
    uint32_t entry = finding->entry;
    bool here = is_line(search, wanted, finding->source, finding->line);
    while (entry && !here && frames->entries[entry].outer) {
        const struct frame_entry *inlined = &frames->entries[entry];
        here = is_line(search, wanted, inlined->call_source, inlined->call_line);
        entry = inlined->outer;
    }
    return entry;
}

/* Entries that are wanted, with the numbers that they get among those. */
struct choice {
    const struct frames *all;
    struct frames *few;
    uint32_t *numbers; /* of all entries; 0: not wanted */
};

static uint32_t choose(struct choice *choice, uint32_t entry)
{
    if (entry && !choice->numbers[entry]) {
        choice->numbers[entry] = (uint32_t)choice->few->count;
        choice->few->entries[choice->few->count++] = choice->all->entries[entry];
    }
    return choice->numbers[entry];
}

/* Changes the findings' entries into those of *few, which has no more than these. */
static bool choose_entries(struct search *search, const struct frames *frames, struct frames *few)
{
    struct choice choice = {frames, few, calloc(frames->count + 1, sizeof(uint32_t))};
    few->entries = calloc(frames->count + 1, sizeof *few->entries);
    bool ok = choice.numbers && few->entries;
    few->count = 1;
    for (size_t i = 0; ok && i < search->names->count; i++) {
        struct finding *finding = &search->findings[i];
        finding->named = choose(&choice, entry_of_line(search, frames, i));
        if (search->names->places[i].wants_frames)
            for (uint32_t entry = finding->entry; entry; entry = frames->entries[entry].outer)
                choose(&choice, entry);
        finding->entry = finding->entry ? choice.numbers[finding->entry] : 0;
    }
    for (size_t i = 1; ok && i < few->count; i++)
        few->entries[i].outer = choice.numbers[few->entries[i].outer];
    free(choice.numbers);
    return ok;
}

/* NULL without memory, and where nothing is known. */
static char *frames_text(const struct search *search, const struct frames *few,
                         const struct unit_functions *functions, const struct finding *finding)
{
    char *text = NULL;
    size_t size;
    FILE *out = finding->entry ? open_memstream(&text, &size) : NULL;
    uint32_t source = finding->source, line = finding->line;
    for (uint32_t entry = finding->entry; out && entry; entry = few->entries[entry].outer) {
        const struct unit_function *function = &functions->items[functions->of_entry[entry]];
        const char *name = function->name ? function->name : "";
        const char *colon = function->is_local ? strchr(name, ':') : NULL; /* its file stands there anyway */
        bool is_inlined = few->entries[entry].outer;
        fprintf(out, "%s\t", colon ? colon + 1 : name);
        if (source && line)
            fprintf(out, "%s:%u", search->sources->items[source].path, line);
        fputs(is_inlined ? "\tinlined\n" : "\n", out);
        source = few->entries[entry].call_source;
        line = few->entries[entry].call_line;
    }
    if (out && fclose(out) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

static void take_names(struct search *search, const struct frames *few,
                       const struct unit_functions *functions, size_t number)
{
    struct place_names *names = search->names;
    pthread_mutex_lock(&names->lock);
    for (size_t i = 0; i < names->count; i++) {
        const struct finding *finding = &search->findings[i];
        struct debuginfo_place *place = &names->places[i];
        if (!finding->found || (names->named_by[i] && names->named_by[i] < number + 1))
            continue;
        const char *name = functions->items[functions->of_entry[finding->named]].name;
        free(place->function);
        free(place->frames);
        place->function = name ? strdup(name) : NULL;
        place->frames = place->wants_frames ? frames_text(search, few, functions, finding) : NULL;
        names->named_by[i] = number + 1;
    }
    pthread_mutex_unlock(&names->lock);
}

static bool name_places(struct search *search, const struct unit *unit, size_t number, struct frames *frames,
                        struct source_table *sources)
{
    struct frames few = {0};
    struct unit_functions functions = {0};
    bool ok = cover_resolve(&frames->covers, note_entry, search) && choose_entries(search, frames, &few);
    frames_release(frames);
    sections_give_back_all(unit->sections);
    ok = ok && unit_read_functions(unit, &few, sources, &functions);
    if (ok)
        take_names(search, &few, &functions, number);
    unit_functions_release(&functions);
    frames_release(&few);
    return ok;
}

int place_names_add_unit(struct place_names *names, struct unit *unit, size_t number,
                         const struct line_header *header, struct source_table *sources)
{
    struct frames frames = {0};
    struct line_range_list lines = {0};
    struct search search = {.names = names, .sources = sources};
    search.findings = calloc(names->count + 1, sizeof *search.findings);
    unit->keeps_all_lines = true;
    int result = search.findings ? unit_read_lines(unit, header, sources, &lines) : UNIT_NO_MEMORY,
        tree = result;
    if (result != UNIT_NO_MEMORY) {
        note_lines(&search, &lines);
        free(lines.items);
        lines.items = NULL;
        sections_give_back_all(unit->sections);
        tree = unit_read_frames(unit, sources, &unit->code, &frames);
    }
    bool ok = tree != UNIT_NO_MEMORY && name_places(&search, unit, number, &frames, sources);
    frames_release(&frames);
    free(lines.items);
    free(search.findings);
    return !ok ? UNIT_NO_MEMORY : result != UNIT_OK ? result : tree;
}
