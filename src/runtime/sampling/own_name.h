/* The name that the calling thread has now, as a site (shared/thread_names.h). */
#pragma once

#include <stdint.h>

/* The last that was seen: names seldom change. */
struct own_name {
    uint64_t words[2];
    uint32_t site;
};

/* Asks the kernel, for names are also given by other threads, by libraries and through /proc. 0 when it does not
 * say, or there is no room for more. The thread itself, its handler too. */
uint32_t own_name_site(struct own_name *name);
