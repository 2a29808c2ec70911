#include "runtime/calls/names.h"

#include "runtime/calls/sync.h"
#include "runtime/core/departure.h"

#include <errno.h>

void names_taken(void)
{
    struct thread *thread = &thread_current;
    int saved = errno;
    if (!thread->on || runtime_segment->granularity != GRANULARITY_THREAD)
        return;
    sync_before_acquire(NULL);
    if (!thread->guard && departure_begin_work()) {
        thread_guard_begin(thread);
        thread_take_name(thread, instant_now(&thread->account.presence));
        thread_guard_end(thread);
        departure_end_work();
    }
    errno = saved;
}
