/* What happens at the marks of coz.h, which find the three by name (include/coz.h). */
#pragma once

#include "regions/marks/thread.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT void *_coz_region(const char *name);
EXPORT void _coz_region_begin(void *region);
EXPORT void _coz_region_end(void *region);

/* Before an experiment begins. */
void marks_prepare(double tick_ns);

/* The calling thread's, following the present experiment; NULL: no memory. */
struct region_thread *marks_follow(void);

/* Ends all regions that the thread is in beyond the first `depth`; each is counted as left open. */
void marks_close(struct region_thread *thread, size_t depth);
