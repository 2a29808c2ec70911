/* Whether call frame information may be given to libdw: it makes a frame as large as the highest number of a
 * register that the instructions name, gigabytes if that is broken. Private to debuginfo/. */
#pragma once

#include <libelf.h>
#include <stdbool.h>

/* Looks through all entries of the section of that name, and for .eh_frame at where .eh_frame_hdr leads to.
 * False when there is no such section, when it is cut off, or when an entry names a register that x86-64 does
 * not have. */
bool cfi_is_sound(Elf *elf, const char *name);
