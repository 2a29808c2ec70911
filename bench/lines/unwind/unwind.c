/* Compares walks up the stacks of a program that is stopped again and again: the runtime's own code
 * (locate.c, unwind.c) over the tables that the controller makes, and libdw's unwinder.
 *
 *   unwind [-n STOPS] [-t SECONDS] [-s SEED] PROGRAM [ARGUMENT...]
 *
 * What counts is a stop in a library's code (or the vdso's): the frame of the program that the time would be
 * credited to. Stops in the program itself are stepped on, a while, in the hope of a call. */
#include <elfutils/libdwfl.h>
#include <getopt.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "runtime/sampling/locate.h"
#include "runtime/sampling/unwind.h"
#include "tables.h"
#include "target.h"

enum { FRAMES = 64, STEPS = 300, KINDS = 64 };

static int add_module(Dwfl_Module *found, void **data, const char *name, Dwarf_Addr start, void *context)
{
    Dwarf_Addr end = 0;
    const char *file = NULL;
    GElf_Addr bias = 0;
    (void)data;
    (void)context;
    if (!dwfl_module_getelf(found, &bias))
        return DWARF_CB_OK;
    dwfl_module_info(found, NULL, NULL, &end, NULL, NULL, &file, NULL);
    tables_add(file ? file : name, (struct code_range){start, end, bias, NULL});
    return DWARF_CB_OK;
}

/* ---- libdw's ---- */

static int no_debuginfo(Dwfl_Module *module, void **data, const char *name, Dwarf_Addr base, const char *file,
                        const char *link, GElf_Word crc, char **path)
{
    (void)module, (void)data, (void)name, (void)base, (void)file, (void)link, (void)crc, (void)path;
    return -1;
}

static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                         .find_debuginfo = no_debuginfo};

static Dwfl *dwfl;

static void look_at_modules(pid_t program)
{
    dwfl_report_begin_add(dwfl);
    if (dwfl_linux_proc_report(dwfl, program) != 0 || dwfl_report_end(dwfl, NULL, NULL) != 0) {
        fprintf(stderr, "unwind: %s\n", dwfl_errmsg(-1));
        exit(1);
    }
    /* The program's own is the first: it is what /proc/PID/exe is, and lowest where it is not moved. */
    dwfl_getmodules(dwfl, add_module, NULL, 0);
}

struct walk {
    uintptr_t pcs[FRAMES];
    size_t count;
    uint32_t site;
};

static int on_frame(Dwfl_Frame *frame, void *context)
{
    struct walk *walk = context;
    Dwarf_Addr pc;
    bool is_activation;
    if (walk->count == FRAMES || !dwfl_frame_pc(frame, &pc, &is_activation))
        return DWARF_CB_ABORT;
    walk->pcs[walk->count++] = pc;
    walk->site = tables_site(pc - (is_activation ? 0 : 1));
    return walk->site ? DWARF_CB_ABORT : DWARF_CB_OK;
}

/* ---- ours ---- */

static void walk_ours(const ucontext_t *context, uintptr_t stack_high, struct walk *walk)
{
    const greg_t *registers = context->uc_mcontext.gregs;
    struct frame frame = {.pc = (uintptr_t)registers[REG_RIP],
                          .sp = (uintptr_t)registers[REG_RSP],
                          .fp = (uintptr_t)registers[REG_RBP]};
    struct stack stack = {.high = stack_high};
    struct located located;
    locate(context, stack_high, &located);
    walk->site = located.count ? located.sites[0] : 0;
    for (walk->count = 0; walk->count < FRAMES;) {
        struct code_range range;
        bool found = modules_find(frame.pc - (frame.is_call ? 1 : 0), &range);
        walk->pcs[walk->count++] = frame.pc;
        if (!unwind_step(&frame, found ? &range : NULL, &stack))
            break;
    }
}

/* ---- the comparison ---- */

struct kind {
    char what[256];
    unsigned count;
};

static struct {
    unsigned stops, waiting, same, same_none, other, ours_none, theirs_none;
    struct kind kinds[KINDS];
} result;

static void describe_pc(uintptr_t pc, char *text, size_t size)
{
    Dwfl_Module *module = dwfl_addrmodule(dwfl, pc);
    const char *name = module ? dwfl_module_info(module, NULL, NULL, NULL, NULL, NULL, NULL, NULL) : NULL;
    const char *symbol = module ? dwfl_module_addrname(module, pc) : NULL;
    const char *slash = name ? strrchr(name, '/') : NULL;
    struct code_range range;
    uintptr_t address = modules_find(pc, &range) ? pc - range.bias : pc;
    snprintf(text, size, "%s (%#lx) in %s", symbol ? symbol : "?", address,
             slash  ? slash + 1
             : name ? name
                    : "?");
}

static void note(const char *what)
{
    for (size_t i = 0; i < KINDS; i++) {
        if (result.kinds[i].count && strcmp(result.kinds[i].what, what) != 0)
            continue;
        snprintf(result.kinds[i].what, sizeof result.kinds[i].what, "%s", what);
        result.kinds[i].count++;
        return;
    }
}

