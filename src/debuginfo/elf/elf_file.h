/* An ELF file opened for reading, with the debug information that belongs to it, be it inside or in a
 * separate file (build-id, .gnu_debuglink; debuginfod only where DEBUGINFOD_URLS is set). Private to
 * debuginfo/. */
#pragma once

#include <elfutils/libdwfl.h>

#include "base/error.h"
#include "debuginfo/sets/ranges.h"

struct elf_file {
    Dwfl *dwfl;
    Dwfl_Module *module;
    uint64_t bias;          /* libdwfl's address minus the file's own */
    const char *path;       /* the caller's */
    struct range_list code; /* the executable sections (segments, when there are no sections) */
};

/* -ENOENT, -EACCES, -ENOEXEC (not a linked ELF file) or -ENOMEM. Close it in every case. */
int elf_file_open(struct elf_file *file, const char *path, struct coz_error *err);

/* The path of the file that holds the DWARF, the file itself or a separate one; NULL if there is none. Valid
 * until the file is closed. *offset is to be added to an address in the DWARF to get the file's. */
const char *elf_file_debug(struct elf_file *file, uint64_t *offset);

void elf_file_close(struct elf_file *file);
