#include "debuginfo/places/instruction.h"

#include <stdbool.h>
#include <string.h>

enum { LONGEST = 15 };

/* The maps that an opcode may be of. Those behind 0F 3A belong to AMD's XOP prefix. */
enum map { MAP_ONE_BYTE, MAP_0F, MAP_0F38, MAP_0F3A, MAP_5, MAP_6, MAP_XOP_8 = 8, MAP_XOP_9, MAP_XOP_A };

/* What follows the opcode. */
enum { NOTHING = 0, MODRM = 1, BYTE = 2, WORD = 4, LONG = 8, WIDE = 16, ADDRESS = 32, UNKNOWN = 64 };

struct reader {
    const unsigned char *code;
    size_t size, at;
    bool has_16_bits;  /* operands, by prefix 66 */
    bool has_32_bits;  /* addresses, by prefix 67 */
    bool is_wide;      /* REX.W */
    bool is_untracked; /* prefix 3E, which before a jump means notrack */
    bool has_index;    /* its address is a base and an index */
    bool is_vector;    /* VEX, EVEX or XOP: of those all have a ModRM byte, but for one */
    enum map map;
};

static int next_byte(struct reader *reader)
{
    return reader->at < reader->size && reader->at < LONGEST ? reader->code[reader->at++] : -1;
}

static int look_ahead(const struct reader *reader)
{
    return reader->at < reader->size ? reader->code[reader->at] : -1;
}

/* ---- the opcode ---- */

static bool is_legacy_prefix(int byte)
{
    return byte == 0x66 || byte == 0x67 || byte == 0xf0 || byte == 0xf2 || byte == 0xf3 || byte == 0x2e ||
           byte == 0x36 || byte == 0x3e || byte == 0x26 || byte == 0x64 || byte == 0x65;
}

/* C4, C5 and 62 are always these prefixes in 64-bit code; 8F is POP unless it names a map of XOP's. Returns the opcode,
 * or -1. */
static int read_vector_prefix(struct reader *reader, int first)
{
    reader->is_vector = true;
    reader->map = MAP_0F;
    if (first == 0xc5) {
        next_byte(reader);
        return next_byte(reader);
    }
    int second = next_byte(reader);
    reader->map = (enum map)(second & (first == 0x62 ? 0x07 : 0x1f));
    next_byte(reader);
    if (first == 0x62)
        next_byte(reader);
    return second < 0 ? -1 : next_byte(reader);
}

static bool is_xop(const struct reader *reader, int byte)
{
    int next = look_ahead(reader);
    return byte == 0x8f && next >= 0 && (next & 0x1f) >= MAP_XOP_8;
}

/* Past all prefixes. Returns the opcode, or -1. */
static int read_opcode(struct reader *reader)
{
    int byte = next_byte(reader);
    for (; is_legacy_prefix(byte); byte = next_byte(reader)) {
        reader->has_16_bits |= byte == 0x66;
        reader->has_32_bits |= byte == 0x67;
        reader->is_untracked |= byte == 0x3e;
    }
    if (byte >= 0x40 && byte <= 0x4f) {
        reader->is_wide = byte & 8;
        byte = next_byte(reader);
    }
    if (byte == 0xc4 || byte == 0xc5 || byte == 0x62 || is_xop(reader, byte))
        return read_vector_prefix(reader, byte);
    if (byte != 0x0f)
        return byte;
    reader->map = MAP_0F;
    byte = next_byte(reader);
    if (byte != 0x38 && byte != 0x3a)
        return byte;
    reader->map = byte == 0x38 ? MAP_0F38 : MAP_0F3A;
    return next_byte(reader);
}

/* ---- what follows it ---- */

static unsigned after_arithmetic(int opcode)
{
    static const unsigned char of[8] = {MODRM, MODRM, MODRM, MODRM, BYTE, LONG, UNKNOWN, UNKNOWN};
    return of[opcode & 7];
}

