/* Where a breakpoint counts how often a function is entered: at its first instruction, and at the first one of
 * each copy that was inlined. Symbols will do; copies are known by debug information only. */
#pragma once

#include "debuginfo/elf/elf_file.h"
#include "debuginfo/places/entries.h"

struct function_entries {
    struct entry_list list;
    size_t inlined;          /* of them, so many are inlined copies */
    char name[NEAR_NAME];    /* of the function, or of one of several that answer as well */
    size_t names;            /* how many functions answer to what was asked for; more than one is an error */
    bool is_chosen_at_start; /* it is an indirect function (ifunc), whose code has another name */
    struct near_names near;  /* without an entry */
};

/* wanted: as people write it (debuginfo/names/function_name.h), or FILE+0xADDRESS (debuginfo/elf/nameless.h). 0, or -ENOMEM; release *entries' list in every
 * case. */
int function_entries_find(struct elf_file *elf, const char *wanted, struct function_entries *entries);
