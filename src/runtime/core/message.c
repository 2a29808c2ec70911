#include "runtime/core/message.h"

#include "runtime/core/runtime.h"

#include <stdio.h> /* dprintf */
#include <string.h>
#include <unistd.h>

void message_say(const char *what)
{
    uint32_t state = SLOT_FREE;
    if (!runtime_segment)
        dprintf(STDERR_FILENO, "coz: %s; the program runs on without being profiled\n", what);
    else if (atomic_compare_exchange_strong(&runtime_segment->message_state, &state, SLOT_CLAIMED)) {
        strncpy(runtime_segment->message, what, SEGMENT_MESSAGE - 1);
        atomic_store(&runtime_segment->message_state, SLOT_READY);
    }
}
