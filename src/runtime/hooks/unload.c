/* Code that goes: what is loaded at its addresses next must not be taken for it. Nothing is done when code
 * comes, because dlopen() asks who calls it, and would find us: samples in new code ask for it. */
#include "runtime/real/list.h"
#include "runtime/sampling/modules.h"
#include "runtime/thread/thread.h"

EXPORT int dlclose(void *handle)
{
    int result = REAL(dlclose)(handle);
    struct thread *thread = &thread_current;
    if (!runtime_segment || !thread->on || thread->guard)
        return result;
    thread_guard_begin(thread);
    modules_refresh();
    thread_guard_end(thread);
    return result;
}
