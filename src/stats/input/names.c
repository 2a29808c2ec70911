#include "stats/input/names.h"

#include <stdlib.h>
#include <string.h>

uint64_t names_hash(const char *text)
{
    uint64_t hash = 0xcbf29ce484222325ULL; /* FNV-1a */
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3ULL;
    return hash ^ hash >> 32;
}

static int grow(struct names *names)
{
    size_t slot_count = names->slot_count ? names->slot_count * 2 : 64;
    uint32_t *slots = calloc(slot_count, sizeof *slots);
    char **text = realloc(names->text, slot_count / 2 * sizeof *text);
    if (text)
        names->text = text;
    if (!slots || !text) {
        free(slots);
        return -1;
    }
    names->capacity = slot_count / 2;
    for (size_t id = 0; id < names->count; id++) {
        size_t slot = names_hash(names->text[id]) & (slot_count - 1);
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
    size_t slot = names_hash(text) & (names->slot_count - 1);
    for (; names->slots[slot]; slot = (slot + 1) & (names->slot_count - 1))
        if (strcmp(names->text[names->slots[slot] - 1], text) == 0)
            return (long)names->slots[slot] - 1;
    return -1;
}

long names_add(struct names *names, const char *text)
{
    long id = names_find(names, text);
    if (id >= 0)
        return id;
    if (names->count == names->capacity && grow(names) < 0)
        return -1;
    char *copy = strdup(text);
    if (!copy)
        return -1;
    size_t slot = names_hash(text) & (names->slot_count - 1);
    while (names->slots[slot])
        slot = (slot + 1) & (names->slot_count - 1);
    names->text[names->count++] = copy;
    names->slots[slot] = (uint32_t)names->count;
    return (long)names->count - 1;
}

void names_release(struct names *names)
{
    for (size_t id = 0; id < names->count; id++)
        free(names->text[id]);
    free(names->text);
    free(names->slots);
    *names = (struct names){0};
}
