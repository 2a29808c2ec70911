/* Samples of a loop that waits, and of one that works. */
#include "runtime/sampling/spinning.h"

#include "runtime/core/kernel.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "context.h"

#ifdef __aarch64__
/* ldr w1, [x0]; cbz; and what is looked at before them */
static const uint32_t looping[6] = {0xd503201f, 0xd503201f, 0xb9400001, 0x34ffffe1};
/* mov x8, #124; svc #0, and the same with another number */
static const uint32_t yields[4] = {0xd2800008 | SYS_sched_yield << 5, 0xd4000001, 0xd65f03c0};
static const uint32_t reads[4] = {0xd2800008 | SYS_read << 5, 0xd4000001, 0xd65f03c0};
enum { STEP = 4, CALL = 8 };
#else
/* mov (%rdi),%eax; test; je; and what is looked at before them */
static const unsigned char looping[24] = {0x90, 0x90, 0x90, 0x90, 0x90, 0x90, 0x90,
                                          0x90, 0x8b, 0x07, 0x85, 0xc0, 0x74, 0xfa};
/* mov $24,%eax; syscall, and the same with another number */
static const unsigned char yields[16] = {0xb8, SYS_sched_yield, 0, 0, 0, 0x0f, 0x05, 0xc3};
static const unsigned char reads[16] = {0xb8, SYS_read, 0, 0, 0, 0x0f, 0x05, 0xc3};
enum { STEP = 2, CALL = 7 };
#endif
static const unsigned char *const loop = (const unsigned char *)looping + 8;

static ucontext_t context_at(const unsigned char *pc)
{
    return context_made((uintptr_t)pc, 0x7ffc1000);
}

static void test_nothing_changes(void **state)
{
    (void)state;
    struct spinning spinning = {0};
    ucontext_t first = context_at(loop), second = context_at(loop + STEP);
    assert_false(spinning_note(&spinning, &first));
    assert_false(spinning_note(&spinning, &second));
    assert_true(spinning_note(&spinning, &second));
    assert_true(spinning_note(&spinning, &first));
}

static void test_any_register_is_work(void **state)
{
    (void)state;
    for (int number = 0; number < CONTEXT_REGISTERS; number++) {
        struct spinning spinning = {0};
        ucontext_t context = context_at(loop);
        assert_false(spinning_note(&spinning, &context));
        context_put(&context, number, 0x7ffc1001);
        assert_false(spinning_note(&spinning, &context));
    }
}

static void test_flags_are_no_work(void **state)
{
    (void)state;
    struct spinning spinning = {0};
    ucontext_t context = context_at(loop);
    assert_false(spinning_note(&spinning, &context));
    context_change_flags(&context);
    assert_true(spinning_note(&spinning, &context));
}

/* What was long ago is forgotten. */
static void test_only_the_last_count(void **state)
{
    (void)state;
    struct spinning spinning = {0};
    ucontext_t context = context_at(loop);
    for (int i = 0; i <= SPINNING_SEEN; i++) {
        context_put(&context, CONTEXT_SAVED_REGISTER, (uint64_t)i);
        assert_false(spinning_note(&spinning, &context));
    }
    context_put(&context, CONTEXT_SAVED_REGISTER, SPINNING_SEEN);
    assert_true(spinning_note(&spinning, &context));
    context_put(&context, CONTEXT_SAVED_REGISTER, 0);
    assert_false(spinning_note(&spinning, &context));
}

static void test_system_calls(void **state)
{
    (void)state;
    struct spinning spinning = {0};
    ucontext_t yielding = context_at((const unsigned char *)yields + CALL),
               reading = context_at((const unsigned char *)reads + CALL);
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
