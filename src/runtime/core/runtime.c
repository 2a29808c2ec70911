#include "runtime/core/runtime.h"

#include "runtime/core/descriptors.h"
#include "runtime/core/kernel.h"
#include "runtime/core/process.h"
#include "runtime/real/list.h"
#include "runtime/sampling/modules.h"
#include "runtime/sampling/sampler.h"
#include "runtime/thread/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdio.h> /* snprintf, dprintf */
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

struct segment *runtime_segment;

static const struct segment_due nothing_due;
const struct segment_due *runtime_due = &nothing_due;

void runtime_say(const char *what)
{
    uint32_t state = SLOT_FREE;
    if (!runtime_segment)
        dprintf(STDERR_FILENO, "coz: %s; the program runs on without being profiled\n", what);
    else if (atomic_compare_exchange_strong(&runtime_segment->message_state, &state, SLOT_CLAIMED)) {
        strncpy(runtime_segment->message, what, SEGMENT_MESSAGE - 1);
        atomic_store(&runtime_segment->message_state, SLOT_READY);
    }
}

static bool has_beaten_within(uint64_t ns, uint64_t now_ns)
{
    return now_ns < atomic_load_explicit(&runtime_segment->heartbeat_ns, memory_order_relaxed) + ns;
}

bool runtime_is_steered(uint64_t now_ns)
{
    return has_beaten_within(SEGMENT_HEARTBEAT_NS, now_ns);
}

bool runtime_is_deserted(uint64_t now_ns)
{
    struct segment *segment = runtime_segment;
    if (unlikely(!atomic_load_explicit(&segment->active, memory_order_relaxed)))
        return true;
    /* A controller that was stopped, or has to wait for a core, goes on. */
    if (likely(has_beaten_within(SEGMENT_DOUBT_NS, now_ns)) ||
        kernel_call(SYS_kill, segment->controller_pid, 0, 0, 0, 0, 0) != -ESRCH)
        return false;
    atomic_store(&segment->active, 0);
    return true;
}

void runtime_edge_taken(void)
{
    atomic_fetch_add(&runtime_segment->edge_futex, 1);
    kernel_call(SYS_futex, (long)&runtime_segment->edge_futex, FUTEX_WAKE, 1, 0, 0, 0);
}

/* Maps the segment that the environment names. NULL, having said why, when that is not possible. */
static struct segment *attach(const char *path)
{
    char why[160];
    struct stat status;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status)) {
        /* The profiler has ended, which a daemon's children need not hear of. */
        if (errno == ENOENT)
            return NULL;
        snprintf(why, sizeof why, "%s: %s", path, strerror(errno));
        runtime_say(why);
        return NULL;
    }
    struct segment *segment = MAP_FAILED;
    if ((size_t)status.st_size >= sizeof *segment)
        segment =
            mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    kernel_call(SYS_close, fd, 0, 0, 0, 0, 0);
    if (segment == MAP_FAILED) {
        runtime_say("the segment cannot be mapped");
        return NULL;
    }
    if (segment->magic != SEGMENT_MAGIC || segment->version != SEGMENT_VERSION ||
        segment->struct_size != sizeof *segment || segment->mapped_size != (uint64_t)status.st_size) {
        munmap(segment, (size_t)status.st_size);
        runtime_say("this libcoz.so and the profiler that started it are of different versions");
        return NULL;
    }
    return segment;
}

static void join(struct segment *segment)
{
    process_join(segment);
    modules_refresh();
    if (sampler_install()) {
        runtime_say("the sampling signal cannot be installed");
        runtime_segment = NULL;
        return;
    }
    runtime_due = &segment->due;
    /* The program's path as the kernel wrote it is at the very top of the first thread's stack. */
    thread_start(atomic_load(&segment->due.required_ns), (uintptr_t)getauxval(AT_EXECFN));
}

__attribute__((constructor)) static void start(void)
{
    hooks_resolve();
    const char *path = getenv(SEGMENT_VARIABLE);
    if (!path || !*path)
        return;
    struct segment *segment = attach(path);
    if (!segment || !atomic_load(&segment->active) || !process_is_followed(segment))
        return;
    runtime_segment = segment;
    join(segment);
}

static void leave_segment(void)
{
    process_leave(runtime_segment);
    runtime_due = &nothing_due;
    struct thread *thread = &thread_current;
    bool is_nested = thread->nesting.is_nested;
    thread_forget(thread);
    if (!is_nested) /* else what a handler interrupted goes on to its end, with a segment that is empty */
        runtime_segment = NULL;
}

void runtime_before_fork(void)
{
    if (thread_current.on)
        atomic_fetch_add(&runtime_segment->births, 1);
}

static void begin_child(void)
{
    struct thread *thread = &thread_current;
    uint64_t paid = account_paid_ns(&thread->account);
    uintptr_t stack_high = thread->stack_high;
    runtime_work_after_fork();
    descriptors_after_fork(); /* the parent's events; timers are not inherited */
    thread->on = false;
    thread->tid = 0;
    if (runtime_segment->follow == FOLLOW_NONE) {
        leave_segment();
        return;
    }
    process_join(runtime_segment);
    thread_start(paid, stack_high);
}

void runtime_after_fork(pid_t pid)
{
    struct segment *segment = runtime_segment;
    if (!segment || !thread_current.on || pid > 0)
        return;
    if (pid == 0 && segment->follow != FOLLOW_NONE)
        begin_child();
    atomic_fetch_sub(&segment->births, 1);
    if (pid == 0 && segment->follow == FOLLOW_NONE)
        begin_child();
}
