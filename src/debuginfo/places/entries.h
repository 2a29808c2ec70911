/* Addresses at which a line, a function or a probe begins: where a breakpoint counts its visits. All addresses
 * are the file's own. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct entry {
    uint64_t address;
    uint64_t semaphore; /* of a probe: a counter that is to be raised, 2 bytes; 0: it has none */
};

struct entry_list {
    struct entry *items;
    size_t count, room;
};

/* An address that is there already is not added again. False when memory is out. */
bool entry_list_add(struct entry_list *list, struct entry entry);
void entry_list_release(struct entry_list *list);

/* Names that are near to what was asked for, for a message: the nearest first, each once. */
enum { NEAR_NAMES = 3, NEAR_NAME = 120 };

struct near_names {
    char names[NEAR_NAMES][NEAR_NAME];
    size_t distances[NEAR_NAMES];
    size_t count;
};

void near_names_note(struct near_names *near, const char *name, size_t distance);

/* "a, b or c" into text; "" when there are none. Returns text. */
const char *near_names_text(const struct near_names *near, char *text, size_t size);
