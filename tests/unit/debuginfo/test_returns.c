/* Machine code read one instruction at a time, and where functions return. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "compiled.h"
#include "debuginfo/places/instruction.h"
#include "debuginfo/places/return_entries.h"

/* As objdump writes them. */
static void test_lengths(void **state)
{
    (void)state;
    static const struct {
        unsigned char code[15];
        unsigned length;
    } known[] = {
        {{0xc3}, 1},                                         /* ret */
        {{0xf3, 0x0f, 0x1e, 0xfa}, 4},                       /* endbr64 */
        {{0x48, 0x89, 0xc3}, 3},                             /* mov %rax,%rbx */
        {{0x48, 0x8b, 0x44, 0x24, 0x08}, 5},                 /* mov 0x8(%rsp),%rax */
        {{0x48, 0x8d, 0x05, 1, 2, 3, 4}, 7},                 /* lea 0x4030201(%rip),%rax */
        {{0x8b, 0x04, 0x85, 1, 2, 3, 4}, 7},                 /* mov 0x4030201(,%rax,4),%eax */
        {{0x48, 0x81, 0xec, 0, 1, 0, 0}, 7},                 /* sub $0x100,%rsp */
        {{0x66, 0x81, 0xf9, 0xc3, 0xc3}, 5},                 /* cmp $0xc3c3,%cx */
        {{0x48, 0xb8, 1, 2, 3, 4, 5, 6, 7, 8}, 10},          /* movabs */
        {{0xf6, 0xc3, 0x01}, 3},                             /* test $0x1,%bl */
        {{0xf6, 0xdb}, 2},                                   /* neg %bl */
        {{0xf7, 0x05, 1, 2, 3, 4, 5, 6, 7, 8}, 10},          /* testl $,0x(%rip) */
        {{0x66, 0x2e, 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0}, 10}, /* nopw */
        {{0x66, 0x0f, 0x3a, 0x0f, 0xc1, 0x08}, 6},           /* palignr $0x8,%xmm1,%xmm0 */
        {{0x0f, 0x38, 0xf1, 0x07}, 4},                       /* movbe %eax,(%rdi) */
        {{0xc5, 0xf8, 0x77}, 3},                             /* vzeroupper */
        {{0xc5, 0xf9, 0x70, 0xc0, 0x4e}, 5},                 /* vpshufd $0x4e */
        {{0xc4, 0xe2, 0x7d, 0x18, 0x47, 0x08}, 6},           /* vbroadcastss 0x8(%rdi),%ymm0 */
        {{0xc4, 0xe3, 0x7d, 0x39, 0xc1, 0x01}, 6},           /* vextracti128 $0x1 */
        {{0x62, 0xf1, 0x7c, 0x48, 0x10, 0x47, 0x01}, 7},     /* vmovups 0x40(%rdi),%zmm0 */
        {{0x62, 0xf3, 0x7d, 0x48, 0x25, 0xc0, 0xff}, 7},     /* vpternlogd $0xff */
        {{0xf0, 0x48, 0x0f, 0xb1, 0x17}, 5},                 /* lock cmpxchg %rdx,(%rdi) */
        {{0x64, 0x48, 0x8b, 0x04, 0x25, 0x28, 0, 0, 0}, 9},  /* mov %fs:0x28,%rax */
        {{0xc8, 0x10, 0x00, 0x00}, 4},                       /* enter */
        {{0x0f, 0xba, 0xe0, 0x03}, 4},                       /* bt $0x3,%eax */
        {{0x48, 0xc7, 0x44, 0x24, 0x08, 1, 2, 3, 4}, 9},     /* movq $,0x8(%rsp) */
        {{0xa0, 1, 2, 3, 4, 5, 6, 7, 8}, 9},                 /* movabs 0x...,%al */
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct instruction read = instruction_read(known[i].code, sizeof known[i].code);
        if (read.length != known[i].length)
            fail_msg("number %zu: %u bytes and not %u", i, read.length, known[i].length);
        for (unsigned size = 0; size < known[i].length; size++)
            assert_int_equal(instruction_read(known[i].code, size).length, 0);
    }
}

static struct instruction read_code(const char *code, size_t size)
{
    return instruction_read((const unsigned char *)code, size);
}

#define READ(code) read_code(code, sizeof(code) - 1)

static void test_kinds(void **state)
{
    (void)state;
    assert_int_equal(READ("\xc3").kind, INSTRUCTION_RETURN);
    assert_int_equal(READ("\xf3\xc3").kind, INSTRUCTION_RETURN);
    assert_int_equal(READ("\xc2\x08\x00").kind, INSTRUCTION_RETURN);
    assert_int_equal(READ("\xeb\xfe").kind, INSTRUCTION_JUMP);
    assert_int_equal(READ("\xeb\xfe").displacement, -2);
    assert_int_equal(READ("\xe9\x00\x01\x00\x00").displacement, 256);
    assert_int_equal(READ("\xe8\x00\x01\x00\x00").kind, INSTRUCTION_PLAIN); /* a call */
    assert_int_equal(READ("\x0f\x85\xff\xff\xff\xff").kind, INSTRUCTION_BRANCH);
    assert_int_equal(READ("\x0f\x85\xff\xff\xff\xff").displacement, -1);
    assert_int_equal(READ("\xff\xe0").kind, INSTRUCTION_JUMP_BY_REGISTER);
    assert_int_equal(READ("\x3e\xff\xe0").kind, INSTRUCTION_JUMP_BY_TABLE);
    assert_int_equal(READ("\xff\x24\xc5\x00\x00\x00\x00").kind, INSTRUCTION_JUMP_BY_TABLE);
    assert_int_equal(READ("\xff\x25\x00\x00\x00\x00").kind, INSTRUCTION_JUMP_BY_SLOT);
    assert_int_equal(READ("\xff\x60\x10").kind, INSTRUCTION_JUMP_BY_SLOT);
    assert_int_equal(READ("\xff\xd0").kind, INSTRUCTION_PLAIN); /* a call */
    assert_int_equal(READ("\x06").length, 0);
    assert_int_equal(READ("\x40\xc3").length, 2);
}

