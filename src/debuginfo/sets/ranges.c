#include "debuginfo/sets/ranges.h"

#include <stdlib.h>

#include "base/array.h"

void *array_reserve(void *items, size_t count, size_t *room, size_t size)
{
    return count < *room ? items : array_grown(items, room, size);
}

bool range_list_add(struct range_list *list, uint64_t start, uint64_t end)
{
    if (end > UINT32_MAX)
        end = UINT32_MAX;
    if (start >= end)
        return true;
    if (list->count && list->items[list->count - 1].end == start) {
        list->items[list->count - 1].end = (uint32_t)end;
        return true;
    }
    struct range *items = array_reserve(list->items, list->count, &list->room, sizeof *items);
    if (!items)
        return false;
    list->items = items;
    items[list->count++] = (struct range){.start = (uint32_t)start, .end = (uint32_t)end};
    return true;
}

static int compare_ranges(const void *left, const void *right)
{
    const struct range *a = left, *b = right;
    return (a->start > b->start) - (a->start < b->start);
}

void range_list_sort(struct range_list *list)
{
    if (list->count < 2)
        return;
    qsort(list->items, list->count, sizeof *list->items, compare_ranges);
    size_t last = 0;
    for (size_t i = 1; i < list->count; i++) {
        struct range *previous = &list->items[last];
        if (list->items[i].start > previous->end)
            list->items[++last] = list->items[i];
        else if (list->items[i].end > previous->end)
            previous->end = list->items[i].end;
    }
    list->count = last + 1;
}

size_t range_list_search(const struct range_list *list, uint32_t address)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->items[middle].end <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool range_list_overlaps(const struct range_list *list, uint32_t start, uint32_t end)
{
    size_t at = range_list_search(list, start);
    return at < list->count && list->items[at].start < end;
}

bool range_list_intersect(const struct range_list *a, const struct range_list *b, struct range_list *out)
{
    size_t i = 0, j = 0;
    while (i < a->count && j < b->count) {
        const struct range *x = &a->items[i], *y = &b->items[j];
        uint32_t start = x->start > y->start ? x->start : y->start;
        uint32_t end = x->end < y->end ? x->end : y->end;
        if (!range_list_add(out, start, end))
            return false;
        if (x->end < y->end)
            i++;
        else
            j++;
    }
    return true;
}

bool range_list_subtract(const struct range_list *a, const struct range_list *b, struct range_list *out)
{
    size_t j = 0;
    for (size_t i = 0; i < a->count; i++) {
        uint32_t at = a->items[i].start, end = a->items[i].end;
        while (j < b->count && b->items[j].end <= at)
            j++;
        for (size_t k = j; k < b->count && b->items[k].start < end; k++) {
            if (!range_list_add(out, at, b->items[k].start))
                return false;
            at = b->items[k].end;
        }
        if (!range_list_add(out, at, end))
            return false;
    }
    return true;
}

void range_list_release(struct range_list *list)
{
    free(list->items);
    *list = (struct range_list){0};
}
