#include "runtime/core/process.h"

#include "runtime/core/kernel.h"
#include "runtime/core/namespace.h"
#include "shared/thread_slots.h"

#include <fcntl.h> /* AT_FDCWD */
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

/* Slots of killed processes are freed by the controller, but not those of another PID namespace, whose
 * numbers mean nothing to it: so each process that joins in there frees them. */
static void reap_namespace(struct segment *segment)
{
    uint32_t used = thread_slots_end(segment), tag = segment_number_tag(namespace_number(0));
    for (uint32_t i = 0; i < used; i++) {
        struct segment_thread *slot = &segment->thread_slots[i];
        uint64_t owner = thread_slot_owner(slot);
        long pid = segment_number_pid(thread_slot_pid(owner));
        if (thread_slot_is_taken(owner) && thread_slot_tag(owner) == tag &&
            kernel_call(SYS_kill, pid, 0, 0, 0, 0, 0) == -ESRCH)
            thread_slot_release(segment, slot, owner);
    }
}

uint32_t process_join(struct segment *segment)
{
    uint32_t number = atomic_fetch_add(&segment->processes, 1) + 1;
    namespace_join(segment);
    thread_slots_release_of(segment, namespace_number(getpid()));
    if (!namespace_is_home())
        reap_namespace(segment);
    process_slot = number && number <= SEGMENT_PROCESSES ? &segment->process_slots[number - 1] : NULL;
    if (!process_slot)
        return number;
    long length = kernel_call(SYS_readlinkat, AT_FDCWD, (long)"/proc/self/exe", (long)process_slot->program,
                              SEGMENT_PROGRAM - 1, 0, 0);
    process_slot->program[length > 0 ? length : 0] = 0;
    process_slot->parent = (uint32_t)getppid();
    atomic_store(&process_slot->pid, (uint32_t)getpid());
    return number;
}

uint64_t process_number(void)
{
    if (likely(process_slot))
        return (uint64_t)(process_slot - runtime_segment->process_slots);
    return SEGMENT_PROCESSES + namespace_number(getpid());
}

void process_join_to_count(struct segment *segment)
{
    process_join(segment);
    uint32_t number = namespace_number(getpid());
    thread_slot_claim(segment, number, number);
}

/* The program's own pointers to its points stay; what they point to becomes private, and empty. */
void process_detach(struct segment *segment)
{
    process_slot = NULL;
    mmap(segment, segment->mapped_size, PROT_READ | PROT_WRITE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}
