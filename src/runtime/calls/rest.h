/* Calls that move bytes, and that a signal ends before all are moved. Natively a program that has no handlers
 * never sees such a part, so when the signal was our sample, and no handler of the program's ran, the call
 * goes on with the rest: but only where nothing else would have ended it. What is natively short stays so.
 *
 * For the calling thread. A rest that fails leaves the part, and errno as it was. */
#pragma once

#include "runtime/thread/thread.h"

#include <sys/types.h>
#include <sys/uio.h>

/* Before a call, and between two. */
struct rest_mark {
    unsigned cuts, handlers;
};

static inline struct rest_mark rest_mark(void)
{
    return (struct rest_mark){thread_current.nesting.cuts, thread_current.nesting.handlers};
}

/* True when a sample has cut short what moved `done` of `size` bytes (SIZE_MAX: nobody has counted). */
static inline bool rest_is_left(const struct rest_mark *mark, ssize_t done, size_t size)
{
    return unlikely(mark->cuts != thread_current.nesting.cuts) && done > 0 && (size_t)done < size &&
           mark->handlers == thread_current.nesting.handlers;
}

enum rest_way { REST_READ, REST_WRITE, REST_SEND, REST_RECEIVE, REST_RANDOM };

/* What such a call waits for. */
static inline enum wait_class rest_class(enum rest_way way)
{
    return way == REST_WRITE || way == REST_SEND ? WAIT_WRITE : WAIT_READ;
}

/* The flags are those of send(), recv() and getrandom(); began_ns is when the call did, on the wall clock.
 * These return all that was moved, `done` included. */
ssize_t rest_of_parts(enum rest_way way, int fd, const struct iovec *parts, size_t count, int flags,
                      uint64_t began_ns, struct rest_mark *mark, ssize_t done);
ssize_t rest_of(enum rest_way way, int fd, const void *bytes, size_t size, int flags, uint64_t began_ns,
                struct rest_mark *mark, ssize_t done);

/* What sendfile() leaves, with the offset where it left off. */
ssize_t rest_of_file(int out, int in, off64_t *offset, size_t size, struct rest_mark *mark, ssize_t done);

/* And what copy_file_range() leaves; the kernel has moved both offsets on. */
ssize_t rest_of_copy(int in, off64_t *in_offset, int out, off64_t *out_offset, size_t size, unsigned flags,
                     struct rest_mark *mark, ssize_t done);
