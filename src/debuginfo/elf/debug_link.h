/* Finding the separate file with a module's debug information in folders, as GDB does. Private to debuginfo/.
 */
#pragma once

#include <stdint.h>

/* The folders below which debug files lie, by colons: those of COZ_DEBUG_FILE_DIRECTORY, then /usr/lib/debug.
 * The form is that of libdwfl's search path. Made once; NULL when memory is out. Any thread. */
char **debug_link_path(void);

/* Opens the file that a .gnu_debuglink names: beside `file`, in .debug/ there, or below the folders above,
 * where it is in a copy of file's own folder. One with another checksum is passed over. -1: there is none;
 * else *found is its path, to be freed. */
int debug_link_open(const char *file, const char *link, uint32_t checksum, char **found);
