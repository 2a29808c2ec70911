#include "debuginfo/sets/interner.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "debuginfo/sets/checksum.h"

enum { FIRST_SLOTS = 256 };

/* Open addressing; 0 is an empty slot. Returns twice as many slots, or the first ones, all empty. */
static uint32_t *grow_slots(size_t *count)
{
    size_t wanted = *count ? *count * 2 : FIRST_SLOTS;
    uint32_t *slots = calloc(wanted, sizeof *slots);
    if (slots)
        *count = wanted;
    return slots;
}

static void fill_slot(uint32_t *slots, size_t count, uint64_t hash, uint32_t number)
{
    size_t at = hash & (count - 1);
    while (slots[at])
        at = (at + 1) & (count - 1);
    slots[at] = number;
}

/* ---- records ---- */

static unsigned char *record_of(const struct interner *interner, uint32_t number)
{
    return interner->records + number * interner->record_size;
}

static bool grow_interner(struct interner *interner)
{
    uint32_t *slots = grow_slots(&interner->slot_count);
    if (!slots)
        return false;
    for (uint32_t i = 1; i < interner->count; i++)
        fill_slot(slots, interner->slot_count,
                  checksum_bytes(0, record_of(interner, i), interner->record_size), i);
    free(interner->slots);
    interner->slots = slots;
    return true;
}

bool interner_init(struct interner *interner, size_t record_size)
{
    *interner = (struct interner){.record_size = record_size, .room = FIRST_SLOTS / 2};
    interner->records = calloc(interner->room, record_size);
    interner->count = 1;
    return interner->records && grow_interner(interner);
}

void interner_release(struct interner *interner)
{
    free(interner->records);
    free(interner->slots);
    *interner = (struct interner){0};
}

uint32_t interner_add(struct interner *interner, const void *record)
{
    size_t size = interner->record_size;
    uint64_t hash = checksum_bytes(0, record, size);
    for (size_t at = hash & (interner->slot_count - 1); interner->slots[at];
         at = (at + 1) & (interner->slot_count - 1))
        if (memcmp(record_of(interner, interner->slots[at]), record, size) == 0)
            return interner->slots[at];
    if (interner->count == UINT32_MAX ||
        (interner->count >= interner->slot_count / 2 && !grow_interner(interner)))
        return 0;
    if (interner->count == interner->room) {
        unsigned char *records = array_grown(interner->records, &interner->room, size);
        if (!records)
            return 0;
        interner->records = records;
    }
    memcpy(record_of(interner, interner->count), record, size);
    fill_slot(interner->slots, interner->slot_count, hash, interner->count);
    return interner->count++;
}

/* ---- strings ---- */

static uint64_t hash_string(const char *text)
{
    return checksum_bytes(0, text, strlen(text));
}

static bool grow_strings(struct strings *strings)
{
    uint32_t *slots = grow_slots(&strings->slot_count);
    if (!slots)
        return false;
    for (size_t at = 1; at < strings->size; at += strlen(strings->bytes + at) + 1)
        fill_slot(slots, strings->slot_count, hash_string(strings->bytes + at), (uint32_t)at);
    free(strings->slots);
    strings->slots = slots;
    return true;
}

bool strings_init(struct strings *strings)
{
    *strings = (struct strings){.size = 1, .room = 4096};
    strings->bytes = calloc(1, strings->room);
    return strings->bytes && grow_strings(strings);
}

void strings_release(struct strings *strings)
{
    free(strings->bytes);
    free(strings->slots);
    *strings = (struct strings){0};
}

uint32_t strings_add(struct strings *strings, const char *text)
{
    size_t length = strlen(text);
    uint64_t hash = hash_string(text);
    if (length == 0)
        return 0;
    for (size_t at = hash & (strings->slot_count - 1); strings->slots[at];
         at = (at + 1) & (strings->slot_count - 1))
        if (strcmp(strings->bytes + strings->slots[at], text) == 0)
            return strings->slots[at];
    if (strings->count + 1 >= strings->slot_count / 2 && !grow_strings(strings))
        return 0;
    size_t room = strings->room;
    while (room < strings->size + length + 1)
        room *= 2;
    char *bytes = room < UINT32_MAX ? realloc(strings->bytes, room) : NULL;
    if (!bytes)
        return 0;
    strings->bytes = bytes;
    strings->room = room;
    uint32_t number = (uint32_t)strings->size;
    memcpy(bytes + number, text, length + 1);
    strings->size += length + 1;
    strings->count++;
    fill_slot(strings->slots, strings->slot_count, hash, number);
    return number;
}
