#include "runtime/core/process.h"

#include "runtime/core/kernel.h"
#include "runtime/core/namespace.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct segment_process *process_slot;

bool process_is_followed(const struct segment *segment)
{
    if (segment->follow == FOLLOW_ALL)
        return true;
    namespace_join(segment);
    return namespace_is_home() && (uint32_t)getpid() == segment->first_pid;
}

uint32_t process_join(struct segment *segment)
{
    uint32_t number = atomic_fetch_add(&segment->processes, 1) + 1;
    namespace_join(segment);
    process_slot = number && number <= SEGMENT_PROCESSES ? &segment->process_slots[number - 1] : NULL;
    if (!process_slot)
        return number;
    long length = kernel_call(SYS_readlink, (long)"/proc/self/exe", (long)process_slot->program,
                              SEGMENT_PROGRAM - 1, 0, 0, 0);
    process_slot->program[length > 0 ? length : 0] = 0;
    process_slot->parent = (uint32_t)getppid();
    atomic_store(&process_slot->pid, (uint32_t)getpid());
    return number;
}

/* The program's own pointers to its points stay; what they point to becomes private, and empty. */
void process_leave(struct segment *segment)
{
    process_slot = NULL;
    mmap(segment, segment->mapped_size, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}
