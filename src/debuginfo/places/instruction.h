/* Reading x86-64 machine code one instruction at a time: how long each is, and where it may go on but behind itself.
 *
 * Lengths follow from prefixes, opcode map and ModRM byte, as in Intel's manual (volume 2, chapter 2 and appendix A). */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum instruction_kind {
    INSTRUCTION_PLAIN,
    INSTRUCTION_RETURN,
    INSTRUCTION_JUMP,   /* to behind it and the displacement, always; */
    INSTRUCTION_BRANCH, /* or if a condition holds */
    /* Jumps to an address that is read from a table by an index, or says itself (notrack) that it is one of several in
     * the same function; that is read from one place; or that is in a register. */
    INSTRUCTION_JUMP_BY_TABLE,
    INSTRUCTION_JUMP_BY_SLOT,
    INSTRUCTION_JUMP_BY_REGISTER,
};

struct instruction {
    enum instruction_kind kind;
    unsigned length; /* in bytes; 0: it is none that is known */
    int64_t displacement;
};

/* At the beginning of so many bytes of code. */
struct instruction instruction_read(const unsigned char *code, size_t size);
