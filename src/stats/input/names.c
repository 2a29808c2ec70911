#include "stats/input/names.h"

#include "base/array.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

static int grow_slots(struct names *names)
{
    size_t slot_count = names->slot_count ? names->slot_count * 2 : 64;
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    if (!slots)
        return -1;
    for (size_t id = 0; id < names->count; id++) {
        size_t slot = hash_text(names->text[id]) & (slot_count - 1);
        while (slots[slot])
            slot = (slot + 1) & (slot_count - 1);
        slots[slot] = (uint32_t)id + 1;
    }
    free(names->slots);
    names->slots = slots;
    names->slot_count = slot_count;
    return 0;
}

long names_find(const struct names *names, const char *text)
{
    if (names->count == 0)
        return -1;
    size_t slot = hash_text(text) & (names->slot_count - 1);
    for (; names->slots[slot]; slot = (slot + 1) & (names->slot_count - 1))
        if (strcmp(names->text[names->slots[slot] - 1], text) == 0)
            return (long)names->slots[slot] - 1;
    return -1;
}

long names_add(struct names *names, const char *text)
{
    if (names->count > 0 && strcmp(names->text[names->last], text) == 0)
        return (long)names->last;
    long id = names_find(names, text);
    if (id >= 0) {
        names->last = (size_t)id;
        return id;
    }
    if (2 * names->count >= names->slot_count && grow_slots(names) < 0)
        return -1;
    if (names->count == names->capacity) {
        char **more = array_grown(names->text, &names->capacity, sizeof *more);
        if (!more)
            return -1;
        names->text = more;
    }
    char *copy = strdup(text);
    if (!copy)
        return -1;
    size_t slot = hash_text(text) & (names->slot_count - 1);
    while (names->slots[slot])
        slot = (slot + 1) & (names->slot_count - 1);
    names->text[names->count++] = copy;
    names->slots[slot] = (uint32_t)names->count;
    names->last = names->count - 1;
    return (long)names->last;
}

void names_release(struct names *names)
{
    for (size_t id = 0; id < names->count; id++)
        free(names->text[id]);
    free(names->text);
    free(names->slots);
    *names = (struct names){0};
}
