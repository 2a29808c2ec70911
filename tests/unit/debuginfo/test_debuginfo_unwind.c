/* Unwind rows, of this very program and its libraries, against backtrace(). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <execinfo.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#include "debuginfo/debuginfo.h"
#include "runtime/arch/registers.h"

/* A minimal unwinder, as the runtime's: one module a shared object, found by address. */
enum { MODULES = 32, FRAMES = 64 };

static struct module {
    uintptr_t base, start, end;
    struct debuginfo info;
} modules[MODULES];
static size_t module_count;

static int add_module(struct dl_phdr_info *object, size_t size, void *context)
{
    struct module *module = &modules[module_count];
    struct coz_error error;
    (void)size;
    (void)context;
    const char *path = module_count == 0 ? "/proc/self/exe" : object->dlpi_name;
    if (module_count == MODULES || access(path, R_OK) != 0)
        return 0; /* the vdso has no file */
    module->base = object->dlpi_addr;
    module->start = UINTPTR_MAX;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[i];
        uintptr_t start = object->dlpi_addr + header->p_vaddr;
        if (header->p_type != PT_LOAD)
            continue;
        module->start = start < module->start ? start : module->start;
        module->end = start + header->p_memsz > module->end ? start + header->p_memsz : module->end;
    }
    assert_int_equal(debuginfo_load_unwind(path, (struct debuginfo_options){0}, &module->info, &error), 0);
    assert_true(module->info.unwind_count > 0);
    assert_int_equal(module->info.unwind[module->info.unwind_count - 1].kind, UNWIND_NONE);
    for (size_t i = 1; i < module->info.unwind_count; i++)
        assert_true(module->info.unwind[i - 1].start < module->info.unwind[i].start);
    module_count++;
    return 0;
}

static struct unwind_row find_row(uintptr_t pc)
{
    for (size_t i = 0; i < module_count; i++) {
        const struct debuginfo *info = &modules[i].info;
        if (pc < modules[i].start || pc >= modules[i].end)
            continue;
        size_t low = 0, high = info->unwind_count;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if (info->unwind[middle].start <= pc - modules[i].base)
                low = middle + 1;
            else
                high = middle;
        }
        if (low > 0)
            return info->unwind[low - 1];
    }
    return (struct unwind_row){.kind = UNWIND_NONE};
}

static uintptr_t find_cfa(struct registers at, struct unwind_row row)
{
    if (row.kind == UNWIND_PLT)
        return registers_cfa_in_plt(at.pc, at.sp);
    return (row.kind == UNWIND_FP ? at.fp : at.sp) + (uintptr_t)(intptr_t)row.cfa_offset;
}

static uintptr_t find_return(struct registers at, struct unwind_row row, uintptr_t cfa)
{
    uintptr_t saved = cfa + (uintptr_t)(intptr_t)row.fp_offset;
    if (row.return_at == UNWIND_IN_PLACE)
        return at.back;
    return *(uintptr_t *)(row.return_at == UNWIND_PUSHED   ? cfa - 8
                          : row.return_at == UNWIND_BESIDE ? saved + 8
                                                           : saved);
}

static int walk(struct registers at, void **pcs)
{
    int count = 0;
    bool exact = true; /* not a return address, which may lie behind the end of its function */
    while (count < FRAMES) {
        struct unwind_row row = find_row(exact ? at.pc : at.pc - 1);
        pcs[count++] = (void *)at.pc;
        exact = row.kind == UNWIND_SIGNAL || registers_is_signal_return((const unsigned char *)at.pc);
        if (exact) {
            at = registers_of(registers_saved_at(at.sp));
            continue;
        }
        if (row.kind == UNWIND_NONE)
            break;
        uintptr_t cfa = find_cfa(at, row);
        at.pc = registers_plain(find_return(at, row, cfa));
        if (row.fp_offset && row.return_at != UNWIND_ALONE)
            at.fp = *(uintptr_t *)(cfa + (uintptr_t)(intptr_t)row.fp_offset);
        at.sp = cfa;
    }
    return count;
}

static int walks;

/* The first frame is this function's own, in which the two were asked at different places, and backtrace()
 * may have one of its own before it. From its caller outwards they must agree, to the end. */
static __attribute__((noinline)) void walk_and_compare(int smallest)
{
    void *ours[FRAMES], *theirs[FRAMES];
    ucontext_t context;
    getcontext(&context);
    int count = walk(registers_of(&context), ours), expected = backtrace(theirs, FRAMES), first = 1;
    assert_true(count >= smallest);
    while (first < expected && theirs[first] != ours[1])
        first++;
    assert_int_equal(count - 1, expected - first);
    for (int i = 1; i < count; i++)
        assert_ptr_equal(ours[i], theirs[first + i - 1]);
    walks++;
}

static void on_signal(int number)
{
    (void)number;
    walk_and_compare(9);
}

/* Called back by the C library, so its frames are in the middle; a signal puts a trampoline on top. */
static int compare(const void *left, const void *right)
{
    walk_and_compare(6);
    raise(SIGUSR1);
    return *(const int *)left - *(const int *)right;
}

static void test_unwind(void **state)
{
    int numbers[] = {3, 1, 2};
    struct sigaction action = {.sa_handler = on_signal};
    (void)state;
    dl_iterate_phdr(add_module, NULL);
    sigaction(SIGUSR1, &action, NULL);
    qsort(numbers, 3, sizeof *numbers, compare);
    assert_true(walks >= 4);
    for (size_t i = 0; i < module_count; i++)
        debuginfo_release(&modules[i].info);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_unwind)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
