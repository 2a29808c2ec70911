#include "debuginfo/sets/cover.h"

#include <stdlib.h>

#include "debuginfo/sets/ranges.h" /* array_reserve */

bool cover_add(struct cover_list *list, uint64_t start, uint64_t end, uint32_t value, uint32_t rank)
{
    if (end > UINT32_MAX)
        end = UINT32_MAX;
    if (start >= end)
        return true;
    struct cover_item *items = array_reserve(list->items, list->count, &list->room, sizeof *items);
    if (!items)
        return false;
    list->items = items;
    items[list->count++] = (struct cover_item){(uint32_t)start, (uint32_t)end, value, rank};
    return true;
}

static int compare_items(const void *left, const void *right)
{
    const struct cover_item *a = left, *b = right;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    if (a->rank != b->rank)
        return a->rank < b->rank ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return (a->value > b->value) - (a->value < b->value);
}

/* The items that have begun and may not have ended, the one that counts on top. */
struct heap {
    const struct cover_item **items;
    size_t count, room;
};

static bool counts_before(const struct cover_item *a, const struct cover_item *b)
{
    return a->rank != b->rank ? a->rank > b->rank : a > b; /* they are sorted: the later one */
}

static bool heap_push(struct heap *heap, const struct cover_item *item)
{
    const struct cover_item **items =
        array_reserve(heap->items, heap->count, &heap->room, sizeof(struct cover_item *));
    if (!items)
        return false;
    heap->items = items;
    size_t at = heap->count++;
    for (; at > 0 && counts_before(item, heap->items[(at - 1) / 2]); at = (at - 1) / 2)
        heap->items[at] = heap->items[(at - 1) / 2];
    heap->items[at] = item;
    return true;
}

static void heap_pop(struct heap *heap)
{
    const struct cover_item *last = heap->items[--heap->count];
    size_t at = 0;
    for (size_t child; (child = 2 * at + 1) < heap->count; at = child) {
        if (child + 1 < heap->count && counts_before(heap->items[child + 1], heap->items[child]))
            child++;
        if (!counts_before(heap->items[child], last))
            break;
        heap->items[at] = heap->items[child];
    }
    if (heap->count > 0)
        heap->items[at] = last;
}

bool cover_resolve(struct cover_list *list,
                   bool (*emit)(void *context, uint32_t start, uint32_t end, uint32_t value), void *context)
{
    if (list->count == 0)
        return true;
    struct heap heap = {0};
    uint32_t at = 0;
    size_t next = 0;
    bool ok = true;
    qsort(list->items, list->count, sizeof *list->items, compare_items);
    while (ok && (heap.count > 0 || next < list->count)) {
        if (heap.count == 0)
            at = list->items[next].start;
        while (ok && next < list->count && list->items[next].start <= at)
            ok = heap_push(&heap, &list->items[next++]);
        if (!ok)
            break;
        const struct cover_item *top = heap.items[0];
        if (top->end <= at) {
            heap_pop(&heap);
            continue;
        }
        uint32_t end =
            next < list->count && list->items[next].start < top->end ? list->items[next].start : top->end;
        ok = emit(context, at, end, top->value);
        at = end;
    }
    free(heap.items);
    return ok;
}

void cover_release(struct cover_list *list)
{
    free(list->items);
    *list = (struct cover_list){0};
}
