#include "debuginfo/places/return_entries.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "debuginfo/elf/nameless.h"
#include "debuginfo/places/instruction.h"

/* A piece of the function: its code from start to end. Addresses are the file's own. */
struct piece {
    uint64_t start, end;
    const unsigned char *code; /* NULL: it is not in the file */
};

struct search {
    struct elf_file *elf;
    Dwarf_CFI *frames; /* NULL: there is no call frame information */
    Dwarf_Addr frames_bias;
    struct piece *pieces;
    size_t count, room;
    struct return_entries *returns;
    bool no_memory;
};

static void meet_obstacle(struct search *search, enum return_obstacle obstacle, uint64_t address)
{
    if (search->returns->obstacle == RETURNS_ARE_KNOWN) {
        search->returns->obstacle = obstacle;
        search->returns->address = address;
    }
}

static void add_return(struct search *search, uint64_t address)
{
    search->no_memory |= !entry_list_add(&search->returns->list, (struct entry){.address = address});
}

/* ---- the pieces ---- */

static const unsigned char *code_at(const struct elf_file *file, uint64_t start, uint64_t end)
{
    GElf_Addr bias;
    Elf *elf = dwfl_module_getelf(file->module, &bias);
    Elf_Scn *section = NULL;
    while (elf && (section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_PROGBITS ||
            !(header.sh_flags & SHF_EXECINSTR) || start < header.sh_addr ||
            end > header.sh_addr + header.sh_size)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        return data && data->d_size >= end - header.sh_addr
                   ? (const unsigned char *)data->d_buf + (start - header.sh_addr)
                   : NULL;
    }
    return NULL;
}

static void add_piece(struct search *search, uint64_t start, uint64_t end)
{
    if (search->count == search->room) {
        void *more = array_grown(search->pieces, &search->room, sizeof *search->pieces);
        search->no_memory |= !more;
        if (!more)
            return;
        search->pieces = more;
    }
    search->pieces[search->count++] = (struct piece){start, end, code_at(search->elf, start, end)};
}

/* What a compiler has cut off a function, because it is hardly ever executed. */
static bool is_cut_off(const char *symbol, const char *function)
{
    size_t length = strlen(function);
    return strncmp(symbol, function, length) == 0 && strncmp(symbol + length, ".cold", 5) == 0;
}

static void add_what_was_cut_off(struct search *search, const char *function)
{
    Dwfl_Module *module = search->elf->module;
    int count = dwfl_module_getsymtab(module);
    for (int i = 1; i < count && !search->no_memory; i++) {
        GElf_Sym info;
        GElf_Addr address;
        const char *name = dwfl_module_getsym_info(module, i, &info, &address, NULL, NULL, NULL);
        if (name && GELF_ST_TYPE(info.st_info) == STT_FUNC && is_cut_off(name, function))
            add_piece(search, address - search->elf->bias, address - search->elf->bias + info.st_size);
    }
}

struct wanted {
    uint64_t start, end;
};

static bool find_nameless_end(void *context, uint32_t start, uint32_t end)
{
    struct wanted *wanted = context;
    if (start == wanted->start)
        wanted->end = end;
    return true;
}

/* The function that begins there, and what was cut off it. */
static void add_function(struct search *search, uint64_t start)
{
    GElf_Sym info;
    GElf_Off offset;
    struct wanted wanted = {start, 0};
    const char *name = dwfl_module_addrinfo(search->elf->module, start + search->elf->bias, &offset, &info,
                                            NULL, NULL, NULL);
    if (name && offset == 0 && info.st_size) {
        add_piece(search, start, start + info.st_size);
        add_what_was_cut_off(search, name);
        return;
    }
    search->no_memory |= !nameless_list(search->elf, find_nameless_end, &wanted);
    if (wanted.end)
        add_piece(search, start, wanted.end);
    else
        meet_obstacle(search, RETURNS_UNREADABLE, start);
}

/* ---- its code ---- */

static bool is_inside(const struct search *search, uint64_t address)
{
    for (size_t i = 0; i < search->count; i++)
        if (address >= search->pieces[i].start && address < search->pieces[i].end)
            return true;
    return false;
}

enum stack { STACK_UNKNOWN, STACK_IS_BARE, STACK_IS_USED };

/* Whether there is anything but the return address above the stack pointer: the canonical frame address is eight bytes
 * beyond register 7, or more. */
