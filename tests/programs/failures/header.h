/* Progress, for whoever includes this. */
#pragma once

#include <coz.h>

static inline void note_done(void)
{
    COZ_PROGRESS;
}
