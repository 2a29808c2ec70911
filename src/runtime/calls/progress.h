/* Visits of progress points. */
#pragma once

#include "shared/layout.h"

/* A visit that happens now. It ends the window when the controller wants that. Any thread; errno is kept. */
void progress_visit(struct segment_point *point);
