#include "runtime/core/tables.h"

#include "runtime/core/kernel.h"

#include <sys/mman.h>

static const char *start;
static uint64_t end; /* offset; what the segment itself says of its size anybody may have written */

int tables_protect(const struct segment *segment, uint64_t mapped_size)
{
    start = (const char *)segment;
    end = mapped_size;
    return (int)kernel_call(SYS_mprotect, (long)segment->tables, (long)(mapped_size - sizeof *segment),
                            PROT_READ, 0, 0, 0);
}

const void *tables_at(uint64_t offset, uint64_t count, size_t element_size)
{
    if (offset < sizeof(struct segment) || offset > end || count > (end - offset) / element_size)
        return NULL;
    return start + offset;
}
