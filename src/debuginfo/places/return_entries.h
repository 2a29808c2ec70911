/* Where a breakpoint counts how often a function returns: at each of its return instructions, and at each jump by which
 * it leaves its return to another function (a tail call). What ends a function otherwise is no return: an exception,
 * longjmp(), the end of the thread.
 *
 * The function's code is read from its beginning to its end (instruction.h). Whether a jump to an unknown place stays
 * inside is told by the frame: with more on the stack than the return address it does. Where that leaves a doubt, no
 * address is told. */
#pragma once

#include "debuginfo/places/function_entries.h"

enum return_obstacle {
    RETURNS_ARE_KNOWN,
    RETURNS_OF_COPIES,  /* it was inlined somewhere, and a copy has no end of its own */
    RETURNS_OF_OTHERS,  /* the file is of another processor than x86-64 */
    RETURNS_UNREADABLE, /* at the address is what is no instruction, or nobody knows where the function ends */
    RETURNS_PERHAPS,    /* at the address it may leave, or go on */
    RETURNS_NEVER,
};

struct return_entries {
    struct entry_list list;
    struct function_entries function;
    enum return_obstacle obstacle; /* then the list is empty */
    uint64_t address;
};

/* wanted: as for function_entries_find(). 0, or -ENOMEM; release both lists in every case. */
int return_entries_find(struct elf_file *elf, const char *wanted, struct return_entries *returns);
