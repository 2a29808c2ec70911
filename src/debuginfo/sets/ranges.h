/* Sorted lists of address ranges. Private to debuginfo/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct range {
    uint32_t start;
    uint32_t end;
};

struct range_list {
    struct range *items;
    size_t count;
    size_t room;
};

/* Returns items with room for count + 1 elements of the given size, moved if need be, or NULL (items still
 * valid) when memory is out. */
void *array_reserve(void *items, size_t count, size_t *room, size_t size);

/* Appends [start, end), cut off at 4 GiB, or makes the last range longer if that ends at start; nothing if
 * nothing is left of it. False when memory is out. */
bool range_list_add(struct range_list *list, uint64_t start, uint64_t end);

/* Sorts, and joins ranges that touch or overlap. All functions below want a list so treated. */
void range_list_sort(struct range_list *list);

/* The index of the first range that ends behind the address; count when there is none. */
size_t range_list_search(const struct range_list *list, uint32_t address);

bool range_list_overlaps(const struct range_list *list, uint32_t start, uint32_t end);

/* What is in both lists, into the empty *out. False when memory is out. */
bool range_list_intersect(const struct range_list *a, const struct range_list *b, struct range_list *out);

/* What is in a and not in b, likewise. */
bool range_list_subtract(const struct range_list *a, const struct range_list *b, struct range_list *out);

void range_list_release(struct range_list *list);
