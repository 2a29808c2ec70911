/* Counts what the runtime writes into lines of memory that several threads write.
 *
 * On a machine of many cores such a line moves from core to core with each write, which takes a tenth of a microsecond, and
 * can be at one core at a time only. How many cores the runtime is good for follows from how often that happens, and that
 * is the same on a machine of two cores: so it is counted, not timed.
 *
 * The runtime is compiled as for ThreadSanitizer, which calls a function before each access to memory, and these are those
 * functions. They do the atomic operations, and note plain ones.
 *
 * What is kept of each core is left out: threads write there while they are on that core.
 *
 * A program that runs with this library calls count_lines_begin() and count_lines_end(): in between, lines are noted. */
#include "shared/layout.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINE = 64, LINES = 1 << 16, SEVERAL = UINT32_MAX };

struct line {
    _Atomic uintptr_t number;      /* its address over its length; 0: free */
    _Atomic uint32_t writer;       /* the number of the only thread that wrote it, or SEVERAL */
    _Atomic unsigned long written; /* so often */
};

static struct line lines[LINES];
static atomic_bool is_counting;
static _Atomic uint32_t threads;
static __thread uint32_t own_number __attribute__((tls_model("initial-exec")));

extern struct segment *runtime_segment; /* of the runtime */

static struct line *line_at(uintptr_t number)
{
    for (size_t i = number * 0x9e3779b97f4a7c15u >> 48;; i = (i + 1) % LINES) {
        uintptr_t found = 0;
        if (atomic_compare_exchange_strong(&lines[i].number, &found, number) || found == number)
            return &lines[i];
    }
}

static void note_line(uintptr_t number)
{
    struct line *line = line_at(number);
    uint32_t writer = 0;
    if (own_number == 0)
        own_number = atomic_fetch_add(&threads, 1) + 1;
    if (!atomic_compare_exchange_strong(&line->writer, &writer, own_number) && writer != own_number)
        atomic_store(&line->writer, SEVERAL);
    atomic_fetch_add(&line->written, 1);
}

static void note(const volatile void *address, size_t size)
{
    if (!atomic_load_explicit(&is_counting, memory_order_relaxed))
        return;
    uintptr_t first = (uintptr_t)address / LINE, last = ((uintptr_t)address + size - 1) / LINE;
    for (uintptr_t number = first; number <= last; number++)
        note_line(number);
}

__attribute__((visibility("default"))) void count_lines_begin(void)
{
    atomic_store(&is_counting, true);
}

/* Prints "SHARED writes" and, of each line that several threads wrote, "LINE place writes". The place is in bytes from the
 * segment's beginning, or from the library's first variable. */
__attribute__((visibility("default"))) void count_lines_end(void)
{
    atomic_store(&is_counting, false);
    unsigned long shared = 0, all = 0;
    for (size_t i = 0; i < LINES; i++) {
        struct line *line = &lines[i];
        all += line->written;
        if (line->writer != SEVERAL)
            continue;
        char *at = (char *)(line->number * LINE), *segment = (char *)runtime_segment;
        bool is_segment = at >= segment && at < segment + sizeof *runtime_segment;
        size_t offset = is_segment ? (size_t)(at - segment) : 0;
        if (offset >= offsetof(struct segment, cores) &&
            offset < offsetof(struct segment, cores) + sizeof runtime_segment->cores)
            continue;
        printf("LINE %s%+td %lu\n", is_segment ? "segment" : "variables",
               is_segment ? (ptrdiff_t)offset : at - (char *)&runtime_segment, line->written);
        shared += line->written;
    }
    printf("ALL %lu\nSHARED %lu\n", all, shared);
}

void __tsan_init(void);
void __tsan_init(void)
{
}

void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller)
{
    (void)caller;
}

void __tsan_func_exit(void);
void __tsan_func_exit(void)
{
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    atomic_signal_fence(memory_order_seq_cst);
}

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    atomic_thread_fence(memory_order_seq_cst);
}

