/* A package of split units (.dwp, DWARF 5 and the form that GNU's and LLVM's tools have for DWARF 4), which
 * libdw before 0.191 does not look for. It lies beside the file with the skeletons, with ".dwp" after its
 * name. Private to debuginfo/. */
#pragma once

#include <stdbool.h>

#include "debuginfo/dwarf/sections.h"

struct package {
    int fd;
    Elf *elf; /* NULL: there is none */
    struct sections sections;
    struct section index; /* .debug_cu_index */
};

/* Opens the package that belongs to the file. Close it in every case, and after all that was found in it. */
void package_open(struct package *package, const char *path);
void package_close(struct package *package);

/* Finds what the package has of the split unit with that number. Safe in several threads. */
bool package_find(const struct package *package, uint64_t unit_id, struct sections *found);