static unsigned after_one_byte(int opcode)
{
    static const unsigned char from_60[16] = {UNKNOWN, UNKNOWN, UNKNOWN, MODRM,        UNKNOWN, UNKNOWN,
                                              UNKNOWN, UNKNOWN, LONG,    MODRM | LONG, BYTE,    MODRM | BYTE};
    static const unsigned char from_c0[16] = {
        MODRM | BYTE, MODRM | BYTE, WORD, NOTHING, UNKNOWN, UNKNOWN, MODRM | BYTE, MODRM | LONG,
        WORD | BYTE,  NOTHING,      WORD, NOTHING, NOTHING, BYTE,    UNKNOWN,      NOTHING};
    if (opcode < 0x40)
        return after_arithmetic(opcode);
    if (opcode < 0x60)
        return NOTHING;
    if (opcode < 0x70)
        return from_60[opcode - 0x60];
    if (opcode < 0x80)
        return BYTE;
    if (opcode < 0x90)
        return opcode == 0x82                     ? UNKNOWN
               : opcode == 0x81                   ? MODRM | LONG
               : opcode == 0x80 || opcode == 0x83 ? MODRM | BYTE
                                                  : MODRM;
    if (opcode < 0xa0)
        return opcode == 0x9a ? UNKNOWN : NOTHING;
    if (opcode < 0xb0)
        return opcode < 0xa4 ? ADDRESS : opcode == 0xa8 ? BYTE : opcode == 0xa9 ? LONG : NOTHING;
    if (opcode < 0xc0)
        return opcode < 0xb8 ? BYTE : WIDE;
    if (opcode < 0xd0)
        return from_c0[opcode - 0xc0];
    if (opcode < 0xe0)
        return opcode >= 0xd4 && opcode <= 0xd6 ? UNKNOWN : opcode == 0xd7 ? NOTHING : MODRM;
    if (opcode < 0xf0)
        return opcode < 0xe8 || opcode == 0xeb    ? BYTE
               : opcode == 0xe8 || opcode == 0xe9 ? LONG
               : opcode == 0xea                   ? UNKNOWN
                                                  : NOTHING;
    return opcode == 0xf6 || opcode == 0xf7 || opcode >= 0xfe ? MODRM : NOTHING;
}

static bool has_byte_in_0f(int opcode)
{
    return (opcode >= 0x70 && opcode <= 0x73) || opcode == 0xc2 || (opcode >= 0xc4 && opcode <= 0xc6);
}

static unsigned after_0f(int opcode)
{
    static const unsigned char bare[] = {0x05, 0x06, 0x07, 0x08, 0x09, 0x0b, 0x0e,
                                         0x77, 0xa0, 0xa1, 0xa2, 0xa8, 0xa9, 0xaa};
    if (opcode >= 0x80 && opcode <= 0x8f)
        return LONG;
    if ((opcode >= 0x30 && opcode <= 0x37) || (opcode >= 0xc8 && opcode <= 0xcf) ||
        memchr(bare, opcode, sizeof bare))
        return NOTHING;
    if (opcode == 0x04 || opcode == 0x0a || opcode == 0x0c || (opcode >= 0x24 && opcode <= 0x27))
        return UNKNOWN;
    bool has_byte =
        has_byte_in_0f(opcode) || opcode == 0x0f || opcode == 0xa4 || opcode == 0xac || opcode == 0xba;
    return has_byte ? MODRM | BYTE : MODRM;
}

static unsigned after_vector(const struct reader *reader, int opcode)
{
    switch (reader->map) {
    case MAP_0F:
        return opcode == 0x77 ? NOTHING : has_byte_in_0f(opcode) ? MODRM | BYTE : MODRM;
    case MAP_0F38:
    case MAP_5:
    case MAP_6:
    case MAP_XOP_9:
        return MODRM;
    case MAP_0F3A:
    case MAP_XOP_8:
        return MODRM | BYTE;
    case MAP_XOP_A:
        return MODRM | LONG;
    case MAP_ONE_BYTE:
        break;
    }
    return UNKNOWN;
}

static unsigned after(const struct reader *reader, int opcode)
{
    if (reader->is_vector)
        return after_vector(reader, opcode);
    switch (reader->map) {
    case MAP_ONE_BYTE:
        return after_one_byte(opcode);
    case MAP_0F:
        return after_0f(opcode);
    case MAP_0F38:
        return MODRM;
    default:
        return MODRM | BYTE;
    }
}