/* ---- a program */

#define FUNCTION(name, code)                                                                                 \
    ".globl " name "\\n.type " name ",@function\\n" name ":\\n.cfi_startproc\\n" code ".cfi_endproc\\n"      \
    ".size " name ",.-" name "\\n"
#define MARK(name) ".globl " name "\\n" name ":\\n"

/* What looks like a return and is none lies within an instruction, or behind the function. */
/* clang-format off */
static const char source[] =
    "__asm__(\".text\\n"
    FUNCTION("other", "ret\\n")
    FUNCTION("twice", "test %edi,%edi\\nje 1f\\nmov %rax,%rbx\\n"
                      MARK("twice_1") "ret\\n1: cmp $0xc3c3c3c3,%eax\\n"
                      MARK("twice_2") "ret\\n")
    FUNCTION("framed", "push %rbx\\n.cfi_adjust_cfa_offset 8\\njmp *%rax\\n1: pop %rbx\\n"
                       ".cfi_adjust_cfa_offset -8\\n" MARK("framed_1") "ret\\n")
    FUNCTION("handing", "test %edi,%edi\\nje 1f\\n" MARK("handing_1") "jmp other\\n1: "
                        MARK("handing_2") "jmp *table(%rip)\\n")
    FUNCTION("switching", "add %rdx,%rax\\njmp *%rax\\n" MARK("switching_1") "ret\\n")
    FUNCTION("perhaps", "jmp *%rax\\nret\\n")
    FUNCTION("sometimes", "test %edi,%edi\\nje other\\nret\\n")
    FUNCTION("framed_away", "push %rbx\\n.cfi_adjust_cfa_offset 8\\njmp other\\n")
    FUNCTION("never", "ud2\\n")
    FUNCTION("broken", ".byte 0x06\\nret\\n")
    FUNCTION("divided", "test %edi,%edi\\nje divided.cold\\n" MARK("divided_1") "ret\\n")
    FUNCTION("divided.cold", MARK("divided_2") "ret\\n")
    ".data\\ntable: .quad other\\n.text\\n\");\n"
    "int main(void) { return 0; }\n";
/* clang-format on */

static int make_program(void **state)
{
    if (make_directory(state))
        return -1;
    write_file("returns.c", source);
    return compile(false, "-O1 -no-pie -o returns returns.c") ? 0 : -1;
}

static void find(struct elf_file *elf, const char *name, struct return_entries *returns)
{
    struct coz_error err = {""};
    if (elf_file_open(elf, in_directory("returns"), &err))
        fail_msg("%s", err.text);
    assert_int_equal(return_entries_find(elf, name, returns), 0);
}

static uint64_t address_of(struct elf_file *elf, const char *name)
{
    GElf_Sym symbol;
    int count = dwfl_module_getsymtab(elf->module);
    for (int i = 1; i < count; i++) {
        GElf_Addr address;
        const char *found = dwfl_module_getsym_info(elf->module, i, &symbol, &address, NULL, NULL, NULL);
        if (found && strcmp(found, name) == 0)
            return address - elf->bias;
    }
    fail_msg("no %s", name);
    return 0;
}

static void assert_returns(const char *name, const char *first, const char *second)
{
    struct elf_file elf;
    struct return_entries returns;
    find(&elf, name, &returns);
    assert_int_equal(returns.obstacle, RETURNS_ARE_KNOWN);
    assert_int_equal(returns.list.count, second ? 2 : 1);
    assert_int_equal(returns.list.items[0].address, address_of(&elf, first));
    if (second)
        assert_int_equal(returns.list.items[1].address, address_of(&elf, second));
    entry_list_release(&returns.list);
    entry_list_release(&returns.function.list);
    elf_file_close(&elf);
}

static void assert_obstacle(const char *name, enum return_obstacle obstacle)
{
    struct elf_file elf;
    struct return_entries returns;
    find(&elf, name, &returns);
    assert_int_equal(returns.obstacle, obstacle);
    assert_int_equal(returns.list.count, 0);
    entry_list_release(&returns.function.list);
    elf_file_close(&elf);
}

static void test_returns_of_functions(void **state)
{
    (void)state;
    assert_returns("twice", "twice_1", "twice_2");
    assert_returns("framed", "framed_1", NULL);
    assert_returns("handing", "handing_1", "handing_2");
    assert_returns("switching", "switching_1", NULL);
    assert_returns("divided", "divided_1", "divided_2");
}

static void test_what_is_in_doubt_has_none(void **state)
{
    (void)state;
    assert_obstacle("perhaps", RETURNS_PERHAPS);
    assert_obstacle("sometimes", RETURNS_PERHAPS);
    assert_obstacle("framed_away", RETURNS_PERHAPS);
    assert_obstacle("never", RETURNS_NEVER);
    assert_obstacle("broken", RETURNS_UNREADABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_kinds),
        cmocka_unit_test(test_returns_of_functions),
        cmocka_unit_test(test_what_is_in_doubt_has_none),
    };
    return cmocka_run_group_tests(tests, make_program, remove_directory);
}
