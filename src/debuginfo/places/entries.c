#include "debuginfo/places/entries.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

bool entry_list_add(struct entry_list *list, struct entry entry)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].address == entry.address)
            return true;
    if (list->count == list->room) {
        void *more = array_grown(list->items, &list->room, sizeof *list->items);
        if (!more)
            return false;
        list->items = more;
    }
    list->items[list->count++] = entry;
    return true;
}

void entry_list_release(struct entry_list *list)
{
    free(list->items);
    *list = (struct entry_list){0};
}

void near_names_note(struct near_names *near, const char *name, size_t distance)
{
    for (size_t i = 0; i < near->count; i++)
        if (strncmp(near->names[i], name, NEAR_NAME - 1) == 0)
            return;
    size_t at = near->count;
    while (at > 0 && near->distances[at - 1] > distance)
        at--;
    if (at == NEAR_NAMES)
        return;
    near->count += near->count < NEAR_NAMES;
    for (size_t i = near->count - 1; i > at; i--) {
        near->distances[i] = near->distances[i - 1];
        memcpy(near->names[i], near->names[i - 1], NEAR_NAME);
    }
    near->distances[at] = distance;
    snprintf(near->names[at], NEAR_NAME, "%s", name);
}

const char *near_names_text(const struct near_names *near, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < near->count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i == 0                 ? ""
                                 : i + 1 == near->count ? " or "
                                                        : ", ",
                                 near->names[i]);
    return text;
}