#define READ(name)                                                                                           \
    void name(void *address);                                                                                \
    void name(void *address)                                                                                 \
    {                                                                                                        \
        (void)address;                                                                                       \
    }
#define WRITE(name, size)                                                                                    \
    void name(void *address);                                                                                \
    void name(void *address)                                                                                 \
    {                                                                                                        \
        note(address, size);                                                                                 \
    }
#define PLAIN(size)                                                                                          \
    READ(__tsan_read##size)                                                                                  \
    WRITE(__tsan_write##size, size)                                                                          \
    READ(__tsan_unaligned_read##size)                                                                        \
    WRITE(__tsan_unaligned_write##size, size)                                                                \
    READ(__tsan_volatile_read##size)                                                                         \
    WRITE(__tsan_volatile_write##size, size)

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

void __tsan_read_range(void *address, size_t size);
void __tsan_read_range(void *address, size_t size)
{
    (void)address;
    (void)size;
}

void __tsan_write_range(void *address, size_t size);
void __tsan_write_range(void *address, size_t size)
{
    if (size > 0)
        note(address, size);
}

/* The order is always the strictest, which is an order that was asked for as well. */
#define CHANGE(type, bits, what)                                                                             \
    type __tsan_atomic##bits##_##what(volatile type *at, type value, int order);                             \
    type __tsan_atomic##bits##_##what(volatile type *at, type value, int order)                              \
    {                                                                                                        \
        (void)order;                                                                                         \
        note(at, sizeof *at);                                                                                \
        return __atomic_##what(at, value, __ATOMIC_SEQ_CST);                                                 \
    }
#define COMPARE(type, bits, strength, is_weak)                                                               \
    int __tsan_atomic##bits##_compare_exchange_##strength(volatile type *at, type *expected, type desired,   \
                                                          int order, int failed);                            \
    int __tsan_atomic##bits##_compare_exchange_##strength(volatile type *at, type *expected, type desired,   \
                                                          int order, int failed)                             \
    {                                                                                                        \
        (void)order;                                                                                         \
        (void)failed;                                                                                        \
        note(at, sizeof *at);                                                                                \
        return __atomic_compare_exchange_n(at, expected, desired, is_weak, __ATOMIC_SEQ_CST,                 \
                                           __ATOMIC_SEQ_CST);                                                \
    }
#define ATOMIC(type, bits)                                                                                   \
    type __tsan_atomic##bits##_load(const volatile type *at, int order);                                     \
    type __tsan_atomic##bits##_load(const volatile type *at, int order)                                      \
    {                                                                                                        \
        (void)order;                                                                                         \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                                        \
    }                                                                                                        \
    void __tsan_atomic##bits##_store(volatile type *at, type value, int order);                              \
    void __tsan_atomic##bits##_store(volatile type *at, type value, int order)                               \
    {                                                                                                        \
        (void)order;                                                                                         \
        note(at, sizeof *at);                                                                                \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                                       \
    }                                                                                                        \
    type __tsan_atomic##bits##_exchange(volatile type *at, type value, int order);                           \
    type __tsan_atomic##bits##_exchange(volatile type *at, type value, int order)                            \
    {                                                                                                        \
        (void)order;                                                                                         \
        note(at, sizeof *at);                                                                                \
        return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                             \
    }                                                                                                        \
    CHANGE(type, bits, fetch_add)                                                                            \
    CHANGE(type, bits, fetch_sub)                                                                            \
    CHANGE(type, bits, fetch_and)                                                                            \
    CHANGE(type, bits, fetch_or)                                                                             \
    CHANGE(type, bits, fetch_xor)                                                                            \
    COMPARE(type, bits, strong, false)                                                                       \
    COMPARE(type, bits, weak, true)

ATOMIC(uint8_t, 8)
ATOMIC(uint16_t, 16)
ATOMIC(uint32_t, 32)
ATOMIC(uint64_t, 64)