/* The ModRM byte, the SIB byte and the displacement. Returns the ModRM byte, or -1. */
static int read_modrm(struct reader *reader)
{
    int modrm = next_byte(reader);
    if (modrm < 0)
        return -1;
    int mod = modrm >> 6, base = modrm & 7;
    if (mod == 3)
        return modrm;
    if (base == 4) {
        int sib = next_byte(reader);
        if (sib < 0)
            return -1;
        reader->has_index = (sib >> 3 & 7) != 4;
        base = mod == 0 && (sib & 7) == 5 ? 5 : 0;
    }
    if (mod == 1)
        reader->at += 1;
    else if (mod == 2 || (mod == 0 && base == 5))
        reader->at += 4;
    return modrm;
}

/* Of F6 and F7 only TEST has an operand behind the rest. */
static unsigned operand_of_group_3(const struct reader *reader, int opcode, int modrm)
{
    bool is_test = reader->map == MAP_ONE_BYTE && !reader->is_vector && (opcode == 0xf6 || opcode == 0xf7) &&
                   (modrm >> 3 & 7) < 2;
    return !is_test ? NOTHING : opcode == 0xf6 ? BYTE : LONG;
}

static size_t size_of(const struct reader *reader, unsigned operands, int opcode)
{
    bool is_jump = (reader->map == MAP_ONE_BYTE && (opcode == 0xe8 || opcode == 0xe9)) ||
                   (reader->map == MAP_0F && opcode >= 0x80 && opcode <= 0x8f);
    size_t size = 0, whole = reader->has_16_bits && !reader->is_wide && !is_jump ? 2 : 4;
    if (operands & BYTE)
        size += 1;
    if (operands & WORD)
        size += 2;
    if (operands & LONG)
        size += reader->is_vector ? 4 : whole;
    if (operands & WIDE)
        size += reader->is_wide ? 8 : whole;
    if (operands & ADDRESS)
        size += reader->has_32_bits ? 4 : 8;
    return size;
}

/* ---- where it goes on ---- */

static enum instruction_kind kind_of(const struct reader *reader, int opcode, int modrm)
{
    if (reader->is_vector)
        return INSTRUCTION_PLAIN;
    if (reader->map == MAP_0F)
        return opcode >= 0x80 && opcode <= 0x8f ? INSTRUCTION_BRANCH : INSTRUCTION_PLAIN;
    if (reader->map != MAP_ONE_BYTE)
        return INSTRUCTION_PLAIN;
    if (opcode == 0xc2 || opcode == 0xc3 || opcode == 0xca || opcode == 0xcb)
        return INSTRUCTION_RETURN;
    if (opcode == 0xe9 || opcode == 0xeb)
        return INSTRUCTION_JUMP;
    if ((opcode >= 0x70 && opcode <= 0x7f) || (opcode >= 0xe0 && opcode <= 0xe3))
        return INSTRUCTION_BRANCH;
    int group = modrm >> 3 & 7;
    if (opcode != 0xff || (group != 4 && group != 5))
        return INSTRUCTION_PLAIN;
    if (reader->is_untracked || reader->has_index)
        return INSTRUCTION_JUMP_BY_TABLE;
    return modrm >> 6 == 3 ? INSTRUCTION_JUMP_BY_REGISTER : INSTRUCTION_JUMP_BY_SLOT;
}

/* The last so many bytes, with their sign. */
static int64_t displacement_of(const struct reader *reader, size_t size)
{
    int32_t whole;
    if (size == 1)
        return (signed char)reader->code[reader->at - 1];
    memcpy(&whole, reader->code + reader->at - sizeof whole, sizeof whole);
    return whole;
}

struct instruction instruction_read(const unsigned char *code, size_t size)
{
    struct reader reader = {.code = code, .size = size};
    struct instruction read = {.kind = INSTRUCTION_PLAIN};
    int opcode = read_opcode(&reader), modrm = 0;
    unsigned operands = opcode < 0 ? UNKNOWN : after(&reader, opcode);
    if (operands & MODRM && (modrm = read_modrm(&reader)) < 0)
        operands = UNKNOWN;
    operands |= operand_of_group_3(&reader, opcode, modrm);
    size_t own = size_of(&reader, operands, opcode);
    reader.at += own;
    if (operands & UNKNOWN || reader.at > size || reader.at > LONGEST)
        return read;
    read.length = (unsigned)reader.at;
    read.kind = kind_of(&reader, opcode, modrm);
    if (read.kind == INSTRUCTION_JUMP || read.kind == INSTRUCTION_BRANCH)
        read.displacement = displacement_of(&reader, own);
    return read;
}