static enum stack stack_at(const struct search *search, uint64_t address)
{
    Dwarf_Frame *frame = NULL;
    Dwarf_Op *operations;
    size_t count;
    enum stack stack = STACK_UNKNOWN;
    if (!search->frames ||
        dwarf_cfi_addrframe(search->frames, address + search->elf->bias - search->frames_bias, &frame))
        return STACK_UNKNOWN;
    if (dwarf_frame_cfa(frame, &operations, &count) == 0 && count == 1) {
        const Dwarf_Op *rule = &operations[0];
        bool is_bare = (rule->atom == DW_OP_breg7 && rule->number == 8) ||
                       (rule->atom == DW_OP_bregx && rule->number == 7 && rule->number2 == 8);
        stack = is_bare ? STACK_IS_BARE : STACK_IS_USED;
    }
    free(frame);
    return stack;
}

/* "add register, register": the place of a switch's next case, from where its table begins. */
static bool is_addition(const unsigned char *code, unsigned length)
{
    return length == 3 && (code[0] & 0xf8) == 0x48 && (code[1] == 0x01 || code[1] == 0x03) && code[2] >= 0xc0;
}

static void leave_by_jump(struct search *search, uint64_t address)
{
    if (stack_at(search, address) == STACK_IS_USED)
        meet_obstacle(search, RETURNS_PERHAPS, address);
    else
        add_return(search, address);
}

static void look_at(struct search *search, const struct instruction *read, uint64_t address, bool is_computed)
{
    uint64_t goes_to = address + read->length + (uint64_t)read->displacement;
    switch (read->kind) {
    case INSTRUCTION_RETURN:
        add_return(search, address);
        break;
    case INSTRUCTION_JUMP:
        if (!is_inside(search, goes_to))
            leave_by_jump(search, address);
        break;
    case INSTRUCTION_BRANCH: /* it would count when it is not taken, too */
        if (!is_inside(search, goes_to))
            meet_obstacle(search, RETURNS_PERHAPS, address);
        break;
    case INSTRUCTION_JUMP_BY_SLOT:
        leave_by_jump(search, address);
        break;
    case INSTRUCTION_JUMP_BY_REGISTER:
        if (!is_computed && stack_at(search, address) != STACK_IS_USED)
            meet_obstacle(search, RETURNS_PERHAPS, address);
        break;
    case INSTRUCTION_JUMP_BY_TABLE:
    case INSTRUCTION_PLAIN:
        break;
    }
}

static void read_piece(struct search *search, const struct piece *piece)
{
    size_t size = piece->end - piece->start;
    bool is_computed = false;
    if (!piece->code)
        meet_obstacle(search, RETURNS_UNREADABLE, piece->start);
    for (size_t at = 0; piece->code && at < size && !search->no_memory;) {
        struct instruction read = instruction_read(piece->code + at, size - at);
        if (!read.length) {
            meet_obstacle(search, RETURNS_UNREADABLE, piece->start + at);
            return;
        }
        look_at(search, &read, piece->start + at, is_computed);
        is_computed = is_addition(piece->code + at, read.length);
        at += read.length;
    }
}

static bool is_of_x86_64(const struct elf_file *file)
{
    GElf_Addr bias;
    GElf_Ehdr header;
    Elf *elf = dwfl_module_getelf(file->module, &bias);
    return elf && gelf_getehdr(elf, &header) && header.e_machine == EM_X86_64;
}

static void read_function(struct search *search)
{
    const struct function_entries *function = &search->returns->function;
    for (size_t i = 0; i < function->list.count && !search->no_memory; i++)
        add_function(search, function->list.items[i].address);
    for (size_t i = 0; i < search->count && !search->no_memory; i++)
        read_piece(search, &search->pieces[i]);
    if (search->returns->list.count == 0)
        meet_obstacle(search, RETURNS_NEVER, 0);
}

int return_entries_find(struct elf_file *elf, const char *wanted, struct return_entries *returns)
{
    struct search search = {.elf = elf, .returns = returns};
    *returns = (struct return_entries){.obstacle = RETURNS_ARE_KNOWN};
    int rc = function_entries_find(elf, wanted, &returns->function);
    if (rc || returns->function.list.count == 0 || returns->function.names > 1)
        return rc;
    search.frames = dwfl_module_eh_cfi(elf->module, &search.frames_bias);
    if (returns->function.inlined)
        meet_obstacle(&search, RETURNS_OF_COPIES, 0);
    else if (!is_of_x86_64(elf))
        meet_obstacle(&search, RETURNS_OF_OTHERS, 0);
    else
        read_function(&search);
    free(search.pieces);
    if (returns->obstacle != RETURNS_ARE_KNOWN)
        entry_list_release(&returns->list);
    return search.no_memory ? -ENOMEM : 0;
}
