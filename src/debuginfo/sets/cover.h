/* Overlapping ranges of addresses, and which of them counts where: inlined functions within others, symbols
 * that share code, generated code that took the place of older. Private to debuginfo/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cover_item {
    uint32_t start;
    uint32_t end;
    uint32_t value;
    uint32_t rank; /* the greater one counts; of equals that which begins later */
};

struct cover_list {
    struct cover_item *items;
    size_t count;
    size_t room;
};

/* Appends [start, end), cut off at 4 GiB; nothing if that leaves it empty. False when memory is out. */
bool cover_add(struct cover_list *list, uint64_t start, uint64_t end, uint32_t value, uint32_t rank);

/* Sorts the list, and calls emit for what counts, in the order of the addresses; pieces do not overlap. False
 * when memory is out or emit returned false. */
bool cover_resolve(struct cover_list *list,
                   bool (*emit)(void *context, uint32_t start, uint32_t end, uint32_t value), void *context);

void cover_release(struct cover_list *list);
