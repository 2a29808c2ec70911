#include "stats/compare/side.h"

#include "base/array.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void side_begin(struct compare_side *side, struct analysis *analysis, struct story *story)
{
    *side = (struct compare_side){.analysis = analysis, .story = story};
}

void side_release(struct compare_side *side)
{
    for (size_t i = 0; i < side->locations.count && i < side->text_capacity; i++)
        free(side->texts[i]);
    free(side->texts);
    names_release(&side->locations);
    rates_release(&side->rates);
    *side = (struct compare_side){0};
}

static int add_text(struct compare_side *side, const char *location, const char *text)
{
    void *room =
        array_zeroed(side->texts, &side->text_capacity, side->locations.count + 1, sizeof *side->texts);
    if (!room)
        return -ENOMEM;
    side->texts = room;
    long id = names_add(&side->locations, location);
    if (id < 0)
        return -ENOMEM;
    if (!side->texts[id])
        side->texts[id] = strdup(text);
    else if (strcmp(side->texts[id], text) != 0)
        *side->texts[id] = '\0'; /* of different builds: which was meant, nobody knows */
    return side->texts[id] ? 0 : -ENOMEM;
}

const char *side_text(const struct compare_side *side, const char *location)
{
    long id = names_find(&side->locations, location);
    return id >= 0 && *side->texts[id] ? side->texts[id] : NULL;
}

int side_add(struct compare_side *side, const struct profile_record *record)
{
    int code = rates_add(&side->rates, record);
    if (code == 0 && record->type == PROFILE_SAMPLES && record->samples.text)
        code = add_text(side, record->samples.location, record->samples.text);
    return code;
}

void side_end_file(struct compare_side *side)
{
    rates_end_file(&side->rates);
}