static void compare(const struct walk *ours, const struct walk *theirs)
{
    result.stops++;
    if (ours->site == theirs->site) {
        result.same++;
        result.same_none += ours->site == 0;
        return;
    }
    const char *how = !ours->site ? "we end" : !theirs->site ? "libdw ends" : "another caller";
    result.ours_none += !ours->site;
    result.theirs_none += ours->site && !theirs->site;
    result.other += ours->site && theirs->site;
    size_t same = 0;
    while (same < ours->count && same < theirs->count && ours->pcs[same] == theirs->pcs[same])
        same++;
    char where[160], what[256];
    describe_pc(same ? theirs->pcs[same - 1] - (same > 1) : theirs->pcs[0], where, sizeof where);
    snprintf(what, sizeof what, "%s at %s", how, where);
    note(what);
}

static bool is_in_library(const ucontext_t *context)
{
    struct code_range range;
    return !modules_find((uintptr_t)context->uc_mcontext.gregs[REG_RIP], &range) ||
           !atomic_load(&range.module->is_executable);
}

/* False when the thread cannot be looked at. */
static bool look(pid_t program, pid_t thread)
{
    ucontext_t context;
    bool waits;
    unsigned some = (unsigned)random() % 32; /* not only where timers and system calls stop it */
    if (!target_registers(thread, &context, &waits))
        return false;
    for (unsigned step = 0; !waits && step < STEPS && (some > 0 || !is_in_library(&context)); step++) {
        some -= some > 0;
        if (!target_step(thread) || !target_registers(thread, &context, &waits))
            return false;
    }
    if (!is_in_library(&context))
        return true;
    struct code_range range;
    if (!modules_find((uintptr_t)context.uc_mcontext.gregs[REG_RIP], &range))
        look_at_modules(program);
    uintptr_t stack_high = target_copy_stack(thread, (uintptr_t)context.uc_mcontext.gregs[REG_RSP]);
    if (!stack_high)
        return true;
    struct walk ours = {0}, theirs = {0};
    result.waiting += waits;
    walk_ours(&context, stack_high, &ours);
    dwfl_getthread_frames(dwfl, thread, on_frame, &theirs);
    compare(&ours, &theirs);
    return true;
}

static int compare_kinds(const void *left, const void *right)
{
    const struct kind *a = left, *b = right;
    return (a->count < b->count) - (a->count > b->count);
}

static int print(const char *program)
{
    const char *slash = strrchr(program, '/');
    double same = result.stops ? 100.0 * result.same / result.stops : 0;
    printf("%s: %u stops in libraries (%u of them waiting), the same first frame in scope: %.2f %% (none for "
           "%u)\n",
           slash ? slash + 1 : program, result.stops, result.waiting, same, result.same_none);
    printf("  another: %u, none by us: %u, none by libdw: %u\n", result.other, result.ours_none,
           result.theirs_none);
    qsort(result.kinds, KINDS, sizeof *result.kinds, compare_kinds);
    for (size_t i = 0; i < 8 && result.kinds[i].count; i++)
        printf("  %6u %s\n", result.kinds[i].count, result.kinds[i].what);
    return same < 99.5;
}

int main(int argc, char **argv)
{
    unsigned stops = 10000, seconds = 60, seed = 1;
    for (int option; (option = getopt(argc, argv, "+n:t:s:")) != -1;) {
        unsigned number = optarg ? (unsigned)strtoul(optarg, NULL, 10) : 0;
        if (option == 'n')
            stops = number;
        else if (option == 't')
            seconds = number;
        else
            seed = number;
    }
    if (optind == argc) {
        fputs("usage: unwind [-n STOPS] [-t SECONDS] [-s SEED] PROGRAM [ARGUMENT...]\n", stderr);
        return 2;
    }
    srandom(seed);
    tables_init();
    pid_t program = target_start(argv + optind), thread = program;
    uint64_t until = clock_wall_ns() + seconds * 1000000000ull;
    /* Through the dynamic linker first, so that the libraries are there. */
    target_resume(program);
    thread = target_stop(200000);
    dwfl = dwfl_begin(&callbacks);
    dwfl_linux_proc_report(dwfl, program);
    dwfl_report_end(dwfl, NULL, NULL);
    dwfl_getmodules(dwfl, add_module, NULL, 0);
    if (!thread || dwfl_linux_proc_attach(dwfl, program, true) != 0) {
        fprintf(stderr, "unwind: %s has ended, or cannot be looked at: %s\n", argv[optind], dwfl_errmsg(-1));
        return 1;
    }
    while (thread && result.stops < stops && clock_wall_ns() < until) {
        if (look(program, thread))
            target_resume(thread);
        thread = target_stop(20 + (unsigned)random() % 200);
    }
    target_kill();
    return print(argv[optind]);
}
