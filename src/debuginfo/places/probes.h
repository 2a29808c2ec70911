/* The static probes (USDT) of an ELF file: notes of <sys/sdt.h>'s form in .note.stapsdt, each with the address
 * of the instruction that is there for it, a nop. */
#pragma once

#include "debuginfo/elf/elf_file.h"
#include "debuginfo/places/entries.h"

struct probe {
    const char *provider, *name; /* valid during the call */
    struct entry at;
};

/* Calls found for each probe of the file, in its order. One source line may be several, where it was inlined or
 * copied. What is broken is passed over. */
void probes_list(struct elf_file *file, void (*found)(void *context, const struct probe *probe),
                 void *context);

/* The same for the bytes of a section of such notes. base_now: where .stapsdt.base is in the file, 0 if it has
 * none; the difference from what a note says of it is added to the note's addresses. */
void probes_read(const unsigned char *notes, size_t size, uint64_t base_now,
                 void (*found)(void *context, const struct probe *probe), void *context);
