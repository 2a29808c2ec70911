/* How the runtime comes into a program: the dynamic linker runs start(). */
#include "runtime/core/descriptors.h"
#include "runtime/core/kernel.h"
#include "runtime/core/message.h"
#include "runtime/core/process.h"
#include "runtime/core/reach.h"
#include "runtime/core/runtime.h"
#include "runtime/core/tables.h"
#include "runtime/real/list.h"
#include "runtime/sampling/modules.h"
#include "runtime/thread/breakpoints.h"
#include "runtime/thread/sample.h"
#include "runtime/thread/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h> /* snprintf */
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>

/* Maps the segment that the environment names. NULL, having said why, when that is not possible. */
static struct segment *attach_segment(const char *path)
{
    char why[160];
    struct stat status;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status)) {
        /* The profiler has ended, which a daemon's children need not hear of. */
        if (errno == ENOENT)
            return NULL;
        snprintf(why, sizeof why, "%s: %s", path, strerror(errno));
        message_say(why);
        return NULL;
    }
    struct segment *segment = MAP_FAILED;
    if ((size_t)status.st_size >= sizeof *segment)
        segment =
            mmap(NULL, (size_t)status.st_size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    kernel_call(SYS_close, fd, 0, 0, 0, 0, 0);
    if (segment == MAP_FAILED) {
        message_say("the segment cannot be mapped");
        return NULL;
    }
    if (segment->magic != SEGMENT_MAGIC || segment->version != SEGMENT_VERSION ||
        segment->struct_size != sizeof *segment || segment->mapped_size != (uint64_t)status.st_size) {
        munmap(segment, (size_t)status.st_size);
        message_say("this libcoz.so and the profiler that started it are of different versions");
        return NULL;
    }
    tables_protect(segment, (uint64_t)status.st_size);
    return segment;
}

static void join_tree(struct segment *segment)
{
    modules_join(process_join(segment));
    modules_refresh();
    if (sample_install()) {
        message_say("the sampling signal cannot be installed");
        runtime_segment = NULL;
        return;
    }
    runtime_due = &segment->due;
    descriptors_make_room();
    thread_prepare();
    /* The program's path as the kernel wrote it is at the very top of the first thread's stack. */
    thread_start(atomic_load(&segment->due.required_ns), (uintptr_t)getauxval(AT_EXECFN));
}

/* Nothing ever becomes due; but calls may be progress points. */
static void join_to_count(struct segment *segment)
{
    process_join_to_count(segment);
    modules_refresh();
    runtime_due = &segment->due;
}

__attribute__((constructor)) static void start(void)
{
    hooks_resolve();
    char *path = getenv(SEGMENT_VARIABLE);
    if (!path || !*path)
        return;
    struct segment *segment = attach_segment(path);
    if (!segment)
        reach_forget(); /* what this process executes would find out the same, and say it again */
    if (!segment || !atomic_load(&segment->active) || !process_is_followed(segment))
        return;
    runtime_segment = segment;
    if (segment->counts_only)
        join_to_count(segment);
    else
        join_tree(segment);
    if (runtime_segment)
        breakpoints_begin(segment);
}
