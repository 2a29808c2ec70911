/* Where functions are declared: the namespaces, classes and functions around them. Compilers that give a
 * function no symbol do not say so in its entry, and libdw knows no way up. Private to debuginfo/. */
#pragma once

#include "debuginfo/dwarf/unit.h"
#include "debuginfo/sets/interner.h"

/* A function to be qualified. */
struct unqualified {
    uint64_t die;    /* offset in the .debug_info of unit->tree */
    uint32_t number; /* the caller's */
};

/* Calls found with "ns::Class::" for each of those that lie in one, in any order; sorts the list. Returns
 * false when found did. A broken tree is no failure here. */
bool unit_qualify(const struct unit *unit, struct unqualified *list, size_t count,
                  bool (*found)(void *context, uint32_t number, const char *prefix), void *context);
