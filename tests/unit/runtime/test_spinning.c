/* Samples of a loop that waits, and of one that works. */
#include "runtime/sampling/spinning.h"

#include "runtime/core/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* mov (%rdi),%eax; test; je; and what is looked at before them */
static const unsigned char looping[24] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
                                          0x90, 0x8b, 0x07, 0x85, 0xc0, 0x74, 0xfa};
static const unsigned char *const loop = looping + 8;
/* mov $24,%eax; syscall, and the same with another number */
static const unsigned char yields[16] = {0xb8, SYS_sched_yield, 0, 0, 0, 0x0f, 0x05, 0xc3};
static const unsigned char reads[16] = {0xb8, SYS_read, 0, 0, 0, 0x0f, 0x05, 0xc3};

static ucontext_t context_at(const unsigned char *pc)
{
    ucontext_t context = {0};
    context.uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)pc;
    context.uc_mcontext.gregs[REG_RSP] = 0x7ffc1000;
    return context;
}

static void test_nothing_changes(void **state)
{
    (void)state;
    struct spinning spinning = {0};
    ucontext_t first = context_at(loop), second = context_at(loop + 2);
    assert_false(spinning_note(&spinning, &first));
    assert_false(spinning_note(&spinning, &second));
    assert_true(spinning_note(&spinning, &second));
    assert_true(spinning_note(&spinning, &first));
}

static void test_any_register_is_work(void **state)
{
    (void)state;
    for (int number = REG_R8; number <= REG_RSP; number++) {
        struct spinning spinning = {0};
        ucontext_t context = context_at(loop);
        assert_false(spinning_note(&spinning, &context));
        context.uc_mcontext.gregs[number]++;
        assert_false(spinning_note(&spinning, &context));
    }
}

static void test_flags_are_no_work(void **state)
{
    (void)state;
    struct spinning spinning = {0};
    ucontext_t context = context_at(loop);
    assert_false(spinning_note(&spinning, &context));
    context.uc_mcontext.gregs[REG_EFL] ^= 0x40;
    assert_true(spinning_note(&spinning, &context));
}

/* What was long ago is forgotten. */
static void test_only_the_last_count(void **state)
{
    (void)state;
    struct spinning spinning = {0};
    ucontext_t context = context_at(loop);
    for (int i = 0; i <= SPINNING_SEEN; i++) {
        context.uc_mcontext.gregs[REG_RBX] = i;
        assert_false(spinning_note(&spinning, &context));
    }
    context.uc_mcontext.gregs[REG_RBX] = SPINNING_SEEN;
    assert_true(spinning_note(&spinning, &context));
    context.uc_mcontext.gregs[REG_RBX] = 0;
    assert_false(spinning_note(&spinning, &context));
}

static void test_system_calls(void **state)
{
    (void)state;
    struct spinning spinning = {0};
    ucontext_t yielding = context_at(yields + 7), reading = context_at(reads + 7);
    assert_false(spinning_note(&spinning, &yielding));
    assert_true(spinning_note(&spinning, &yielding));
    assert_false(spinning_note(&spinning, &reading));
    assert_false(spinning_note(&spinning, &reading));
}

/* Code that nothing can be read before. */
static void test_unreadable(void **state)
{
    (void)state;
    struct spinning spinning = {0};
    ucontext_t context = context_at((const unsigned char *)16);
    assert_false(spinning_note(&spinning, &context));
    assert_true(spinning_note(&spinning, &context));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_changes),   cmocka_unit_test(test_any_register_is_work),
        cmocka_unit_test(test_flags_are_no_work), cmocka_unit_test(test_only_the_last_count),
        cmocka_unit_test(test_system_calls),      cmocka_unit_test(test_unreadable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
