/* Mutations that know what an ELF file is: most bytes of one are headers that a change only breaks, so the
 * changes are made inside of one section of debug information, and the file around it stays whole. */
#include <elf.h>
#include <stdbool.h>
#include <string.h>

#include "fuzz.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other, size_t other_size,
                                 uint8_t *out, size_t max_size, unsigned seed);

enum { SECTIONS = 64 };

struct piece {
    size_t offset; /* in the input */
    size_t size;
    char name[24];
};

struct pieces {
    struct piece items[SECTIONS];
    size_t count;
};

static bool is_wanted(const char *name)
{
    return strncmp(name, ".debug", 6) == 0 || strncmp(name, ".zdebug", 7) == 0 ||
           strncmp(name, ".eh_frame", 9) == 0 || strncmp(name, ".gnu_debug", 10) == 0 ||
           strncmp(name, ".symtab", 7) == 0;
}

/* The sections of the ELF file at data, which is at offset in the input. */
static void list_sections(struct pieces *pieces, const uint8_t *data, size_t size, size_t offset)
{
    Elf64_Ehdr file;
    Elf64_Shdr section, names;
    if (size < sizeof file)
        return;
    memcpy(&file, data, sizeof file);
    if (memcmp(file.e_ident, ELFMAG, SELFMAG) != 0 || file.e_shoff > size ||
        (size - file.e_shoff) / sizeof section < file.e_shnum || file.e_shstrndx >= file.e_shnum)
        return;
    const uint8_t *table = data + file.e_shoff;
    memcpy(&names, table + file.e_shstrndx * sizeof names, sizeof names);
    if (names.sh_offset > size || names.sh_size > size - names.sh_offset)
        return;
    for (size_t i = 0; i < file.e_shnum && pieces->count < SECTIONS; i++) {
        struct piece *piece = &pieces->items[pieces->count];
        memcpy(&section, table + i * sizeof section, sizeof section);
        if (section.sh_name >= names.sh_size || section.sh_offset > size || section.sh_size == 0 ||
            section.sh_size > size - section.sh_offset)
            continue;
        size_t room = names.sh_size - section.sh_name;
        *piece = (struct piece){.offset = offset + section.sh_offset, .size = section.sh_size};
        memcpy(piece->name, data + names.sh_offset + section.sh_name,
               room < sizeof piece->name - 1 ? room : sizeof piece->name - 1);
        pieces->count += is_wanted(piece->name);
    }
}

/* A file, or as fuzz_split.c has them, two. */
static void list_all(struct pieces *pieces, const uint8_t *data, size_t size)
{
    uint32_t first = 0;
    pieces->count = 0;
    list_sections(pieces, data, size, 0);
    if (pieces->count > 0 || size <= sizeof first)
        return;
    memcpy(&first, data, sizeof first);
    if (first >= size - sizeof first)
        return;
    list_sections(pieces, data + sizeof first, first, sizeof first);
    list_sections(pieces, data + sizeof first + first, size - sizeof first - first, sizeof first + first);
}

static unsigned next_random(unsigned *state)
{
    *state = *state * 1103515245 + 12345;
    return *state >> 8;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    struct pieces pieces;
    list_all(&pieces, data, size);
    if (pieces.count == 0 || next_random(&seed) % 16 == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    for (unsigned more = 1 + next_random(&seed) % 3; more > 0; more--) {
        const struct piece *piece = &pieces.items[next_random(&seed) % pieces.count];
        /* A part of it: the sizes of what is before and behind stay right. */
        size_t begin = next_random(&seed) % 2 ? 0 : next_random(&seed) % piece->size,
               rest = piece->size - begin;
        size_t part = next_random(&seed) % 2 && rest > 64 ? 64 : rest;
        LLVMFuzzerMutate(data + piece->offset + begin, part, rest);
    }
    return size;
}

/* Takes a section of another file into its own place. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other, size_t other_size,
                                 uint8_t *out, size_t max_size, unsigned seed)
{
    struct pieces mine, theirs;
    if (size > max_size)
        return 0;
    memcpy(out, data, size);
    list_all(&mine, data, size);
    list_all(&theirs, other, other_size);
    if (mine.count == 0)
        return size;
    const struct piece *into = &mine.items[next_random(&seed) % mine.count];
    for (size_t i = 0; i < theirs.count; i++) {
        const struct piece *from = &theirs.items[i];
        if (strcmp(from->name, into->name) == 0)
            memcpy(out + into->offset, other + from->offset,
                   from->size < into->size ? from->size : into->size);
    }
    return size;
}
