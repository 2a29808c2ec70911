/* Giving equal things the same small number, in the order of their first appearance. 0 is nobody's. Not
 * thread safe. Private to debuginfo/. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Records without padding: they are compared byte by byte. */
struct interner {
    unsigned char *records; /* of number i at i * record_size; record 0 is all zero */
    size_t record_size;
    uint32_t count; /* with the reserved 0 */
    size_t room;
    uint32_t *slots;
    size_t slot_count;
};

/* False when memory is out. Release in every case. */
bool interner_init(struct interner *interner, size_t record_size);
void interner_release(struct interner *interner);

/* 0 when memory is out. */
uint32_t interner_add(struct interner *interner, const void *record);

/* Strings, each once, one behind the other; the number is the offset of the first byte, that of "" is 0. */
struct strings {
    char *bytes;
    size_t size;
    size_t room;
    uint32_t *slots;
    size_t slot_count;
    size_t count;
};

bool strings_init(struct strings *strings);
void strings_release(struct strings *strings);

/* 0 for "", and when memory is out. */
uint32_t strings_add(struct strings *strings, const char *text);
