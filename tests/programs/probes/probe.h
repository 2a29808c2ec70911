/* What a hooked call did to the ledger, seen from inside the program: it maps the segment that the profiler
 * (../system/probe.c, which takes no samples and speeds nothing up) made, and makes delay due itself.
 *
 * In each case a thread waits, and goes on waiting when our signal comes; while it does, PROBE_NS become due;
 * then the first thread lets it go on. What must be so: the first thread was level when it did, and the other
 * one was credited and owes nothing (PEER), or was not credited (OUTSIDE). */
#pragma once

#include "../target.h"

#include "runtime/core/kernel.h"
#include "shared/thread_slots.h"

#include <inttypes.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* What a case leaves out is NULL. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#define PROBE_NS 3000000u

enum probe_waker { PEER, PEER_OF_SPINNER, OUTSIDE };

struct probe_case {
    const char *name;
    enum probe_waker expected;
    void (*prepare)(void);  /* on the first thread; may be NULL */
    void (*wait)(void);     /* on a thread of its own */
    void (*wake)(void);     /* on the first thread; NULL: nobody does, it ends by itself */
    bool (*possible)(void); /* whether this system has that at all; NULL: every system has */
};

static struct segment *probe_segment;
static const char *probe_name = "before all";
static int probe_failures;

/* What ends by itself does so after so long: it must be looked at before, by a machine that may be slow. */
static int probe_soon_ms = 100;

static inline struct timespec probe_soon(void)
{
    return (struct timespec){probe_soon_ms / 1000, probe_soon_ms % 1000 * 1000000l};
}

static void probe_attach(void)
{
    setlinebuf(stdout);
    const char *path = getenv(SEGMENT_VARIABLE);
    int fd = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    struct stat status;
    if (fd < 0 || fstat(fd, &status)) {
        fprintf(stderr, "this program is started by tests/system/probe\n");
        exit(99);
    }
    probe_segment =
        mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    close(fd);
}

static struct segment_thread *probe_slot(pid_t tid)
{
    for (uint32_t i = 0; i < atomic_load(&probe_segment->thread_slots_used); i++)
        if (thread_slot_tid(thread_slot_owner(&probe_segment->thread_slots[i])) == (uint32_t)tid)
            return &probe_segment->thread_slots[i];
    fprintf(stderr, "%s: thread %d has ended, or is not profiled\n", probe_name, (int)tid);
    exit(99);
}

/* As a sample comes: the value tells it from what anybody else sends. */
static inline void probe_sample(pid_t tid)
{
    siginfo_t info = {.si_code = SI_QUEUE};
    info.si_value.sival_ptr = (void *)SEGMENT_SIGNAL_VALUE;
    kernel_call(SYS_rt_tgsigqueueinfo, getpid(), tid, (int)probe_segment->signal_number, (long)&info, 0, 0);
}

/* How much the thread owes. */
static uint64_t probe_debt(pid_t tid)
{
    return atomic_load(&probe_segment->due.required_ns) - atomic_load(&probe_slot(tid)->paid_ns);
}

static void probe_make_due(void)
{
    atomic_fetch_add(&probe_segment->due.required_ns, PROBE_NS);
}

static void probe_check(bool holds, const char *name, const char *what)
{
    if (!holds) {
        printf("%s: %s\n", name, what);
        probe_failures++;
    }
}

/* What the call itself must return. */
#define expect(condition) probe_check(condition, probe_name, "is not so: " #condition)

struct probe_waiter {
    const struct probe_case *probe;
    _Atomic pid_t tid;
    _Atomic bool is_back;
    uint64_t owed_ns;
};

static void *probe_wait(void *argument)
{
    struct probe_waiter *waiter = argument;
    atomic_store(&waiter->tid, gettid());
    waiter->probe->wait();
    waiter->owed_ns = probe_debt(gettid());
    atomic_store(&waiter->is_back, true);
    return NULL;
}

/* Whether the thread waits in a hook, and is asleep in the kernel or spins. */
static bool probe_waits(pid_t tid, bool spins)
{
    if (!tid || !(atomic_load(&probe_slot(tid)->flags) & THREAD_BLOCKED))
        return false;
    if (spins)
        return true;
    char path[64], text[256] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)tid);
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    char *name_end = fgets(text, sizeof text, file) ? strrchr(text, ')') : NULL;
    fclose(file);
    return name_end && name_end[2] == 'S';
}

/* False when the machine stood still for so long that the wait was over before it was made due: then nothing
 * is known. */
static bool probe_run(const struct probe_case *probe)
{
    struct probe_waiter waiter = {.probe = probe};
    pthread_t thread;
    probe_name = probe->name;
    if (probe->prepare)
        probe->prepare();
    uint64_t credited = atomic_load(&probe_segment->credited_wake_ns);
    must(pthread_create(&thread, NULL, probe_wait, &waiter));
    for (int i = 0; i < 4; i++) {
        while (!atomic_load(&waiter.is_back) &&
               !probe_waits(atomic_load(&waiter.tid), probe->expected == PEER_OF_SPINNER))
            usleep(1000);
        if (i < 3)
            probe_sample(atomic_load(&waiter.tid));
        usleep(1000);
    }
    if (atomic_load(&waiter.is_back)) {
        must(pthread_join(thread, NULL));
        return false;
    }
    probe_make_due();
    if (probe->wake) {
        probe->wake();
        probe_check(probe->expected == OUTSIDE || probe_debt(gettid()) == 0, probe->name,
                    "who wakes is not level");
    }
    must(pthread_join(thread, NULL));
    credited = atomic_load(&probe_segment->credited_wake_ns) - credited;
    bool is_credited = credited >= PROBE_NS && waiter.owed_ns == 0;
    if (probe->expected == OUTSIDE ? credited == 0 : is_credited)
        return true;
    probe_check(false, probe->name, probe->expected == OUTSIDE ? "woken by a peer" : "not woken by a peer");
    printf("  credited with %" PRIu64 " ns, owes %" PRIu64 " ns\n", credited, waiter.owed_ns);
    return true;
}

/* A call that may wake, acquire, create, or wait for nobody of ours: afterwards the calling thread is level,
 * and nobody gave it anything. */
static inline void probe_levels(const char *name, void (*call)(void))
{
    probe_name = name;
    uint64_t credited = atomic_load(&probe_segment->credited_wake_ns);
    probe_make_due();
    call();
    probe_check(probe_debt(gettid()) == 0, name, "does not level");
    probe_check(atomic_load(&probe_segment->credited_wake_ns) == credited, name, "is credited");
}

#define PROBE_RUN(cases) probe_run_all(cases, sizeof(cases) / sizeof *(cases))

/* The exit status: 0 when all held. */
__attribute__((unused)) static int probe_run_all(const struct probe_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (cases[i].possible && !cases[i].possible()) {
            printf("%s: left out, this system has no such thing\n", cases[i].name);
            continue;
        }
        probe_soon_ms = 100;
        while (probe_soon_ms < 60000 && !probe_run(&cases[i]))
            probe_soon_ms *= 2;
        probe_check(probe_soon_ms < 60000, cases[i].name, "never waits for long enough to be looked at");
    }
    printf("%zu cases\n", count);
    return probe_failures > 0;
}
