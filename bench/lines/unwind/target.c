#include "target.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 64 };

static pid_t program;
static pid_t threads[THREADS];
static size_t thread_count;

static void fail(const char *what)
{
    perror(what);
    target_kill();
    exit(1);
}

static void add_thread(pid_t thread)
{
    for (size_t i = 0; i < thread_count; i++)
        if (threads[i] == thread)
            return;
    if (thread_count < THREADS)
        threads[thread_count++] = thread;
}

static void remove_thread(pid_t thread)
{
    for (size_t i = 0; i < thread_count; i++)
        if (threads[i] == thread)
            threads[i--] = threads[--thread_count];
}

/* Deals with what happened to a thread that nobody stopped, and lets it run on. */
static void pass(pid_t thread, int status)
{
    if (WIFEXITED(status) || WIFSIGNALED(status)) {
        remove_thread(thread);
        return;
    }
    add_thread(thread);
    int number = status >> 16 ? 0 : WSTOPSIG(status);
    ptrace(PTRACE_CONT, thread, NULL, (void *)(uintptr_t)number);
}

pid_t target_start(char **argv)
{
    int gate[2], status;
    if (pipe(gate) != 0)
        fail("pipe");
    program = fork();
    if (program == 0) {
        char go;
        close(gate[1]);
        if (read(gate[0], &go, 1) == 1)
            execvp(argv[0], argv);
        perror(argv[0]);
        _exit(127);
    }
    if (program < 0 || ptrace(PTRACE_SEIZE, program, NULL,
                              (void *)(PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL)) != 0)
        fail("ptrace");
    if (write(gate[1], "", 1) != 1)
        fail("pipe");
    close(gate[0]);
    close(gate[1]);
    for (;;) {
        if (waitpid(program, &status, __WALL) != program || WIFEXITED(status))
            fail(argv[0]);
        if (status >> 8 == (SIGTRAP | PTRACE_EVENT_EXEC << 8))
            break;
        pass(program, status);
    }
    add_thread(program);
    return program;
}

pid_t target_stop(unsigned run_us)
{
    int status;
    nanosleep(&(struct timespec){.tv_nsec = run_us * 1000l}, NULL);
    for (pid_t other; (other = waitpid(-1, &status, __WALL | WNOHANG)) > 0;)
        pass(other, status);
    while (thread_count > 0) {
        pid_t chosen = threads[(size_t)random() % thread_count];
        if (ptrace(PTRACE_INTERRUPT, chosen, NULL, NULL) != 0) {
            remove_thread(chosen);
            continue;
        }
        for (;;) {
            pid_t other = waitpid(-1, &status, __WALL);
            if (other < 0)
                return 0;
            bool stopped = WIFSTOPPED(status) && status >> 16 == PTRACE_EVENT_STOP;
            if (other == chosen && stopped)
                return chosen;
            pass(other, status);
            if (other == chosen && !WIFSTOPPED(status))
                break;
        }
    }
    return 0;
}

bool target_step(pid_t thread)
{
    int status;
    if (ptrace(PTRACE_SINGLESTEP, thread, NULL, NULL) != 0 || waitpid(thread, &status, __WALL) != thread)
        return false;
    if (!WIFSTOPPED(status)) {
        remove_thread(thread);
        return false;
    }
    /* A signal on its way is dropped: the program's own are not what is looked at. */
    return true;
}

bool target_registers(pid_t thread, ucontext_t *context, bool *waits)
{
    struct user_regs_struct registers;
    if (ptrace(PTRACE_GETREGS, thread, NULL, &registers) != 0)
        return false;
    memset(context, 0, sizeof *context);
    context->uc_mcontext.gregs[REG_RIP] = (greg_t)registers.rip;
    context->uc_mcontext.gregs[REG_RSP] = (greg_t)registers.rsp;
    context->uc_mcontext.gregs[REG_RBP] = (greg_t)registers.rbp;
    *waits = (long long)registers.orig_rax >= 0;
    return true;
}

/* The mapping that holds the address. */
static bool find_mapping(uintptr_t address, uintptr_t *end)
{
    static uintptr_t last_start, last_end;
    if (address < last_start || address >= last_end) {
        char path[64], line[512];
        snprintf(path, sizeof path, "/proc/%d/maps", (int)program);
        FILE *maps = fopen(path, "r");
        while (maps && fgets(line, sizeof line, maps))
            if (sscanf(line, "%lx-%lx", &last_start, &last_end) == 2 && address >= last_start &&
                address < last_end)
                break;
        if (maps)
            fclose(maps);
    }
    *end = last_end;
    return address >= last_start && address < last_end;
}

uintptr_t target_copy_stack(pid_t thread, uintptr_t stack_pointer)
{
    static uintptr_t low, high; /* what of ours is there already */
    /* From the red zone on. */
    uintptr_t page = (stack_pointer - 128) & ~(uintptr_t)4095, end;
    (void)thread;
    if (!find_mapping(stack_pointer, &end))
        return 0;
    if (high != end || page < low) {
        if (high)
            munmap((void *)low, high - low);
        void *place = mmap((void *)page, end - page, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        low = page;
        high = end;
        if (place != (void *)page) {
            if (place != MAP_FAILED)
                munmap(place, end - page);
            high = 0;
            return 0;
        }
    }
    struct iovec here = {(void *)page, end - page}, there = here;
    ssize_t got = process_vm_readv(program, &here, 1, &there, 1, 0);
    return got > 0 ? page + (uintptr_t)got : 0;
}

void target_resume(pid_t thread)
{
    ptrace(PTRACE_CONT, thread, NULL, NULL);
}

void target_kill(void)
{
    if (program > 0)
        kill(program, SIGKILL);
}
