/* Where the entries of .eh_frame begin. Private to debuginfo/.
 *
 * libdw answers for an address, but not "where does the next entry begin", and trying every byte of code that
 * has none (85 ns each) adds up to a second on a large program built without. */
#pragma once

#include <gelf.h>

#include "debuginfo/sets/ranges.h"

struct cfi_entries {
    struct range_list covered; /* the code that has an entry */
    uint32_t *starts;          /* sorted */
    size_t count;
    size_t room;
};

/* False when they cannot be listed (an encoding that no usual linker writes, or memory is out); then *entries
 * is empty. Release in every case. */
bool cfi_entries_list(Elf *elf, struct cfi_entries *entries);

/* The first start behind the address, end if that is nearer. */
uint64_t cfi_entries_next(const struct cfi_entries *entries, uint64_t address, uint64_t end);

void cfi_entries_release(struct cfi_entries *entries);
