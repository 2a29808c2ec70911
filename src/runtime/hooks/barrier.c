/* Barriers: everyone who comes wakes, and everyone but the last waits. */
#include "runtime/calls/call_point.h"
#include "runtime/real/list.h"

EXPORT int pthread_barrier_wait(pthread_barrier_t *barrier)
{
    sync_wait_begin(barrier, WAIT_CONDITION);
    if (thread_current.on)
        waits_note_arrival(&thread_current);
    int rc = REAL(pthread_barrier_wait)(barrier);
    sync_wait_end(barrier, WOKEN_BY_PEER);
    call_ended(CALL_pthread_barrier_wait, rc == 0 || rc == PTHREAD_BARRIER_SERIAL_THREAD);
    return rc;
}
