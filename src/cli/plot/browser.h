/* Showing a page to whoever sits here. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Opens the address by xdg-open, when there is a display; false when there is none, or no xdg-open. Waits for
 * nothing. */
bool browser_open(const char *address);

/* Into text: what leads there from another machine, "ssh -L 8123:127.0.0.1:8123 this-one". */
void browser_tunnel(unsigned port, char *text, size_t size);
