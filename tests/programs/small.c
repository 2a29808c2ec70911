/* Threads with the smallest stacks there are, which work, make more of their kind, see libraries come and go,
 * and have small stacks for signals; and then stacks of the program's own, walled in by pages that nobody may
 * touch, on which code without tables runs with whatever in its registers.
 *
 *     small threads LIBRARY | altstack | contexts */
#include "target.h"

#include <coz.h>
#include <dlfcn.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { ROUNDS = 40, UNITS = 20, PAGE = 4096 };

/* A third of a millisecond or so. */
static unsigned work(unsigned x)
{
    volatile unsigned y = x;
    for (int i = 0; i < 100000; i++)
        y = MIX(y, 2654435761u); /* work line */
    COZ_PROGRESS_NAMED("unit");
    return y;
}

static pthread_attr_t smallest;

static void *work_little(void *nothing)
{
    for (int i = 0; i < UNITS; i++)
        work((unsigned)i);
    return nothing;
}

/* ---- threads that make threads */

static void *make_another(void *nothing)
{
    pthread_t thread;
    must(pthread_create(&thread, &smallest, work_little, NULL));
    work_little(NULL);
    must(pthread_join(thread, NULL));
    return nothing;
}

static int with_library(const char *path)
{
    pthread_t thread;
    for (int i = 0; i < ROUNDS; i++) {
        void *library = dlopen(path, RTLD_NOW);
        if (!library) {
            fprintf(stderr, "%s\n", dlerror());
            return 1;
        }
        must(pthread_create(&thread, &smallest, make_another, NULL));
        must(pthread_join(thread, NULL));
        dlclose(library);
        must(pthread_create(&thread, &smallest, make_another, NULL));
        must(pthread_join(thread, NULL));
    }
    puts("threads: done");
    return 0;
}

/* ---- stacks */

/* Memory with a page on both sides that nobody may touch. */
static char *walled(size_t size)
{
    char *all = mmap(NULL, size + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + PAGE, size, PROT_READ | PROT_WRITE))
        must(errno);
    return all + PAGE;
}

static atomic_int handled; /* by four threads */

static void handle(int number)
{
    (void)number;
    work(1);
    atomic_fetch_add(&handled, 1);
}

/* A stack for signals of two pages, of which the program's own handler needs next to nothing. */
static void *work_beside(void *nothing)
{
    char *stack = walled(2 * PAGE);
    stack_t alternate = {.ss_sp = stack, .ss_size = 2 * PAGE};
    must(sigaltstack(&alternate, NULL) ? errno : 0);
    for (int i = 0; i < 10 * UNITS; i++) {
        work((unsigned)i);
        if (i % 10 == 0)
            raise(SIGUSR1);
    }
    return nothing;
}

static int with_altstack(void)
{
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_ONSTACK};
    pthread_t threads[4];
    must(sigaction(SIGUSR1, &action, NULL) ? errno : 0);
    for (int i = 0; i < 4; i++)
        must(pthread_create(&threads[i], &smallest, work_beside, NULL));
    for (int i = 0; i < 4; i++)
        must(pthread_join(threads[i], NULL));
    printf("altstack: done, %d handled\n", atomic_load(&handled));
    return 0;
}

static ucontext_t before;
static char *stack;
static size_t stack_size;

/* Code that nobody has tables for: no call frame information, and a frame pointer that is none. */
__asm__(".text\n"
        ".type run_bare, @function\n"
        "run_bare:\n"
#ifdef __aarch64__
        "    mov x9, x29\n"
        "    mov x29, x0\n"
        "0:  mul x10, x10, x11\n"
        "    add x10, x10, #1\n"
        "    subs x1, x1, #1\n"
        "    b.ne 0b\n"
        "    mov x29, x9\n"
        "    ret\n"
#else
        "    push %rbp\n"
        "    mov %rdi, %rbp\n"
        "0:  imul $40503, %rax, %rax\n"
        "    add $1, %rax\n"
        "    dec %rsi\n"
        "    jnz 0b\n"
        "    pop %rbp\n"
        "    ret\n"
#endif
        ".size run_bare, . - run_bare\n");
void run_bare(uintptr_t frame_pointer, unsigned long rounds);

/* Such code in memory that belongs to no file. */
static void (*copy_of_bare(void))(uintptr_t, unsigned long)
{
    char *code = walled(PAGE);
    memcpy(code, (const void *)(uintptr_t)run_bare, 64);
    __builtin___clear_cache(code, code + 64);
    must(mprotect(code, PAGE, PROT_READ | PROT_EXEC) ? errno : 0);
    return (void (*)(uintptr_t, unsigned long))(uintptr_t)code;
}

static void on_own_stack(void)
{
    void (*copy)(uintptr_t, unsigned long) = copy_of_bare();
    uintptr_t end = (uintptr_t)stack + stack_size;
    uintptr_t frames[] = {
        end, end - 8,       end - 16,           end + PAGE - 8,   end + 8, (uintptr_t)stack - 8,
        8,   ~(uintptr_t)7, (uintptr_t)&before, end + (1ul << 30)};
    for (size_t i = 0; i < 4 * sizeof frames / sizeof *frames; i++) {
        /* A chain that leads there, too. */
        uintptr_t chain[2] = {frames[i % (sizeof frames / sizeof *frames)], (uintptr_t)copy + 8};
        for (int j = 0; j < 3; j++) {
            run_bare(chain[0], 1000000);
            copy(chain[0], 1000000);
            run_bare((uintptr_t)chain, 1000000);
            copy((uintptr_t)chain, 1000000);
        }
        work((unsigned)i);
    }
}

static int with_contexts(void)
{
    static const size_t sizes[] = {4 * PAGE, 16 * PAGE};
    for (volatile size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        ucontext_t there;
        stack_size = sizes[i];
        stack = walled(stack_size);
        must(getcontext(&there) ? errno : 0);
        there.uc_stack.ss_sp = stack;
        there.uc_stack.ss_size = stack_size;
        there.uc_link = &before;
        makecontext(&there, on_own_stack, 0);
        must(swapcontext(&before, &there) ? errno : 0);
    }
    puts("contexts: done");
    return 0;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    must(pthread_attr_init(&smallest));
    must(pthread_attr_setstacksize(&smallest, (size_t)PTHREAD_STACK_MIN));
    if (strcmp(how, "threads") == 0 && argc > 2)
        return with_library(argv[2]);
    if (strcmp(how, "altstack") == 0)
        return with_altstack();
    if (strcmp(how, "contexts") == 0)
        return with_contexts();
    return 2;
}
