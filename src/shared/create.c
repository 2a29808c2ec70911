#include "shared/create.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h> /* SIGRTMAX */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const uint64_t table_bytes = 1ull << 30; /* sparse: only what is written takes memory */

/* 0: not known. */
static uint64_t segment_pid_namespace(void)
{
    struct stat status;
    return stat(SEGMENT_PID_NAMESPACE, &status) ? 0 : status.st_ino;
}

int segment_create(struct segment_owner *owner, struct coz_error *err)
{
    uint64_t size = sizeof(struct segment) + table_bytes;
    *owner = (struct segment_owner){.fd = memfd_create("coz", MFD_CLOEXEC | MFD_ALLOW_SEALING)};
    /* Whoever made it shorter would end every process that has it mapped, by SIGBUS. */
    if (owner->fd < 0 || ftruncate(owner->fd, (off_t)size) ||
        fcntl(owner->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
        return error_set(err, errno, "There is no shared memory for the program (%s)%s", strerror(errno),
                         errno == EFBIG ? ": lift the limit on the size of files (ulimit -f unlimited)" : "");
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, owner->fd, 0);
    if (memory == MAP_FAILED)
        return error_set(err, errno, "There is no shared memory for the program (%s)", strerror(errno));
    snprintf(owner->path, sizeof owner->path, "/proc/%d/fd/%d", (int)getpid(), owner->fd);
    struct segment *segment = owner->segment = memory;
    segment->magic = SEGMENT_MAGIC;
    segment->version = SEGMENT_VERSION;
    segment->struct_size = sizeof *segment;
    segment->mapped_size = size;
    segment->controller_pid = (uint32_t)getpid();
    segment->pid_namespace = segment_pid_namespace();
    segment->signal_number = (uint32_t)SIGRTMAX - 7;
    atomic_store(&segment->edge_driver, SEGMENT_POINTS);
    return 0;
}

void segment_destroy(struct segment_owner *owner)
{
    if (owner->segment) {
        atomic_store(&owner->segment->active, 0);
        munmap(owner->segment, owner->segment->mapped_size);
    }
    if (owner->fd >= 0)
        close(owner->fd);
}

uint64_t segment_reserve(struct segment_owner *owner, size_t size)
{
    uint64_t offset = sizeof(struct segment) + owner->tables_used;
    if (size > owner->segment->mapped_size - offset)
        return 0;
    owner->tables_used += (size + 63) & ~63ull;
    return offset;
}

uint64_t segment_store(struct segment_owner *owner, const void *bytes, size_t size)
{
    uint64_t offset = segment_reserve(owner, size);
    if (offset)
        memcpy((char *)owner->segment + offset, bytes, size);
    return offset;
}

bool segment_next_counted(const struct segment_owner *owner, uint32_t *from, uint32_t *end)
{
    const off_t size = sizeof(struct segment_site), base = offsetof(struct segment, sites);
    off_t data = lseek(owner->fd, base + *from * size, SEEK_DATA);
    off_t hole = data < 0 ? -1 : lseek(owner->fd, data, SEEK_HOLE);
    *end = SEGMENT_SITES;
    if (data < 0 && errno == ENXIO)
        return false;
    if (hole >= 0) { /* else the kernel cannot say */
        *from = (uint32_t)((data - base) / size);
        if ((hole - base + size - 1) / size < SEGMENT_SITES)
            *end = (uint32_t)((hole - base + size - 1) / size);
    }
    return *from < SEGMENT_SITES;
}
